/**
 * An event that is lost or late on every channel, so that a service has to find out for itself, in three forms by turns: the
 * readings after it fail as well; it is the event that says that an order is cancelled; it comes when it is no news any more.
 */
import type { Chance } from '../../../core/engine/chance.ts'
import { hasTrait } from '../../../core/faults/catalogue.ts'
import type { ScheduledFault } from '../../schedules/schedule.ts'
import { faultsIn } from './calls.ts'
import {
  type Deliveries,
  deliveriesIn,
  isCancellation,
  isProgress,
  lateOnEveryChannel,
} from './deliveries.ts'
import {
  type DrawnFaults,
  isFailure,
  pickByName,
  pickWorkload,
  type SearchSpace,
  type Strategy,
} from './strategy.ts'

/** More attempts than a service makes of one reading before it waits until it reads again. */
const failingReads = 8

const isLoss = (fault: ScheduledFault): boolean => hasTrait(fault, 'loss')
/** It comes after all, though late. */
const isMadeUpFor = ({ options }: ScheduledFault): boolean => options['by'] !== undefined

type Form = (space: SearchSpace, round: number, chance: Chance) => DrawnFaults | undefined

/** A fault at one event: those of an order take turns, the first first. */
function pickInTurn(
  faults: readonly ScheduledFault[],
  { eventsBefore }: Deliveries,
  round: number,
  chance: Chance,
): ScheduledFault | undefined {
  const byPlace = [...Map.groupBy(faults, eventsBefore)].sort(([one], [other]) => one - other)
  const [, ofPlace = []] = byPlace[round % Math.max(1, byPlace.length)] ?? []
  return pickByName(ofPlace, chance)
}

/** It never comes, and all attempts of the reading by which it would be found out fail in the same way. */
const withFailingReads: Form = (space, round, chance) => {
  const workload = pickWorkload(space, chance)
  const deliveries = deliveriesIn(space, workload)
  const lost = deliveries.faults.filter(
    (fault) => isLoss(fault) && !isMadeUpFor(fault) && (isProgress(fault) || isCancellation(fault)),
  )
  const event = pickInTurn(lost, deliveries, round, chance)
  const read = pickByName(
    faultsIn(space, workload).filter(
      (fault) =>
        fault.match.operation === 'getOrder' &&
        fault.match.order === event?.match.order &&
        fault.match.nth !== undefined &&
        isFailure(fault) &&
        !hasTrait(fault, 'client-wide'),
    ),
    chance,
  )
  if (!event) return undefined
  const lostEverywhere = deliveries.onEveryChannel(event)
  if (!read) return { workload, faults: lostEverywhere }
  // A service reads after every event that it has heard of.
  const first = deliveries.eventsBefore(event) + 1
  const reads = Array.from({ length: failingReads }, (_, attempt): ScheduledFault => ({
    name: read.name,
    match: { ...read.match, nth: first + attempt },
    options: read.options,
  }))
  return { workload, faults: [...lostEverywhere, ...reads] }
}

const lateCancellation: Form = (space, round, chance) =>
  lateOnEveryChannel(space, round, chance, isCancellation)

const lateProgress: Form = (space, round, chance) => {
  const workload = pickWorkload(space, chance)
  const deliveries = deliveriesIn(space, workload)
  const late = deliveries.faults.filter(
    (fault) => isLoss(fault) && isMadeUpFor(fault) && isProgress(fault),
  )
  const event = pickInTurn(late, deliveries, round, chance)
  return event && { workload, faults: deliveries.onEveryChannel(event) }
}

export const lostEvents: Strategy = {
  name: 'lost-events',
  about: 'an event is lost or late on every channel, and the readings after it may fail',
  draw(space, turn, chance) {
    const [round, place] = [Math.floor(turn / 4), turn % 4]
    if (place === 1) return lateCancellation(space, round, chance)
    if (place === 3) return lateProgress(space, round, chance)
    return withFailingReads(space, 2 * round + place / 2, chance)
  },
}
