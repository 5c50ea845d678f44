/**
 * The past: every fact with its number, its instant and whose doing it was. A window of it stays in memory; the world
 * as it was before the window is kept beside it, so any fact in the window can be folded to, exactly.
 */
import { apply } from './apply.ts'
import type { Fact } from './fact.ts'
import type { Instant } from './instant.ts'
import { cloneWorld } from './clone.ts'
import { createWorld, type World } from './world.ts'

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
  readonly append: (entry: Omit<Entry, 'seq'>) => Entry
  readonly get: (seq: number) => Entry | undefined
  /** The kept entries after a number, oldest first. */
  readonly after: (seq: number, most: number) => readonly Entry[]
  /** The kept entries before a number, newest first. */
  readonly before: (seq: number) => Generator<Entry>
  /** The world right after a fact; undefined when the fact is no longer kept, or not yet there. */
  readonly foldTo: (seq: number) => World | undefined
}

/** Facts kept in memory, unless a session says otherwise. */
export const journalWindow = 20_000

export function createJournal(window: number = journalWindow): Journal {
  let entries: Entry[] = []
  /** The number of facts that left the window; they live on in `base`. */
  let gone = 0
  const base = createWorld()
  // Leaving one by one would move the whole window for each fact, so they leave a quarter at a time.
  const slack = Math.max(1, window >> 2)

  function evict(): void {
    const leaving = entries.length - window
    for (const { fact, at } of entries.slice(0, leaving)) apply(base, fact, at)
    entries = entries.slice(leaving)
    gone += leaving
  }

  const get = (seq: number): Entry | undefined => entries[seq - gone - 1]

  return {
    last: () => gone + entries.length,
    first: () => gone + 1,
    append({ at, by, cause, fact }) {
      const entry: Entry = { seq: gone + entries.length + 1, at, by, cause, fact }
      entries.push(entry)
      if (entries.length > window + slack) evict()
      return entry
    },
    get,
    after: (seq, most) => {
      const start = Math.max(0, seq - gone)
      return entries.slice(start, start + most)
    },
    *before(seq) {
      const start = Math.min(seq, gone + entries.length + 1) - gone - 2
      for (let index = start; index >= 0; index--) {
        const entry = entries[index]
        if (entry) yield entry
      }
    },
    foldTo(seq) {
      if (seq < gone || seq > gone + entries.length) return undefined
      const world = cloneWorld(base)
      for (const { fact, at } of entries.slice(0, seq - gone)) apply(world, fact, at)
      return world
    },
  }
}

/** The journal as text, one fact a line: what two runs of one seed must agree on, byte for byte. */
export const journalText = (entries: Iterable<Entry>): string =>
  Array.from(entries, (entry) => `${JSON.stringify(entry)}\n`).join('')
