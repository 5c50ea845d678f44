/** What stands behind polling, acknowledgment and the Software Service's webhook. */
import { type Acknowledgment, acknowledgedIds } from '../../protocol/orders/acknowledgment.ts'
import type { OrderEvent } from '../../protocol/orders/event.ts'
import { no, ok } from '../../protocol/result.ts'
import type { EmittedEvent } from '../fact.ts'
import type { Handlers, Input } from '../handler.ts'

/** An event as it goes over the wire: the same bytes each time, with a URL that leads to the order (ORD-EVF-03). */
export function eventView(
  { merchantId: _merchantId, ...event }: EmittedEvent,
  base: string,
): OrderEvent {
  return { ...event, orderURL: `${base}/orders/${encodeURIComponent(event.orderId)}` }
}

/** Values of a header or query parameter that may be repeated or joined by commas. */
const listed = (values: readonly string[]): readonly string[] | undefined => {
  const all = values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean)
  return all.length > 0 ? all : undefined
}

/** The merchants whose events a poll may bring: those it asks for, of those that the client may see. */
function merchantsOf({ header, client }: Input): readonly string[] | undefined {
  const asked = listed([header('x-polling-merchants') ?? ''])
  const allowed = client?.merchants
  if (!asked) return allowed
  return allowed ? asked.filter((merchant) => allowed.includes(merchant)) : asked
}

/** An event of a merchant that the client is not authorized for: to this client there is none. */
function isHidden(eventId: string, { client, world }: Input): boolean {
  if (!client?.merchants) return false
  const event = world.ordering.events.get(eventId)
  return event !== undefined && !client.merchants.includes(event.merchantId)
}

export const eventHandlers: Handlers = {
  'events.poll': {
    kind: 'command',
    command: (input) => {
      const eventTypes = listed(input.query('eventType'))
      const merchants = merchantsOf(input)
      if (eventTypes && eventTypes.length > 20)
        return no({ code: 'INVALID_PAYLOAD', message: 'eventType is given more than 20 times' })
      return ok({
        kind: 'events.poll',
        ...(eventTypes ? { eventTypes } : {}),
        ...(merchants ? { merchants } : {}),
      })
    },
    answer: (facts, { world, settings, base }) => {
      const polled = facts.find((fact) => fact.kind === 'events.polled')
      if (!polled) return settings.conduct.emptyPoll === 204 ? { status: 204 } : { body: [] }
      return {
        about: { eventIds: polled.eventIds },
        body: polled.eventIds.flatMap((eventId) => {
          const event = world.ordering.events.get(eventId)
          return event ? [eventView(event, base)] : []
        }),
      }
    },
  },
  'events.acknowledge': {
    kind: 'command',
    command: (input) => {
      const { body, settings } = input
      const acknowledgment = body as Acknowledgment
      if (settings.conduct.acknowledgment === 'eventIds' && Array.isArray(acknowledgment))
        return no({
          code: 'INVALID_PAYLOAD',
          message: 'an acknowledgment is an object with eventIds here, not an array',
        })
      const eventIds = acknowledgedIds(acknowledgment)
      const strange = eventIds.find((eventId) => isHidden(eventId, input))
      if (strange !== undefined && settings.conduct.unknownAcknowledgment === 'refuse')
        return no({ code: 'NOT_FOUND', message: `there is no event ${strange}` })
      return ok({
        kind: 'events.acknowledge',
        eventIds: eventIds.filter((eventId) => !isHidden(eventId, input)),
      })
    },
    answer: (_facts, { body }) => ({
      about: { eventIds: acknowledgedIds(body as Acknowledgment) },
    }),
  },
  'ticket.notify': {
    kind: 'command',
    command: ({ body }) => ok({ kind: 'ticket.notify', event: body as OrderEvent }),
    answer: (_facts, { body }) => {
      const { orderId, eventId } = body as OrderEvent
      return { about: { orderId, eventIds: [eventId] } }
    },
  },
}
