/** Narrows facts and commands to a capability by the first word of their kind. */

/** Whether the kind begins with one of these words: `account.opened` is of `account`. */
export function isOfCapability<Value extends { readonly kind: string }, Word extends string>(
  value: Value,
  ...words: readonly Word[]
): value is Extract<Value, { readonly kind: `${Word}.${string}` }> {
  const { kind } = value
  // Hot path, run a dozen times for every command and fact: allocates nothing.
  for (const word of words) if (kind[word.length] === '.' && kind.startsWith(word)) return true
  return false
}
