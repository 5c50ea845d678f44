/**
 * Snapshots of the world, which can be restored any number of times. Records are immutable, so only the maps, sets and
 * lists around them are copied; maps are stored as lists, because a map takes thirty times as long to copy and most
 * snapshots are never restored. Slices are copied by structure, not by name.
 */
import type { World } from './world.ts'

export interface ValueSnapshot<Value> {
  /** Entries of all its maps and sets: the cost of taking the snapshot. */
  readonly size: number
  /** An independent copy of the value as it was. */
  readonly restore: () => Value
}

const isSlice = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value?.constructor === Object

function snapshotMap(map: ReadonlyMap<unknown, unknown>): ValueSnapshot<unknown> {
  const keys = [...map.keys()]
  const values = [...map.values()]
  const restore = (): unknown => {
    const copy = new Map<unknown, unknown>()
    for (let index = 0; index < keys.length; index++) copy.set(keys[index], values[index])
    return copy
  }
  return { size: keys.length, restore }
}

function snapshotSet(set: ReadonlySet<unknown>): ValueSnapshot<unknown> {
  const copy = new Set(set)
  return { size: copy.size, restore: () => new Set(copy) }
}

/** Copies nested lists as well. */
const copyOf = (list: readonly unknown[]): unknown[] =>
  list.map((each: unknown) => (Array.isArray(each) ? copyOf(each) : each))

function snapshotSlice(slice: Readonly<Record<string, unknown>>): ValueSnapshot<unknown> {
  const fields = Object.entries(slice).map(([name, value]) => [name, snapshotValue(value)] as const)
  return {
    size: fields.reduce((sum, [, { size }]) => sum + size, 0),
    restore: () => Object.fromEntries(fields.map(([name, { restore }]) => [name, restore()])),
  }
}

function snapshotValue(value: unknown): ValueSnapshot<unknown> {
  if (value instanceof Map) return snapshotMap(value)
  if (value instanceof Set) return snapshotSet(value)
  if (isSlice(value)) return snapshotSlice(value)
  if (!Array.isArray(value)) return { size: 0, restore: () => value }
  const copy = copyOf(value)
  return { size: 0, restore: () => copyOf(copy) }
}

export const snapshotWorld = (world: World): ValueSnapshot<World> =>
  snapshotValue(world) as ValueSnapshot<World>
