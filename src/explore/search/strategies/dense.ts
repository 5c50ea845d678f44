/**
 * Many faults in one schedule: each message with a certain probability. A mask leaves out half of the faults and, with
 * several orders, some of the orders, because some faults hide others (swarm testing). A call that failed is tried again, so
 * the next attempt of it fails more often than others.
 */
import type { Chance } from '../../../core/engine/chance.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import {
  type FaultSite,
  isFailure,
  isDrawn,
  pickByName,
  pickWorkload,
  sitesOf,
  type Strategy,
} from './strategy.ts'

/** Probability of a fault at a message, in percent. */
const rates = [10, 20, 20, 40] as const
/** The same for a further attempt of a call whose attempt before fails. */
const nextAttemptRate = 50

/** Whether a site is the next attempt of the call that a fault makes fail once. */
const isNextAttempt = (site: FaultSite, fault: ScheduledFault | undefined): boolean => {
  const match = site.choices[0]?.match
  return (
    fault !== undefined &&
    isFailure(fault) &&
    fault.burst === undefined &&
    match?.operation !== undefined &&
    match.operation === fault.match.operation &&
    match.order === fault.match.order &&
    match.event === fault.match.event &&
    match.nth === (fault.match.nth ?? 0) + 1
  )
}

export function denseFaults(
  sites: readonly FaultSite[],
  chance: Chance,
): readonly ScheduledFault[] {
  const names = [...new Set(sites.flatMap(({ choices }) => choices.map(({ name }) => name)))].sort()
  const enabled = new Set(names.filter(() => chance.oneIn(2)))
  const slots = [...new Set(sites.map(({ slot }) => slot))]
  const affected = new Set(slots.filter(() => slots.length === 1 || !chance.oneIn(4)))
  const rate = chance.pick(rates)
  const faults: ScheduledFault[] = []
  for (const site of sites) {
    const percent = isNextAttempt(site, faults.at(-1)) ? nextAttemptRate : rate
    if (!affected.has(site.slot) || !isDrawn(percent, chance)) continue
    const possible = site.choices.filter(({ name }) => enabled.has(name))
    const fault = pickByName(possible, chance)
    if (fault) faults.push(fault)
  }
  return faults
}

export const dense: Strategy = {
  name: 'dense',
  about: 'each message is distorted with a probability of 10 to 40 %, by half of the faults',
  draw(space, _turn, chance) {
    const workload = pickWorkload(space, chance)
    return { workload, faults: denseFaults(sitesOf(space, workload), chance) }
  },
}
