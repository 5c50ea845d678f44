/** What differs between two documents, as dotted paths: `contacts.phone` (CUS-EVO-04). */

type Json = Readonly<Record<string, unknown>>

export const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two values of JSON say the same; the order of an object's keys says nothing. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]))
  if (!isPlain(one) || !isPlain(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  )
}

/** How deep paths go: what lies deeper is named by what it lies in. */
const deepest = 3

export function changedPaths(before: Json, after: Json, prefix = '', depth = 1): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    const was = Object.hasOwn(before, key) ? before[key] : undefined
    const is = Object.hasOwn(after, key) ? after[key] : undefined
    if (isSame(was, is)) return []
    const path = `${prefix}${key}`
    return isPlain(was) && isPlain(is) && depth < deepest
      ? changedPaths(was, is, `${path}.`, depth + 1)
      : [path]
  })
}
