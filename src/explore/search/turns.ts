/** Which strategies take turns: an opening, in which each begins with what the others find late, and then a cycle. */
import { cancellationRaces } from './strategies/cancellation-races.ts'
import { dense } from './strategies/dense.ts'
import { lostEvents } from './strategies/lost-events.ts'
import { pairs } from './strategies/pairs.ts'
import { reorderings } from './strategies/reordering.ts'
import { firstEvents } from './strategies/first-events.ts'
import { singles } from './strategies/singles.ts'
import type { Strategy } from './strategies/strategy.ts'

/** The first turns. */
const opening: readonly Strategy[] = [
  dense,
  cancellationRaces,
  dense,
  lostEvents,
  dense,
  firstEvents,
  pairs,
  dense,

  cancellationRaces,
  dense,
  cancellationRaces,
  dense,
  pairs,
  dense,
  cancellationRaces,
  dense,

  dense,
  lostEvents,
  firstEvents,
  lostEvents,
  cancellationRaces,
  lostEvents,
  dense,
  cancellationRaces,

  dense,
  lostEvents,
  dense,
  cancellationRaces,
  dense,
  firstEvents,
  dense,
  cancellationRaces,
]

/** The turns after these, again and again. */
const cycle: readonly Strategy[] = [
  dense,
  cancellationRaces,
  pairs,
  dense,
  singles,
  dense,
  lostEvents,
  dense,
  reorderings,
  dense,
  singles,
  firstEvents,
]

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
