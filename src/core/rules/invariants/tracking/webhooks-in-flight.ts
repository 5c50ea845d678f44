/**
 * When webhooks about an order were in flight. Each is a reason of its own to read the order; the time of arrival is
 * only known to lie between sending and answer.
 */
import { setBounded } from '../../../engine/bounded.ts'
import type { Instant } from '../../../engine/instant.ts'

export interface WebhookInFlight {
  readonly callId: number
  readonly from: Instant
  to: Instant
}

/** Recent webhooks by order, oldest first. */
export type WebhooksInFlight = Map<string, WebhookInFlight[]>

const maxEntries = 5000
const maxPerOrder = 100

export function recordWebhookSent(
  arrivals: WebhooksInFlight,
  orderId: string,
  callId: number,
  at: Instant,
): void {
  const arrival: WebhookInFlight = { callId, from: at, to: Infinity }
  const known = arrivals.get(orderId)
  if (!known) return setBounded(arrivals, orderId, [arrival], maxEntries)
  known.push(arrival)
  if (known.length > maxPerOrder) known.shift()
}

export function recordWebhookConcluded(
  arrivals: WebhooksInFlight,
  orderId: string,
  callId: number,
  at: Instant,
): void {
  const arrival = arrivals.get(orderId)?.findLast((each) => each.callId === callId)
  if (arrival) arrival.to = at
}

/** Webhooks that may have arrived between two instants. */
export const webhooksBetween = (
  {
    arrivals: webhooksInFlight,
  }: { readonly arrivals: ReadonlyMap<string, readonly WebhookInFlight[]> },
  orderId: string | undefined,
  from: Instant,
  to: Instant,
): readonly WebhookInFlight[] =>
  (orderId === undefined ? undefined : webhooksInFlight.get(orderId))?.filter(
    (arrival) => arrival.from <= to && arrival.to >= from,
  ) ?? []
