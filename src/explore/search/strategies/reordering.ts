/**
 * The order of events alone, by probabilistic concurrency testing (PCT): the events of one order are a chain, and at d - 1
 * positions the event that is next falls behind later ones. For a bug of depth d in a chain of n events on w channels, a
 * schedule shows it with a probability of at least 1 / (w² · n^(d-1)).
 */
import { hasTrait } from '../../../core/faults/catalogue.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import { pickByName, sitesOf, type Strategy } from './strategy.ts'

/** Depths in turn: most bugs need two messages in a certain order, few need three. */
const depths = [2, 2, 3] as const

export const reorderings: Strategy = {
  name: 'reorderings',
  about: 'the events of one order in another order: one or two of them fall behind later ones',
  draw(space, turn, chance) {
    const workload = chance.pick(space.workloads)
    const chains = Map.groupBy(
      sitesOf(space, workload).flatMap(({ slot, choices }) => {
        const moves = choices.filter((choice) => choice.match.event && hasTrait(choice, 'order'))
        return moves.length > 0 ? [{ slot, moves }] : []
      }),
      ({ slot }) => slot,
    )
    if (chains.size === 0) return undefined
    const chain = chance.pick([...chains.values()])
    const depth = depths[turn % depths.length] ?? 2
    const faults = Array.from({ length: depth - 1 }, () =>
      pickByName(chance.pick(chain).moves, chance),
    ).filter((fault): fault is ScheduledFault => fault !== undefined)
    return { workload, faults }
  },
}
