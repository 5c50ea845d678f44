/**
 * The journal: every fact with its number, instant and origin, in a window in memory. Snapshots of the world are taken
 * now and then, so any fact in the window can be folded to exactly from the last snapshot before it.
 *
 * Snapshots cost each fact about the same, however large the world is: the cost of a snapshot is the number of entries
 * in the world, and the next one waits for a quarter as many facts, or for facts of many characters. Memory holds at most
 * the facts of the window plus those between two snapshots, and two lists as long as the world per snapshot.
 */
import { apply, type Fact } from './fact.ts'
import type { Instant } from './instant.ts'
import { charsIn } from './short-text.ts'
import type { World } from './world.ts'

interface ValueSnapshot<Value> {
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

/**
 * Snapshots of the world, which can be restored any number of times. Records are immutable, so only
 * the maps, sets and lists around them are copied; maps are stored as lists, because a map takes
 * thirty times as long to copy and most snapshots are never restored. Slices are copied by
 * structure, not by name.
 */
export const snapshotWorld = (world: World): ValueSnapshot<World> =>
  snapshotValue(world) as ValueSnapshot<World>

/** The origin of a fact: an operator at the controls, the subject, a due item, a counterpart, or the session itself. */
export type FactOrigin = 'operator' | 'subject' | 'agenda' | 'counterpart' | 'session'

export interface JournalEntry {
  /** From 1, without gaps. */
  readonly seq: number
  readonly at: Instant
  readonly by: FactOrigin
  /** The fact that led to this one, or 0. */
  readonly cause: number
  readonly fact: Fact
}

export interface Journal {
  /** The number of the last fact; 0 before the first. */
  readonly last: () => number
  /** The number of the oldest fact in the window. */
  readonly first: () => number
  /** Appends a fact that has just been applied to the world. */
  readonly append: (fact: Fact, at: Instant, by: FactOrigin, cause: number) => JournalEntry
  readonly get: (seq: number) => JournalEntry | undefined
  /** The entries in the window after a number, oldest first, at most `max`. */
  readonly after: (seq: number, max: number) => readonly JournalEntry[]
  /** The entries in the window before a number, newest first. */
  readonly before: (seq: number) => Generator<JournalEntry>
  /** The world right after a fact; undefined when the fact is evicted or does not exist yet. */
  readonly foldTo: (seq: number) => World | undefined
  /** The history up to a fact, for another journal to continue from. */
  readonly historyTo: (seq: number) => JournalHistory
}

/** The stored part of a journal. */
export interface JournalHistory {
  readonly checkpoints: readonly [Checkpoint, ...Checkpoint[]]
  /** The facts since the first of these snapshots. */
  readonly entries: readonly JournalEntry[]
}

/** Default number of facts in memory. */
export const journalWindow = 20_000

/** Characters of the facts between two snapshots at most: of larger facts, as strangers may cause, the window has fewer. */
const maxFactChars = 32_000_000
/** One fact in so many is counted, for as many: counting each takes long. */
const countedFact = 17

/** A snapshot of the world right after a fact. */
interface Checkpoint {
  readonly seq: number
  readonly world: ValueSnapshot<World>
}

export function createJournal(
  world: World,
  window: number = journalWindow,
  from?: JournalHistory,
): Journal {
  /** The last snapshot before the window, and those in it. */
  let checkpoints: JournalHistory['checkpoints'] = from?.checkpoints ?? [
    { seq: 0, world: snapshotWorld(world) },
  ]
  let entries: JournalEntry[] = [...(from?.entries ?? [])]
  let nextCheckpoint = 0
  /** Of the facts since the last snapshot. */
  let chars = 0
  let oldestLeft = 1
  scheduleNextCheckpoint(checkpoints.at(-1) ?? checkpoints[0])

  function scheduleNextCheckpoint({ seq, world: { size } }: Checkpoint): void {
    nextCheckpoint = seq + Math.max(1, window >> 1, size >> 2)
  }

  const last = (): number => checkpoints[0].seq + entries.length
  const first = (): number => Math.max(checkpoints[0].seq + 1, last() - window + 1, oldestLeft)
  const at = (seq: number): JournalEntry | undefined => entries[seq - checkpoints[0].seq - 1]

  /** The last snapshot that is not after a fact. */
  const checkpointBefore = (seq: number): Checkpoint =>
    checkpoints.findLast((checkpoint) => checkpoint.seq <= seq) ?? checkpoints[0]

  /** Takes a snapshot, and drops snapshots and facts that no fold needs any more. */
  function takeCheckpoint(): void {
    const checkpoint: Checkpoint = { seq: last(), world: snapshotWorld(world) }
    if (chars > maxFactChars) oldestLeft = (checkpoints.at(-1)?.seq ?? 0) + 1
    chars = 0
    const oldest = checkpointBefore(first() - 1)
    entries = entries.slice(oldest.seq - checkpoints[0].seq)
    checkpoints = [oldest, ...checkpoints.filter(({ seq }) => seq > oldest.seq), checkpoint]
    scheduleNextCheckpoint(checkpoint)
  }

  return {
    last,
    first,
    append(fact, instant, by, cause) {
      const entry: JournalEntry = { seq: last() + 1, at: instant, by, cause, fact }
      entries.push(entry)
      if (entry.seq % countedFact === 0) chars += countedFact * charsIn(fact)
      if (entry.seq >= nextCheckpoint || chars > maxFactChars) takeCheckpoint()
      return entry
    },
    get: (seq) => (seq < first() ? undefined : at(seq)),
    after(seq, max) {
      const start = Math.max(seq, first() - 1) - checkpoints[0].seq
      return entries.slice(start, start + max)
    },
    *before(seq) {
      for (let number = Math.min(seq - 1, last()); number >= first(); number--) {
        const entry = at(number)
        if (entry) yield entry
      }
    },
    historyTo: (seq) => ({
      checkpoints: [
        checkpoints[0],
        ...checkpoints.slice(1).filter((checkpoint) => checkpoint.seq <= seq),
      ],
      entries: entries.slice(0, Math.max(0, seq - checkpoints[0].seq)),
    }),
    foldTo(seq) {
      if (seq < first() - 1 || seq > last()) return undefined
      const checkpoint = checkpointBefore(seq)
      const past = checkpoint.world.restore()
      for (let number = checkpoint.seq + 1; number <= seq; number++) {
        const entry = at(number)
        if (entry) apply(past, entry.fact, entry.at)
      }
      return past
    },
  }
}

/** The journal as JSON Lines: two runs of one seed must be equal byte for byte. */
export const journalText = (entries: Iterable<JournalEntry>): string =>
  Array.from(entries, (entry) => `${JSON.stringify(entry)}\n`).join('')
