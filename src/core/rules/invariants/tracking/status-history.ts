/** The first instant of each status of an order, with its evidence. */
import type { Instant } from '../../../engine/instant.ts'
import { type OrderStatus, orderStatuses } from '../../../protocol/orders/order.ts'
import type { Evidence } from '../verdict.ts'

/** A status that was shown to the subject, since when. */
export interface ShownStatus {
  readonly status: OrderStatus
  readonly since: Instant
  /** Undefined while the exchange that shows it is in flight. */
  readonly evidence: Evidence | undefined
}

/** A status that the subject knew, with evidence. */
export interface KnownStatus extends ShownStatus {
  readonly evidence: Evidence
  /** How: it read the order, its acknowledgment was accepted, or it answered the webhook 2xx. */
  readonly source: 'read' | 'acknowledged' | 'webhook'
}

export type StatusHistory<Moment extends ShownStatus = ShownStatus> = Map<OrderStatus, Moment>

/** Infinity if the status never occurred. */
export const firstInstantOf = (history: StatusHistory, status: OrderStatus): Instant =>
  history.get(status)?.since ?? Infinity

/** In lifecycle order. */
export const occurredStatuses = (history: StatusHistory): readonly OrderStatus[] =>
  orderStatuses.filter((status) => history.has(status))
