/**
 * Faults of the transport alone at a fixed rate, as a proxy between the two sides makes them: slow, hanging and reset
 * connections.
 */
import type { Chance } from '../../src/core/engine/chance.ts'
import { hasTrait } from '../../src/core/faults/catalogue.ts'
import type { ScheduledFault } from '../../src/explore/schedules/schedule.ts'
import {
  type FaultSite,
  isDrawn,
  pickByName,
  sitesOf,
  type Strategy,
} from '../../src/explore/search/strategies/strategy.ts'

const percent = 10

const faultsAt = (sites: readonly FaultSite[], chance: Chance): readonly ScheduledFault[] =>
  sites.flatMap(({ choices }) => {
    const possible = choices.filter(
      (choice) => choice.burst === undefined && hasTrait(choice, 'transport'),
    )
    if (possible.length === 0 || !isDrawn(percent, chance)) return []
    return pickByName(possible, chance) ?? []
  })

export const transport: Strategy = {
  name: 'transport',
  about: `${percent} % of the calls are slow, hang or are reset`,
  drawShared: ({ shared }, chance) => faultsAt(shared, chance),
  draw(space, _turn, chance) {
    const workload = chance.pick(space.workloads)
    return { workload, faults: faultsAt(sitesOf(space, workload), chance) }
  },
}
