/** Progress calls of the order lifecycle: target status, source statuses, and the order of statuses. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { isOrderEventType, orderEvents } from '../../../protocol/orders/events.ts'
import { orderLifecycle, type ProgressionTrigger } from '../../../protocol/orders/lifecycle.ts'
import { type OrderStatus, orderStatuses } from '../../../protocol/orders/order.ts'
import { parseV1EventType, v1StatusOfEvent } from '../../../protocol/v1/events.ts'
import type { ObservedExchange } from '../judge/observations.ts'
import { statusRank } from './status-rank.ts'
import type { TrackedOrder } from './tracker-state.ts'

export interface ProgressStep {
  readonly trigger: ProgressionTrigger
  readonly to: OrderStatus
  /** Statuses in which the call causes the transition. */
  readonly from: readonly OrderStatus[]
  /** These, and later statuses, in which the call repeats an applied transition. */
  readonly enabledBy: readonly OrderStatus[]
}

function stepOf(trigger: ProgressionTrigger, to: OrderStatus): ProgressStep {
  const from = orderLifecycle.filter((row) => row.trigger === trigger).map((row) => row.from)
  const applied = orderStatuses.slice(orderStatuses.indexOf(to))
  return { trigger, to, from, enabledBy: [...new Set([...from, ...applied])] }
}

const steps = {
  confirmOrder: stepOf('confirm', 'CONFIRMED'),
  setOrderPreparing: stepOf('preparing', 'PREPARING'),
  setOrderReadyForPickup: stepOf('ready-for-pickup', 'READY'),
  dispatchOrder: stepOf('dispatch', 'IN_DELIVERY'),
  setOrderDelivered: stepOf('delivered', 'DELIVERED'),
} as const satisfies Partial<Record<OperationId, ProgressStep>>

/** Progress operations. */
export const progressOperations = Object.keys(steps) as (keyof typeof steps)[]

/** The progress step of a call of the subject; undefined for other calls. */
export const progressStepOf = ({ caller, operation }: ObservedExchange): ProgressStep | undefined =>
  caller === 'subject' && operation !== undefined ? stepBy.get(operation) : undefined

/** Rank of the target status of a call; -1 if it is no progress call. */
export function progressRank({ operation }: Pick<ObservedExchange, 'operation'>): number {
  const step = operation === undefined ? undefined : stepBy.get(operation)
  return step ? statusRank(step.to) : -1
}

const stepBy = new Map<OperationId, ProgressStep>(
  Object.entries(steps) as [keyof typeof steps, ProgressStep][],
)

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
