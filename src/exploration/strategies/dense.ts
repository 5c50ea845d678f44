/**
 * Many faults in one schedule: each message with a certain probability. A mask leaves out half of the faults and, with
 * several orders, some of the orders, because some faults hide others (swarm testing).
 */
import type { Chance } from '../../engine/chance.ts'
import type { ScheduledFault } from '../schedule.ts'
import { type FaultSite, isDrawn, pickByName, sitesOf, type Strategy } from './strategy.ts'

/** Probability of a fault at a message, in percent. */
const rates = [5, 10, 20, 40] as const

export function denseFaults(
  sites: readonly FaultSite[],
  chance: Chance,
): readonly ScheduledFault[] {
  const names = [...new Set(sites.flatMap(({ choices }) => choices.map(({ name }) => name)))].sort()
  const enabled = new Set(names.filter(() => chance.oneIn(2)))
  const slots = [...new Set(sites.map(({ slot }) => slot))]
  const affected = new Set(slots.filter(() => slots.length === 1 || !chance.oneIn(4)))
  const rate = chance.pick(rates)
  return sites.flatMap(({ slot, choices }) => {
    if (!affected.has(slot) || !isDrawn(rate, chance)) return []
    const fault = pickByName(
      choices.filter(({ name }) => enabled.has(name)),
      chance,
    )
    return fault ? [fault] : []
  })
}

export const dense: Strategy = {
  name: 'dense',
  about: 'each message is distorted with a probability of 5 to 40 %, by half of the faults',
  draw(space, _turn, chance) {
    const workload = chance.pick(space.workloads)
    return { workload, faults: denseFaults(sitesOf(space, workload), chance) }
  },
}
