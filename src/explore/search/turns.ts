/** Which strategies take turns: an opening, in which each begins with what the others find late, and then a cycle. */
import { cancellationRaces } from './strategies/cancellation-races.ts'
import { dense } from './strategies/dense.ts'
import { lostEvents } from './strategies/lost-events.ts'
import { pairs } from './strategies/pairs.ts'
import { reorderings } from './strategies/reordering.ts'
import { firstEvents } from './strategies/first-events.ts'
import { namedOnly, singles } from './strategies/singles.ts'
import type { Strategy } from './strategies/strategy.ts'

const byWord: Readonly<Record<string, Strategy>> = {
  dense,
  races: cancellationRaces,
  lost: lostEvents,
  first: firstEvents,
  pairs,
  singles,
  named: namedOnly,
  reordered: reorderings,
}

const turnsOf = (words: string): readonly Strategy[] =>
  words.split(/\s+/).map((word) => {
    const strategy = byWord[word]
    if (!strategy) throw new Error(`there is no strategy ${word}`)
    return strategy
  })

/** The first turns. */
const opening = turnsOf(
  `dense races named lost dense first pairs named
   races dense races dense pairs named races dense
   dense lost first lost races lost dense races
   named lost dense races dense first dense races`,
)

/** The turns after these, again and again. */
const cycle = turnsOf(
  `dense races pairs dense singles named lost dense reordered dense singles first`,
)

const countIn = (list: readonly Strategy[], strategy: Strategy): number =>
  list.filter((each) => each === strategy).length

/** The strategy of a turn, and how often it has drawn before. */
export function strategyOfTurn(turn: number): readonly [Strategy, number] {
  const first = opening[turn]
  if (first) return [first, countIn(opening.slice(0, turn), first)]
  const rounds = Math.floor((turn - opening.length) / cycle.length)
  const place = (turn - opening.length) % cycle.length
  const strategy = cycle[place] ?? dense
  const before = countIn(opening, strategy) + rounds * countIn(cycle, strategy)
  return [strategy, before + countIn(cycle.slice(0, place), strategy)]
}
