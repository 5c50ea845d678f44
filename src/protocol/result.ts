/** The answer of something that may lawfully say no. A bug is never a Result: it throws. */
export type Result<Value, No> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: No }

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
})

export const no = <No>(error: No): { readonly ok: false; readonly error: No } => ({
  ok: false,
  error,
})

/** The end of every switch: the compiler, not a linter, finds the missing case. */
export function unreachable(value: never): never {
  throw new Error(`a case was forgotten: ${JSON.stringify(value)}`)
}
