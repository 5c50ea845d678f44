/**
 * Tallies of the messages that a fault matches: by them it knows the nth one, a burst, and the end of a retry chain.
 */
import type { FaultsWorld, Tally } from './world.ts'

/** A retry chain has ended after a pause this many times as long as its longest gap. */
const chainBreakFactor = 2.5
const minGapMs = 2000
/** Assumed gap between the first and second attempt, for a caller that waits for a timeout. */
const firstGapMs = 8000

const emptyTally: Tally = { seen: 0, fired: 0, firedInRow: 0, last: 0, gap: 0, chains: 0 }

export const tallyOf = ({ tallies }: FaultsWorld, key: string): Tally =>
  tallies.get(key) ?? emptyTally

export function endsChain({ seen, last, gap }: Tally, now: number): boolean {
  const expectedGapMs = seen === 1 ? firstGapMs : Math.max(gap, minGapMs)
  return seen > 0 && now - last > chainBreakFactor * expectedGapMs
}

/** The tally after one more message. */
export function updatedTally(before: Tally, now: number, fired: boolean): Tally {
  const isNew = endsChain(before, now)
  return {
    seen: before.seen + 1,
    fired: before.fired + (fired ? 1 : 0),
    firedInRow: fired ? before.firedInRow + 1 : 0,
    last: now,
    gap: before.seen === 0 || isNew ? before.gap : Math.max(before.gap, now - before.last),
    chains: before.chains + (isNew ? 1 : 0),
  }
}
