/**
 * The past: every fact with its number, its instant and whose doing it was. A window of it stays in memory. Now and then
 * the world is put away as it is, so any fact in the window can be folded to, exactly, from the last such mark before it.
 *
 * No fact is applied twice for that, and however large the world is, marks cost each fact about the same: a mark is as
 * dear as the world has entries, and the next one waits for a quarter as many facts. Kept are, at most, the facts of a
 * window and of the stretch between two marks, and with each mark two lists as long as the world.
 */
import { apply } from './apply.ts'
import type { Fact } from './fact.ts'
import type { Instant } from './instant.ts'
import { type Kept, keepWorld } from './clone.ts'
import type { World } from './world.ts'

/** Whose doing a fact was: a person's at the controls, the user's service's, a due item's, or a counterpart's. */
export type By = 'operator' | 'subject' | 'agenda' | 'counterpart' | 'session'

export interface Entry {
  /** From 1, without gaps. */
  readonly seq: number
  readonly at: Instant
  readonly by: By
  /** The fact that led to this one, or 0. */
  readonly cause: number
  readonly fact: Fact
}

export interface Journal {
  /** The number of the last fact; 0 before the first. */
  readonly last: () => number
  /** The number of the oldest fact that is still kept. */
  readonly first: () => number
  /** Adds the fact that was applied to the world just now. */
  readonly append: (fact: Fact, at: Instant, by: By, cause: number) => Entry
  readonly get: (seq: number) => Entry | undefined
  /** The kept entries after a number, oldest first. */
  readonly after: (seq: number, most: number) => readonly Entry[]
  /** The kept entries before a number, newest first. */
  readonly before: (seq: number) => Generator<Entry>
  /** The world right after a fact; undefined when the fact is no longer kept, or not yet there. */
  readonly foldTo: (seq: number) => World | undefined
  /** The past up to a fact, for another journal to go on from. */
  readonly upTo: (seq: number) => Past
}

/** What is kept of a past. */
export interface Past {
  readonly marks: readonly [Mark, ...Mark[]]
  /** The facts since the first of these marks. */
  readonly entries: readonly Entry[]
}

/** Facts kept in memory, unless a session says otherwise. */
export const journalWindow = 20_000

/** The world as it was right after a fact. */
interface Mark {
  readonly seq: number
  readonly world: Kept<World>
}

export function createJournal(world: World, window: number = journalWindow, from?: Past): Journal {
  /** The last mark before the window, and those in it. */
  let marks: Past['marks'] = from?.marks ?? [{ seq: 0, world: keepWorld(world) }]
  let entries: Entry[] = [...(from?.entries ?? [])]
  let nextMark = 0
  setNextMark(marks.at(-1) ?? marks[0])

  function setNextMark({ seq, world: { size } }: Mark): void {
    nextMark = seq + Math.max(1, window >> 1, size >> 2)
  }

  const last = (): number => marks[0].seq + entries.length
  const first = (): number => Math.max(marks[0].seq + 1, last() - window + 1)
  const at = (seq: number): Entry | undefined => entries[seq - marks[0].seq - 1]

  /** The last mark that is not after a fact. */
  const markBefore = (seq: number): Mark => marks.findLast((mark) => mark.seq <= seq) ?? marks[0]

  /** Puts the world away, and lets go of what no fold needs any more. */
  function putAway(): void {
    const mark: Mark = { seq: last(), world: keepWorld(world) }
    const oldest = markBefore(first() - 1)
    entries = entries.slice(oldest.seq - marks[0].seq)
    marks = [oldest, ...marks.filter(({ seq }) => seq > oldest.seq), mark]
    setNextMark(mark)
  }

  return {
    last,
    first,
    append(fact, instant, by, cause) {
      const entry: Entry = { seq: last() + 1, at: instant, by, cause, fact }
      entries.push(entry)
      if (entry.seq >= nextMark) putAway()
      return entry
    },
    get: (seq) => (seq < first() ? undefined : at(seq)),
    after(seq, most) {
      const start = Math.max(seq, first() - 1) - marks[0].seq
      return entries.slice(start, start + most)
    },
    *before(seq) {
      for (let number = Math.min(seq - 1, last()); number >= first(); number--) {
        const entry = at(number)
        if (entry) yield entry
      }
    },
    upTo: (seq) => ({
      marks: [marks[0], ...marks.slice(1).filter((mark) => mark.seq <= seq)],
      entries: entries.slice(0, Math.max(0, seq - marks[0].seq)),
    }),
    foldTo(seq) {
      if (seq < first() - 1 || seq > last()) return undefined
      const mark = markBefore(seq)
      const past = mark.world.restore()
      for (let number = mark.seq + 1; number <= seq; number++) {
        const entry = at(number)
        if (entry) apply(past, entry.fact, entry.at)
      }
      return past
    },
  }
}

/** The journal as text, one fact a line: what two runs of one seed must agree on, byte for byte. */
export const journalText = (entries: Iterable<Entry>): string =>
  Array.from(entries, (entry) => `${JSON.stringify(entry)}\n`).join('')
