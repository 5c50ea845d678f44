/** Computes a value once for each object; for what several readers ask of a model or a snapshot, which never change. */
export function oncePer<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (key) => {
    const found = known.get(key)
    if (found) return found.value
    const value = make(key)
    known.set(key, { value })
    return value
  }
}

/** Computes a value again only when one of the members that it is made of has changed. */
export function oncePerMembers<Whole extends object, Member extends keyof Whole, Value>(
  members: readonly Member[],
  make: (of: Pick<Whole, Member>) => Value,
): (of: Pick<Whole, Member>) => Value {
  let last: { readonly of: Pick<Whole, Member>; readonly value: Value } | undefined
  return (of) => {
    if (last) {
      let isEqual = true
      for (const member of members) isEqual &&= last.of[member] === of[member]
      if (isEqual) return last.value
    }
    const value = make(of)
    last = { of, value }
    return value
  }
}
