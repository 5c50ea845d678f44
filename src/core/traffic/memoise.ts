/**
 * A function of a name that remembers its results: names recur. They may also be generated, so at most `max` are
 * remembered, and then begun anew.
 */
export function memoise<Name extends string, Result>(
  max: number,
  make: (name: Name) => Result,
): (name: Name) => Result {
  const known = new Map<Name, Result>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    if (known.size >= max) known.clear()
    const fresh = make(name)
    known.set(name, fresh)
    return fresh
  }
}
