/**
 * A delivery as its consumer knows it: from replies and events, never from the platform's slice of the world. One for
 * each order and consumer role.
 */
import type { DeliveryUpdate } from '../../protocol/logistics/read.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'
import type { Command } from '../command.ts'
import type { Instant } from '../instant.ts'
import type { ConsumerRole } from './commands.ts'
import type { DeliveryRequest } from './delivery.ts'

/**
 * `waiting` for a platform that may be called, `asking` for availability, `creating` the delivery, `open` until the
 * status is final, then `over`.
 */
export type ShipmentPhase = 'waiting' | 'asking' | 'creating' | 'open' | 'over'

export type ShipmentEnd =
  | 'delivered'
  | 'cancelled'
  | 'failed'
  /** No platform is available. */
  | 'no platform'
  /** The order was cancelled before the delivery was created. */
  | 'withdrawn'

export interface ShipmentRecord {
  readonly role: ConsumerRole
  readonly orderId: string
  /** Shipments before it, as long as they are known. */
  readonly nth: number
  readonly demand: DeliveryRequest
  readonly phase: ShipmentPhase
  readonly since: Instant
  /** The platforms still to ask, by number; 0 is the default one. */
  readonly untried: readonly number[]
  /** The platform that is asked or that delivers. */
  readonly platform?: number
  readonly quote?: { readonly amount?: number; readonly currency?: string; readonly eta?: string }
  readonly deliveryId?: string
  readonly status?: DeliveryStatus
  readonly courier?: string
  readonly eta?: string
  readonly way: readonly { readonly status: DeliveryStatus; readonly at: Instant }[]
  /** The food is ready; set once it is reported to the platform, after creation. */
  readonly ready?: 'known' | 'told'
  /** State of the cancel: to be requested, in flight, accepted, or finally refused. */
  readonly cancel?: 'wanted' | 'asked' | 'accepted' | 'refused'
  /** Commands that wait for the outcome of the cancel. */
  readonly after: readonly Command[]
  /**
   * A cancel was refused, or the platform is silent: support must look into it, and nothing is retried (LOG-RUL-02).
   */
  readonly support?: true
  /** The creation had no reply: the next read decides whether it arrived. */
  readonly doubted?: true
  /** Too many reads showed no change: no longer read. */
  readonly stuck?: true
  readonly ended?: ShipmentEnd
  /** Incremented by every update; a read scheduled under an older value is dropped. */
  readonly round: number
  /** Consecutive reads without change. */
  readonly quiet: number
}

export const shipmentKey = (role: ConsumerRole, orderId: string): string => `${role}/${orderId}`

/** Consecutive reads without change after which a delivery is no longer read. */
export const maxUnchangedReadings = 40

const rank: Readonly<Record<DeliveryStatus, number>> = {
  PENDING: 1,
  ASSIGNED: 2,
  IN_TRANSIT: 3,
  DELIVERED: 4,
  CANCELLED: 4,
  FAILED: 4,
}

/**
 * The status that an update changes the shipment to; undefined when it changes none. Updates may be late and out of
 * order: a status only moves forward, a final one stays, and updates of an earlier delivery of the same order are
 * ignored.
 */
export function newShipmentStatus(
  { status, deliveryId, phase }: ShipmentRecord,
  news: DeliveryUpdate,
): DeliveryStatus | undefined {
  if (phase !== 'open' && phase !== 'creating') return undefined
  if (deliveryId !== undefined && news.deliveryId !== undefined && deliveryId !== news.deliveryId)
    return undefined
  const isForward = news.status && rank[news.status] > (status ? rank[status] : 0)
  return isForward ? news.status : undefined
}
