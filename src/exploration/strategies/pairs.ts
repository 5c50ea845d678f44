/**
 * Two faults at messages of the same order. Every third pair cuts two of the ways by which a service learns of a change: the
 * event is lost, and reading the order fails as well.
 */
import type { Chance } from '../../engine/chance.ts'
import type { ScheduledFault } from '../schedule.ts'
import { type FaultSite, pickByName, sitesOf, type Strategy } from './strategy.ts'

const lost: ReadonlySet<string> = new Set(['drop', 'drop-then-deliver', 'delay', 'reorder'])

/** A lost event and a reading that fails; undefined where the workload has neither. */
function cutWays(
  sites: readonly FaultSite[],
  chance: Chance,
): readonly ScheduledFault[] | undefined {
  const events = sites.flatMap(({ choices }) =>
    choices.filter(({ name, match }) => match.event !== undefined && lost.has(name)),
  )
  const event = events.length > 0 ? pickByName(events, chance) : undefined
  const order = event?.match.order
  const reads = sites.flatMap(({ choices }) =>
    choices.filter(
      ({ match, burst }) =>
        match.operation === 'getOrder' && match.order === order && burst !== undefined,
    ),
  )
  const read = reads.length > 0 ? pickByName(reads, chance) : undefined
  return event && read ? [event, read] : undefined
}

export const pairs: Strategy = {
  name: 'pairs',
  about: 'two faults at messages of one order',
  draw(space, turn, chance) {
    const workload = chance.pick(space.workloads)
    const sites = sitesOf(space, workload)
    if (sites.length === 0) return undefined
    const cut = turn % 3 === 0 ? cutWays(sites, chance) : undefined
    if (cut) return { workload, faults: cut }
    const { slot } = chance.pick(sites)
    const ofOrder = sites.filter((site) => site.slot === slot)
    const faults = [1, 2].flatMap(() => pickByName(chance.pick(ofOrder).choices, chance) ?? [])
    return { workload, faults }
  },
}
