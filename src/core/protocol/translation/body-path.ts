/**
 * Values inside JSON, by dotted paths such as `items.status`. A list on the way stands for each of its entries, `*` for any
 * name. Nothing is changed in place: engine and journal share the bodies.
 */
import { isUnknownRecord } from '../unknown-record.ts'

export type BodyPath = readonly string[]
export type JsonObject = Readonly<Record<string, unknown>>

export const parseBodyPath = (text: string): BodyPath => (text === '' ? [] : text.split('.'))

/** The value with each of its objects replaced: of a list its entries, else itself. */
export const updateObjects = (
  value: unknown,
  update: (object: JsonObject) => JsonObject,
): unknown => {
  if (Array.isArray(value)) return value.map((each: unknown) => updateObjects(each, update))
  return isUnknownRecord(value) ? update(value) : value
}

/** An object with one field replaced in its place, or left out where the new value is undefined. */
const withField = (object: JsonObject, name: string, value: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, old]) =>
      key !== name ? [[key, old] as const] : value === undefined ? [] : [[key, value] as const],
    ),
  )

/** The value with what is at a path replaced; what is not there stays away. */
export function updateAt(
  value: unknown,
  path: BodyPath,
  update: (found: unknown) => unknown,
): unknown {
  const [name, ...rest] = path
  if (name === undefined) return update(value)
  return updateObjects(value, (object) => {
    const names = name === '*' ? Object.keys(object) : Object.hasOwn(object, name) ? [name] : []
    return names.reduce(
      (changed, each) => withField(changed, each, updateAt(object[each], rest, update)),
      object,
    )
  })
}

/** The value at a path through objects alone; undefined where it is missing. */
export const fieldAtPath = (value: unknown, path: BodyPath): unknown =>
  path.reduce<unknown>(
    (at, name) => (isUnknownRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    value,
  )

/** The object with a value at a path, in objects that are made where they are missing; what is there stays. */
export function putAt(object: JsonObject, path: BodyPath, value: unknown): JsonObject {
  const [name, ...rest] = path
  if (name === undefined) return object
  const there = object[name]
  if (rest.length === 0) return there === undefined ? { ...object, [name]: value } : object
  if (there !== undefined && !isUnknownRecord(there)) return object
  return { ...object, [name]: putAt(there ?? {}, rest, value) }
}

/** The object without what is at a path, and without the objects on the way that are empty then. */
export function removeAt(object: JsonObject, [name = '', ...rest]: BodyPath): JsonObject {
  const below = object[name]
  if (rest.length === 0 || !isUnknownRecord(below)) return withField(object, name, undefined)
  const left = removeAt(below, rest)
  return withField(object, name, Object.keys(left).length === 0 ? undefined : left)
}

/** How many names two paths begin with in common, the last of either left out. */
export function commonLength(one: BodyPath, other: BodyPath): number {
  const limit = Math.min(one.length, other.length) - 1
  const differs = one.findIndex((name, index) => index >= limit || name !== other[index])
  return differs === -1 ? limit : differs
}

/** The object with a field under another path; one that is there already stays, and the field too. */
export function moveField(object: JsonObject, from: BodyPath, to: BodyPath): JsonObject {
  const shared = commonLength(from, to)
  const [source, target] = [from.slice(shared), to.slice(shared)]
  const move = (parent: JsonObject): JsonObject => {
    const value = fieldAtPath(parent, source)
    if (value === undefined || fieldAtPath(parent, target) !== undefined) return parent
    const [oldName, newName] = [source[0] ?? '', target[0] ?? '']
    if (source.length > 1 || target.length > 1)
      return putAt(removeAt(parent, source), target, value)
    return Object.fromEntries(
      Object.entries(parent).map(([key, each]) => [key === oldName ? newName : key, each]),
    )
  }
  return updateAt(object, from.slice(0, shared), (found) =>
    updateObjects(found, move),
  ) as JsonObject
}

/** The parent of a path, and the name below it. */
const parentAndName = (path: BodyPath): readonly [BodyPath, string] => [
  path.slice(0, -1),
  path.at(-1) ?? '',
]

const eachEntry = (value: unknown, change: (entry: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(change) : change(value)

/** The object with a member in the place of its parent; where it is missing the parent stays. */
export function liftMember(object: JsonObject, path: BodyPath): JsonObject {
  const [parent, name] = parentAndName(path)
  const lift = (found: unknown): unknown =>
    isUnknownRecord(found) && Object.hasOwn(found, name) ? found[name] : found
  return updateAt(object, parent, (found) => eachEntry(found, lift)) as JsonObject
}

/** The reverse: a parent with the member and `others` in it, where a value stands in its place. */
export function lowerMember(object: JsonObject, path: BodyPath, others: JsonObject): JsonObject {
  const [parent, name] = parentAndName(path)
  const lower = (found: unknown): unknown =>
    found === null || (isUnknownRecord(found) && Object.hasOwn(found, name))
      ? found
      : { [name]: found, ...others }
  return updateAt(object, parent, (found) => eachEntry(found, lower)) as JsonObject
}
