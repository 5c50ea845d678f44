/**
 * The deliveries of events in a workload, by polls and webhooks, and the faults that hold one back wherever it comes
 * from.
 */
import type { Chance } from '../../../core/engine/chance.ts'
import { revealingEvents } from '../../../core/engine/faults/distort-plan.ts'
import { isFinalStatus, statusRank } from '../../../core/rules/invariants/tracking/status-rank.ts'
import { isOrderEventType, orderEvents } from '../../../core/protocol/orders/events.ts'
import type { OrderStatus } from '../../../core/protocol/orders/order.ts'
import { definitionOf } from '../../schedules/fault-traits.ts'
import type { FaultMatcher, ScheduledFault } from '../../schedules/schedule.ts'
import {
  type DrawnFaults,
  oncePerSpace,
  pickByName,
  type SearchSpace,
  sitesOf,
} from './strategy.ts'

type Faults = readonly ScheduledFault[]

export interface Deliveries {
  readonly faults: Faults
  /** The same fault at an event on every channel that it comes by. */
  readonly onEveryChannel: (fault: ScheduledFault) => Faults
  /** Whether a fault can hold back its event on every channel. */
  readonly reachesEveryChannel: (fault: ScheduledFault) => boolean
  /** How many events tell of an earlier status of the order than this one: at least one. */
  readonly eventsBefore: (fault: ScheduledFault) => number
}

const statusOf = ({ event }: FaultMatcher): OrderStatus | undefined =>
  event !== undefined && isOrderEventType(event) ? orderEvents[event].projects : undefined

/** Whether an event alone tells the service that there is something. */
export const isRevealing = ({ match }: ScheduledFault): boolean =>
  revealingEvents.has(match.event ?? '')

/** Whether an event says that its order is cancelled. */
export const isCancellation = ({ match }: ScheduledFault): boolean =>
  statusOf(match) === 'CANCELLED'

/** Whether an event is about a step after which something is left to do. */
export function isProgress({ match }: ScheduledFault): boolean {
  const status = statusOf(match)
  return status !== undefined && status !== 'CREATED' && !isFinalStatus(status)
}

/** Whether an event is delivered, by a poll or a webhook; not a call that carries one. */
export const isDelivery = ({ match }: ScheduledFault): boolean =>
  match.event !== undefined && match.channel !== undefined

function createDeliveries(faults: Faults): Deliveries {
  const eventKey = ({ match: { event, order } }: ScheduledFault): string => `${order} ${event}`
  const faultKey = (fault: ScheduledFault): string =>
    `${eventKey(fault)} ${fault.name} ${JSON.stringify(fault.options)}`
  const byFault = Map.groupBy(faults, faultKey)
  const channels = new Map<string, Set<string | undefined>>()
  const statuses = new Map<string | undefined, Set<OrderStatus>>()
  for (const fault of faults) {
    const { order, channel } = fault.match
    const ofEvent = channels.get(eventKey(fault)) ?? new Set()
    channels.set(eventKey(fault), ofEvent.add(channel))
    const status = statusOf(fault.match)
    if (status) statuses.set(order, (statuses.get(order) ?? new Set()).add(status))
  }
  const onEveryChannel = (fault: ScheduledFault): Faults => byFault.get(faultKey(fault)) ?? [fault]
  return {
    faults,
    onEveryChannel,
    reachesEveryChannel: (fault) =>
      onEveryChannel(fault).length === channels.get(eventKey(fault))?.size,
    eventsBefore({ match }) {
      const status = statusOf(match)
      const rank = status === undefined ? 0 : statusRank(status)
      const before = [...(statuses.get(match.order) ?? [])].filter(
        (each) => statusRank(each) < rank,
      )
      return Math.max(1, before.length)
    },
  }
}

const deliveriesByWorkload = oncePerSpace(
  (space) =>
    new Map(
      space.workloads.map((workload) => [
        workload,
        createDeliveries(
          sitesOf(space, workload).flatMap(({ choices }) => choices.filter(isDelivery)),
        ),
      ]),
    ),
)

export const deliveriesIn = (space: SearchSpace, workload: string): Deliveries =>
  deliveriesByWorkload(space).get(workload) ?? createDeliveries([])

/** The workloads in which an order is cancelled; all of them where it never is. */
export function workloadsWithCancellation(space: SearchSpace): readonly string[] {
  const some = space.workloads.filter((each) =>
    deliveriesIn(space, each).faults.some(isCancellation),
  )
  return some.length > 0 ? some : space.workloads
}

/** The workloads in which every order is worked off; all of them where none is. */
export function workloadsWithoutCancellation(space: SearchSpace): readonly string[] {
  const cancelled = new Set(workloadsWithCancellation(space))
  const others = space.workloads.filter((each) => !cancelled.has(each))
  return others.length > 0 ? others : space.workloads
}

/**
 * An event of a certain kind comes late on every channel, where an order is cancelled. Workloads take turns: `round` is how
 * many were drawn before.
 */
export function lateOnEveryChannel(
  space: SearchSpace,
  round: number,
  chance: Chance,
  isMeant: (fault: ScheduledFault) => boolean,
): DrawnFaults | undefined {
  const workloads = workloadsWithCancellation(space)
  const workload = workloads[round % Math.max(1, workloads.length)]
  if (workload === undefined) return undefined
  const { faults, reachesEveryChannel, onEveryChannel } = deliveriesIn(space, workload)
  const late = faults.filter((fault) => isMeant(fault) && definitionOf(fault)?.symptom === 'late')
  const event = pickByName(late.filter(reachesEveryChannel), chance)
  return event && { workload, faults: onEveryChannel(event) }
}
