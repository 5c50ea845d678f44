/** JSON values as differences need them: what kind they are, and whether two are the same, however deep they go. */

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object' | 'absent'

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export function jsonType(value: unknown): JsonType {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (isList(value)) return 'list'
  const type = typeof value
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object'
}

/** The members that two values have in common places; undefined when they cannot be the same. */
function children(
  left: unknown,
  right: unknown,
): readonly (readonly [unknown, unknown])[] | undefined {
  if (isList(left) && isList(right))
    return left.length === right.length
      ? left.map((each, index) => [each, right[index]] as const)
      : undefined
  if (!isObject(left) || !isObject(right)) return undefined
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return undefined
  return keys.every((key) => Object.hasOwn(right, key))
    ? keys.map((key) => [left[key], right[key]] as const)
    : undefined
}

/** Whether two values are the same. Nothing calls itself here: a partner's body may be nested as deep as it likes. */
export function isSame(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || (left === 0 && right === 0)) return true
  const open: (readonly [unknown, unknown])[] = [[left, right]]
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [a, b] = pair
    // As JSON knows no -0, the two zeros are one.
    if (a === b) continue
    const inside = children(a, b)
    if (!inside) return false
    for (const each of inside) open.push(each)
  }
  return true
}

/** Deeper than this, a text no longer tells values apart. */
const deepest = 60

/**
 * A text that is the same for values that are the same, whatever the order of their members. `leaf` may write a string
 * or a number in its own way, to leave out what is not to count.
 */
export function canonical(
  value: unknown,
  leaf: (value: string | number, key: string) => string = (each) => JSON.stringify(each),
): string {
  function write(each: unknown, key: string, depth: number): string {
    if (typeof each === 'string' || typeof each === 'number') return leaf(each, key)
    if (isList(each))
      return depth > deepest
        ? '[…]'
        : `[${each.map((member) => write(member, key, depth + 1)).join(',')}]`
    if (!isObject(each)) return String(each)
    if (depth > deepest) return '{…}'
    const members = Object.keys(each)
      .toSorted()
      .map((name) => `${JSON.stringify(name)}:${write(each[name], name, depth + 1)}`)
    return `{${members.join(',')}}`
  }
  return write(value, '', 0)
}

/** The JSON that a text holds; undefined when it holds none. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}
