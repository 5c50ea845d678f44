/** Extracts the events that an exchange hands over or acknowledges. */
import { operation as rowOf } from '../../../protocol/catalogue.ts'
import { Acknowledgment, acknowledgedIds } from '../../../protocol/orders/acknowledgment.ts'
import type { ReferencedEvent, ObservedExchange } from './observations.ts'
import { shortText } from '../../../engine/short-text.ts'

const nothing: readonly never[] = []

export interface ExtractedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  readonly createdAt: string | undefined
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? shortText(value) : undefined

/** The members of an event; those of Customer and Loyalty may be wrapped: `{event: {…}}`. */
function eventMembers(value: object): Readonly<Record<string, unknown>> {
  const members = value as Readonly<Record<string, unknown>>
  const { event } = members
  const isWrapped = typeof event === 'object' && event !== null && !('eventType' in members)
  return isWrapped ? (event as Readonly<Record<string, unknown>>) : members
}

function eventIn(value: unknown): ExtractedEvent | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const event = eventMembers(value)
  const eventId = text(event['eventId']) ?? text(event['id'])
  if (eventId === undefined) return undefined
  return {
    eventId,
    eventType: text(event['eventType']) ?? text(event['type']) ?? '',
    orderId: text(event['orderId']),
    createdAt: text(event['createdAt']) ?? text(event['occurredAt']),
  }
}

/** Failure codes after which the subject may still have received the whole request. */
const arrived: ReadonlySet<string> = new Set(['TIMEOUT', 'LOST'])

/** Whether the subject may have received the events of this exchange. */
const mayHaveArrived = ({ caller, exchange: { reply, failure } }: ObservedExchange): boolean =>
  caller === 'subject' || reply !== undefined || arrived.has(failure?.code ?? '')

/** Events handed over by this exchange, in the order of the body. */
export const handedOverEvents = (observed: ObservedExchange): readonly ExtractedEvent[] =>
  mayHaveArrived(observed) ? offeredEvents(observed) : nothing

/** The same, with webhooks that no program listened for, or ended in a broken connection: the event was announced. */
export function offeredEvents(observed: ObservedExchange): readonly ExtractedEvent[] {
  const { operation, exchange } = observed
  if (operation === undefined) return nothing
  if (observed.caller === 'subject') {
    if (observed.operation !== 'pollingEvents' || !observed.ok) return nothing
    const known = observed.hostPolledEvents()
    if (known) return known
    const body = observed.responseJson()
    return Array.isArray(body) ? body.map(eventIn).filter((event) => event !== undefined) : nothing
  }
  if (!rowOf(operation).webhook) return nothing
  const event = eventIn(observed.requestJson())
  const eventId = exchange.eventIds?.[0] ?? event?.eventId
  if (eventId === undefined) return nothing
  const orderId = event?.orderId ?? exchange.orderId
  return [{ eventType: event?.eventType ?? '', createdAt: event?.createdAt, eventId, orderId }]
}

/** Ids of the events that the subject accepted with this exchange. */
export function acknowledgedEventIds(observed: ObservedExchange): readonly string[] {
  const { operation, exchange } = observed
  if (operation === undefined || !observed.ok) return nothing
  if (observed.caller === 'sparring')
    return rowOf(operation).webhook ? (exchange.eventIds ?? nothing).slice(0, 1) : nothing
  if (observed.operation !== 'acknowledgeEvents') return nothing
  const body = Acknowledgment.safeParse(observed.requestJson())
  return body.success ? acknowledgedIds(body.data).map(shortText) : []
}

/** The same with tracked events. */
export const acknowledgedEvents = (
  observed: ObservedExchange,
  byId: (id: string) => ReferencedEvent,
): readonly ReferencedEvent[] =>
  observed.hostAcknowledgedEvents() ?? acknowledgedEventIds(observed).map(byId)
