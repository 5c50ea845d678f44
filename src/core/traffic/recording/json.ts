/** JSON values: type, deep equality and canonical text. */
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { maxReadLevels } from '../json/json-depth.ts'
import { isSameNumber, isSpelledNumber, scalarTextOf } from '../json/lossless-json.ts'

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'list' | 'object' | 'absent'

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** An object, and no number as it is spelled. */
export const isJsonObject = (value: unknown): value is UnknownRecord =>
  isUnknownRecord(value) && !isSpelledNumber(value)

export function jsonType(value: unknown): JsonType {
  if (value === undefined) return 'absent'
  if (value === null) return 'null'
  if (isList(value)) return 'list'
  const type = typeof value
  if (type === 'boolean' || type === 'number' || type === 'string') return type
  return isSpelledNumber(value) ? 'number' : 'object'
}

/** Pairs of members to compare; undefined when the values cannot be equal. */
function children(
  left: unknown,
  right: unknown,
): readonly (readonly [unknown, unknown])[] | undefined {
  if (isList(left) && isList(right))
    return left.length === right.length
      ? left.map((each, index) => [each, right[index]] as const)
      : undefined
  if (!isJsonObject(left) || !isJsonObject(right)) return undefined
  const keys = Object.keys(left)
  if (keys.length !== Object.keys(right).length) return undefined
  return keys.every((key) => Object.hasOwn(right, key))
    ? keys.map((key) => [left[key], right[key]] as const)
    : undefined
}

/** How many levels of lists and objects a value has; without recursion. */
function levelsOf(value: unknown): number {
  let level: readonly unknown[] = [value]
  for (let count = 0; ; count++) {
    level = level.flatMap((each) =>
      isList(each) ? each : isJsonObject(each) ? Object.values(each) : [],
    )
    if (level.length === 0) return count
  }
}

/** The value, or words for one that is nested too deep to be written as JSON. */
export function writableJson(value: unknown): unknown {
  const levels = typeof value === 'object' && value !== null ? levelsOf(value) : 0
  return levels > maxReadLevels ? `(${levels} levels of lists and objects)` : value
}

/** Deep equality without recursion: a partner's body may be nested to any depth. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (Object.is(left, right) || (left === 0 && right === 0)) return true
  const pending: (readonly [unknown, unknown])[] = [[left, right]]
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [a, b] = pair
    // JSON has no -0, so the two zeros are equal.
    if (a === b) continue
    if (isSpelledNumber(a) && isSpelledNumber(b) && isSameNumber(a, b)) continue
    const inside = children(a, b)
    if (!inside) return false
    for (const each of inside) pending.push(each)
  }
  return true
}

/** Maximum depth in levels; deeper content is not written. */
const maxDepth = 60

/**
 * Canonical text: equal for equal values, whatever the order of object members. `leaf` may write a string or a number
 * differently, to mask parts that must not count.
 */
export function canonicalJson(
  value: unknown,
  leaf: (value: string | number, key: string) => string = (each) => JSON.stringify(each),
): string {
  function write(each: unknown, key: string, depth: number): string {
    if (typeof each === 'string' || typeof each === 'number') return leaf(each, key)
    if (isList(each))
      return depth > maxDepth
        ? '[…]'
        : `[${each.map((member) => write(member, key, depth + 1)).join(',')}]`
    if (!isJsonObject(each)) return scalarTextOf(each) ?? String(each)
    if (depth > maxDepth) return '{…}'
    const members = Object.keys(each)
      .toSorted()
      .map((name) => `${JSON.stringify(name)}:${write(each[name], name, depth + 1)}`)
    return `{${members.join(',')}}`
  }
  return write(value, '', 0)
}
