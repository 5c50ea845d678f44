/** Success or an expected failure, as a value. A bug is never a Result: it throws. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure }

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
})

export const err = <Failure>(error: Failure): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error,
})

/** Exhaustiveness check, for the default of a switch: the compiler finds a missing case. */
export function assertNever(value: never): never {
  throw new Error(`a case was forgotten: ${JSON.stringify(value)}`)
}
