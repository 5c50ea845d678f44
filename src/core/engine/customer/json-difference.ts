/** Differences between two JSON documents as dotted paths: `contacts.phone` (CUS-EVO-04). */

type Json = Readonly<Record<string, unknown>>

export const isPlainObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Deep equality of JSON values, independent of key order. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other))
    return (
      one.length === other.length && one.every((each, index) => isEqualJson(each, other[index]))
    )
  if (!isPlainObject(one) || !isPlainObject(other)) return false
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqualJson(one[key], other[key]))
  )
}

/** Maximum depth of a path; deeper changes are reported by the path of their ancestor at this depth. */
const maxDepth = 3

export function changedPaths(before: Json, after: Json, prefix = '', depth = 1): readonly string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) => {
    const previous = Object.hasOwn(before, key) ? before[key] : undefined
    const current = Object.hasOwn(after, key) ? after[key] : undefined
    if (isEqualJson(previous, current)) return []
    const path = `${prefix}${key}`
    return isPlainObject(previous) && isPlainObject(current) && depth < maxDepth
      ? changedPaths(previous, current, `${path}.`, depth + 1)
      : [path]
  })
}
