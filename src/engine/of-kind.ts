/** Telling the facts and commands of a capability by the first word of their kind. */

/** Whether the kind begins with one of these words: `account.opened` is of `account`. */
export function isOf<Value extends { readonly kind: string }, Word extends string>(
  value: Value,
  ...words: readonly Word[]
): value is Extract<Value, { readonly kind: `${Word}.${string}` }> {
  return words.some((word) => value.kind.startsWith(`${word}.`))
}
