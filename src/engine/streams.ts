/**
 * The named random streams of one world, with their state before every turn in the journal window, so that a world that
 * continues from an earlier fact repeats the same draws. A turn is one command with all facts that follow from it.
 */
import type { Chance, ChanceState } from './chance.ts'

export interface Streams {
  readonly chance: (name: string) => Chance
  /** Begins a turn; a nested one is part of the outer turn. */
  readonly begin: () => void
  /** Ends the turn; `seq` is its last fact. */
  readonly end: (seq: number) => void
  /** The state of all streams after the turn of a fact; undefined when that is evicted. */
  readonly after: (seq: number) => StreamsAfter | undefined
}

/** Turns with facts, in order: the number of each, and its last fact. */
interface Turns {
  readonly numbers: readonly number[]
  readonly lasts: readonly number[]
}

/** One stream: the turns that drew from it, and its state before each. */
interface Drawn {
  readonly turns: readonly number[]
  readonly states: readonly ChanceState[]
  readonly now: ChanceState
}

export interface StreamsAfter {
  /** The last fact of the turn. */
  readonly seq: number
  readonly turns: Turns
  readonly drawn: ReadonlyMap<string, Drawn>
}

export interface StreamsOptions {
  readonly make: (name: string, from?: ChanceState) => Chance
  /** The number of the oldest fact in the journal window. */
  readonly first: () => number
  readonly from?: StreamsAfter | undefined
}

/** Number of evictable turns that are collected before they are evicted in one go. */
const slack = 5000

export function createStreams({ make, first, from }: StreamsOptions): Streams {
  const all = new Map<string, { stream: Chance; turns: number[]; states: ChanceState[] }>()
  for (const [name, { turns, states, now }] of from?.drawn ?? [])
    all.set(name, { stream: make(name, now), turns: [...turns], states: [...states] })
  let numbers = [...(from?.turns.numbers ?? [0])]
  let lasts = [...(from?.turns.lasts ?? [0])]
  let turn = numbers.at(-1) ?? 0
  let depth = 0

  /** Evicts the turns before the journal window. */
  function forget(): void {
    const kept = placeAfter(lasts, first() - 2)
    numbers = numbers.slice(kept)
    lasts = lasts.slice(kept)
    for (const one of all.values()) {
      const oldest = placeAfter(one.turns, numbers[0] ?? turn)
      one.turns = one.turns.slice(oldest)
      one.states = one.states.slice(oldest)
    }
  }

  return {
    chance(name) {
      let one = all.get(name)
      if (!one) {
        one = { stream: make(name), turns: [], states: [] }
        all.set(name, one)
      }
      if (one.turns.at(-1) !== turn) {
        one.turns.push(turn)
        one.states.push(one.stream.state())
      }
      return one.stream
    },
    begin() {
      if (depth++ === 0) turn++
    },
    end(seq) {
      if (--depth > 0 || lasts.at(-1) === seq) return
      numbers.push(turn)
      lasts.push(seq)
      if (lasts.length % slack === 0 && (lasts[slack] ?? 0) < first()) forget()
    },
    after(seq) {
      const place = placeAfter(lasts, seq - 1)
      const [last, its] = [lasts[place], numbers[place]]
      if (last === undefined || its === undefined) return undefined
      const drawn = new Map<string, Drawn>()
      for (const [name, { stream, turns, states }] of all) {
        const next = placeAfter(turns, its)
        drawn.set(name, {
          turns: turns.slice(0, next),
          states: states.slice(0, next),
          now: states[next] ?? stream.state(),
        })
      }
      const turns = { numbers: numbers.slice(0, place + 1), lasts: lasts.slice(0, place + 1) }
      return { seq: last, turns, drawn }
    },
  }
}

/** The index of the first greater number in an ascending list (binary search). */
function placeAfter(list: readonly number[], number: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] ?? 0) > number) high = middle
    else low = middle + 1
  }
  return low
}
