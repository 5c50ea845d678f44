/**
 * Two faults at messages of the same order, in three forms by turns: two of the ways are cut by which a service learns of a
 * change; two attempts of one call fail in different ways; any two.
 */
import type { Chance } from '../../../engine/chance.ts'
import { isFinalStatus, statusRank } from '../../../invariants/tracking/status-rank.ts'
import { isOrderEventType, orderEvents } from '../../../protocol/orders/events.ts'
import { hasTrait } from '../../schedules/fault-traits.ts'
import type { FaultMatcher, ScheduledFault } from '../../schedules/schedule.ts'
import {
  type FaultSite,
  isFailure,
  pickByName,
  pickWorkload,
  sitesOf,
  type Strategy,
} from './strategy.ts'

type Drawn = readonly ScheduledFault[] | undefined
/** Attempts that a service makes of one reading before it waits until it reads again. */
const attemptsAtMost = 6

const rankOf = (event = ''): number => {
  const status = isOrderEventType(event) ? orderEvents[event].projects : undefined
  return status === undefined ? 0 : statusRank(status)
}

/** Whether a service that misses the event has to read the order: something is left to do after it, or the order is cancelled. */
function mustBeNoticed({ event }: FaultMatcher): boolean {
  if (event === undefined || !isOrderEventType(event)) return false
  const { projects } = orderEvents[event]
  return (
    projects === 'CANCELLED' ||
    (projects !== undefined && projects !== 'CREATED' && !isFinalStatus(projects))
  )
}

/** How many events have a status of the order that comes before that of an event: at least CREATED. */
function eventsBefore(all: readonly ScheduledFault[], { event, order }: FaultMatcher): number {
  const before = all.filter(
    ({ match }) => match.order === order && match.event && rankOf(match.event) < rankOf(event),
  )
  return Math.max(1, new Set(before.map(({ match }) => match.event)).size)
}

/** An event that is lost on every channel, and a later reading that fails; undefined where the workload has neither. */
function cutWays(sites: readonly FaultSite[], chance: Chance): Drawn {
  const all = sites.flatMap(({ choices }) => choices)
  const event = pickByName(
    all.filter((fault) => mustBeNoticed(fault.match) && hasTrait(fault, 'loss')),
    chance,
  )
  const read = pickByName(
    all.filter(
      (fault) =>
        fault.match.operation === 'getOrder' &&
        fault.match.order === event?.match.order &&
        (fault.match.nth ?? 0) > 1 &&
        isFailure(fault),
    ),
    chance,
  )
  if (!event || !read) return undefined
  // A service reads after every event, and tries a reading several times: all of them fail in the same way.
  const first = eventsBefore(all, event.match) + 1
  const reads = Array.from({ length: attemptsAtMost }, (_, attempt): ScheduledFault => ({
    name: read.name,
    match: { ...read.match, nth: first + attempt },
    options: read.options,
  }))
  const elsewhere = all.filter(
    ({ name, match, options }) =>
      name === event.name &&
      match.event === event.match.event &&
      match.order === event.match.order &&
      match.channel !== event.match.channel &&
      JSON.stringify(options) === JSON.stringify(event.options),
  )
  return [event, ...elsewhere, ...reads]
}

/** The first attempt of a call fails in one way, the second in another. */
function twoAttempts(sites: readonly FaultSite[], chance: Chance): Drawn {
  const all = sites.flatMap(({ choices }) => choices).filter(isFailure)
  const firsts = all.filter(({ match }) => match.operation !== undefined && match.nth === 1)
  const first = pickByName(firsts, chance)
  const second = pickByName(
    all.filter(
      ({ match, name }) =>
        match.nth === 2 &&
        name !== first?.name &&
        match.operation === first?.match.operation &&
        match.event === first?.match.event &&
        match.order === first?.match.order,
    ),
    chance,
  )
  return first && second ? [first, second] : undefined
}

function anyTwo(sites: readonly FaultSite[], chance: Chance): Drawn {
  if (sites.length === 0) return undefined
  const { slot } = chance.pick(sites)
  const ofOrder = sites.filter((site) => site.slot === slot)
  return [1, 2].flatMap(() => pickByName(chance.pick(ofOrder).choices, chance) ?? [])
}

const forms = [cutWays, twoAttempts, cutWays, anyTwo] as const

export const pairs: Strategy = {
  name: 'pairs',
  about: 'two faults at messages of one order',
  draw(space, turn, chance) {
    const workload = pickWorkload(space, chance)
    const sites = sitesOf(space, workload)
    const form = forms[turn % forms.length] ?? anyTwo
    const faults = form(sites, chance) ?? anyTwo(sites, chance)
    return faults && { workload, faults }
  },
}
