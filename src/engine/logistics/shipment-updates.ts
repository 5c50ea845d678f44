/**
 * Applies delivery updates at a consumer. Events may be late and out of order: a status only moves forward, a final one
 * stays, and updates of an earlier delivery of the same order are ignored.
 */
import { isFinalDeliveryStatus } from '../../protocol/logistics/lifecycle.ts'
import type { DeliveryUpdate } from '../../protocol/logistics/read.ts'
import type { Fact } from '../fact.ts'
import { shipmentEndOfStatus, type ShipmentRecord } from './shipment.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'

const rank: Readonly<Record<DeliveryStatus, number>> = {
  PENDING: 1,
  ASSIGNED: 2,
  IN_TRANSIT: 3,
  DELIVERED: 4,
  CANCELLED: 4,
  FAILED: 4,
}

/** The status that the update changes the shipment to; undefined when it changes none. */
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

/** The fact of the shipment's end, if the update brings a final status. */
export function shipmentEndFacts(
  shipment: ShipmentRecord | undefined,
  news: DeliveryUpdate,
): readonly Fact[] {
  const status = shipment && newShipmentStatus(shipment, news)
  const ended = status && isFinalDeliveryStatus(status) ? shipmentEndOfStatus[status] : undefined
  if (!shipment || !ended) return []
  const { role, orderId, after } = shipment
  return [{ kind: 'shipment.ended', role, orderId, ended, after }]
}
