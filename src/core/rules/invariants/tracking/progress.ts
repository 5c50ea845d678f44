/** Progress calls of the order lifecycle: target status, source statuses, and the order of statuses. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { isOrderEventType, orderEvents } from '../../../protocol/orders/events.ts'
import {
  type OrderTransition,
  lifecycleNameIn,
  orderLifecycles,
  type ProgressionTrigger,
} from '../../../protocol/orders/lifecycle.ts'
import { type OrderStatus, orderStatuses } from '../../../protocol/orders/order.ts'
import { parseV1EventType, v1StatusOfEvent } from '../../../protocol/v1/events.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import { statusRank } from './status-rank.ts'
import type { TrackedOrder, TrackerState } from './tracker-state.ts'

export interface ProgressStep {
  readonly trigger: ProgressionTrigger
  readonly to: OrderStatus
  /** Statuses in which the call causes the transition. */
  readonly from: readonly OrderStatus[]
  /** These, and later statuses, in which the call repeats an applied transition. */
  readonly enabledBy: readonly OrderStatus[]
  readonly clauses: readonly string[]
}

const targets = {
  confirmOrder: ['confirm', 'CONFIRMED'],
  setOrderPreparing: ['preparing', 'PREPARING'],
  setOrderReadyForPickup: ['ready-for-pickup', 'READY'],
  dispatchOrder: ['dispatch', 'IN_DELIVERY'],
  setOrderDelivered: ['delivered', 'DELIVERED'],
} as const satisfies Partial<Record<OperationId, readonly [ProgressionTrigger, OrderStatus]>>

/** Progress operations. */
export const progressOperations = Object.keys(targets) as (keyof typeof targets)[]

function stepsIn(transitions: readonly OrderTransition[]): ReadonlyMap<OperationId, ProgressStep> {
  const steps = progressOperations.map((operation): [OperationId, ProgressStep] => {
    const [trigger, to] = targets[operation]
    const rows = transitions.filter((row) => row.trigger === trigger)
    const from = rows.map((row) => row.from)
    const clauses = [...new Set(rows.map(({ clause }) => clause))]
    const applied = orderStatuses.slice(orderStatuses.indexOf(to))
    const enabledBy = [...new Set([...from, ...applied])]
    return [operation, { trigger, to, from, enabledBy, clauses }]
  })
  return new Map(steps)
}

/** The steps by operation, in each lifecycle. */
const steps = {
  strict: stepsIn(orderLifecycles.strict.transitions),
  free: stepsIn(orderLifecycles.free.transitions),
}

/** The progress step of a call of the subject in the lifecycle in force; undefined for other calls. */
export const progressStepOf = (
  { caller, operation }: Pick<ObservedExchange, 'caller' | 'operation'>,
  { settings }: Pick<TrackerState, 'settings'>,
): ProgressStep | undefined =>
  caller === 'subject' && operation !== undefined
    ? steps[lifecycleNameIn(settings.conduct)].get(operation)
    : undefined

/** Rank of the target status of a call; -1 if it is no progress call. */
export function progressRank({ operation }: Pick<ObservedExchange, 'operation'>): number {
  const step = operation === undefined ? undefined : steps.strict.get(operation)
  return step ? statusRank(step.to) : -1
}

/**
 * Whether the host has it cancelled. An event may say CANCELLED of an order that goes on, and then GET is right
 * (ORD-EVR-01).
 */
export const isCancelledAtHost = ({ hostStatus, wasCancelled }: TrackedOrder): boolean =>
  hostStatus === 'CANCELLED' || (hostStatus === 'CONCLUDED' && wasCancelled)

/** The status that an event type announces. */
export const projectedStatus = (eventType: string): OrderStatus | undefined =>
  isOrderEventType(eventType) ? orderEvents[eventType].projects : v1StatusOfEvent(eventType)

/** Whether the event type is one of Orders, of any version. */
export const isAnyOrderEventType = (eventType: string): boolean =>
  isOrderEventType(eventType) || parseV1EventType(eventType) !== undefined
