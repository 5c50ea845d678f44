/**
 * What news of a delivery mean to its consumer. Events come late and out of order: a status only ever goes forward, and
 * what is final stays; news of an earlier delivery of the same order are none.
 */
import { isFinal } from '../../protocol/logistics/lifecycle.ts'
import type { DeliveryNews } from '../../protocol/logistics/read.ts'
import type { Fact } from '../fact.ts'
import { endOf, type Shipment } from './shipment.ts'
import type { DeliveryStatus } from '../../protocol/logistics/status.ts'

const rank: Readonly<Record<DeliveryStatus, number>> = {
  PENDING: 1,
  ASSIGNED: 2,
  IN_TRANSIT: 3,
  DELIVERED: 4,
  CANCELLED: 4,
  FAILED: 4,
}

/** The status that is new to this shipment; undefined when the news brings none. */
export function newStatus(
  { status, deliveryId, phase }: Shipment,
  news: DeliveryNews,
): DeliveryStatus | undefined {
  if (phase !== 'open' && phase !== 'creating') return undefined
  if (deliveryId !== undefined && news.deliveryId !== undefined && deliveryId !== news.deliveryId)
    return undefined
  const further = news.status && rank[news.status] > (status ? rank[status] : 0)
  return further ? news.status : undefined
}

/** The end of the shipment, if that is what the news say. */
export function endingOf(shipment: Shipment | undefined, news: DeliveryNews): readonly Fact[] {
  const status = shipment && newStatus(shipment, news)
  const ended = status && isFinal(status) ? endOf[status] : undefined
  if (!shipment || !ended) return []
  const { role, orderId, after } = shipment
  return [{ kind: 'shipment.ended', role, orderId, ended, after }]
}
