/**
 * The named random streams of one world, with their state before every turn in the journal window, so that a world that
 * continues from an earlier fact repeats the same draws. A turn is one command with all facts that follow from it.
 */
import type { Chance, ChanceState } from './chance.ts'

export interface ChanceStreams {
  readonly chance: (name: string) => Chance
  /** Begins a turn; a nested one is part of the outer turn. */
  readonly begin: () => void
  /** Ends the turn; `seq` is its last fact. */
  readonly end: (seq: number) => void
  /** The state of all streams after the turn of a fact; undefined when that is evicted. */
  readonly after: (seq: number) => ChanceStreamsState | undefined
}

/** Turns with facts, in order: the number of each, and its last fact. */
interface Turns {
  readonly numbers: readonly number[]
  readonly lasts: readonly number[]
}

/** One stream: the turns that drew from it, and its state before each. */
interface StreamHistory {
  readonly turns: readonly number[]
  readonly states: readonly ChanceState[]
  readonly now: ChanceState
}

export interface ChanceStreamsState {
  /** The last fact of the turn. */
  readonly seq: number
  readonly turns: Turns
  readonly drawn: ReadonlyMap<string, StreamHistory>
}

export interface ChanceStreamsOptions {
  readonly make: (name: string, from?: ChanceState) => Chance
  /** The number of the oldest fact in the journal window. */
  readonly first: () => number
  readonly from?: ChanceStreamsState | undefined
}

/** Number of evictable turns that are collected before they are evicted in one go. */
const evictionBatch = 5000

export function createChanceStreams({ make, first, from }: ChanceStreamsOptions): ChanceStreams {
  const all = new Map<string, { stream: Chance; turns: number[]; states: ChanceState[] }>()
  for (const [name, { turns, states, now }] of from?.drawn ?? [])
    all.set(name, { stream: make(name, now), turns: [...turns], states: [...states] })
  let numbers = [...(from?.turns.numbers ?? [0])]
  let lasts = [...(from?.turns.lasts ?? [0])]
  let turn = numbers.at(-1) ?? 0
  let depth = 0

  /** Evicts the turns before the journal window. */
  function evict(): void {
    const firstKept = indexAfter(lasts, first() - 2)
    numbers = numbers.slice(firstKept)
    lasts = lasts.slice(firstKept)
    for (const entry of all.values()) {
      const oldest = indexAfter(entry.turns, numbers[0] ?? turn)
      entry.turns = entry.turns.slice(oldest)
      entry.states = entry.states.slice(oldest)
    }
  }

  return {
    chance(name) {
      let entry = all.get(name)
      if (!entry) {
        entry = { stream: make(name), turns: [], states: [] }
        all.set(name, entry)
      }
      if (entry.turns.at(-1) !== turn) {
        entry.turns.push(turn)
        entry.states.push(entry.stream.state())
      }
      return entry.stream
    },
    begin() {
      if (depth++ === 0) turn++
    },
    end(seq) {
      if (--depth > 0 || lasts.at(-1) === seq) return
      numbers.push(turn)
      lasts.push(seq)
      if (lasts.length % evictionBatch === 0 && (lasts[evictionBatch] ?? 0) < first()) evict()
    },
    after(seq) {
      const index = indexAfter(lasts, seq - 1)
      const [last, itsTurn] = [lasts[index], numbers[index]]
      if (last === undefined || itsTurn === undefined) return undefined
      const drawn = new Map<string, StreamHistory>()
      for (const [name, { stream, turns, states }] of all) {
        const next = indexAfter(turns, itsTurn)
        drawn.set(name, {
          turns: turns.slice(0, next),
          states: states.slice(0, next),
          now: states[next] ?? stream.state(),
        })
      }
      const turns = { numbers: numbers.slice(0, index + 1), lasts: lasts.slice(0, index + 1) }
      return { seq: last, turns, drawn }
    },
  }
}

/** The index of the first greater number in an ascending list (binary search). */
function indexAfter(list: readonly number[], value: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}
