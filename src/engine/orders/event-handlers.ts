/** Handlers of polling, acknowledgment and the Software Service's webhook. */
import { compact } from '../../compact.ts'
import {
  type Acknowledgment,
  acknowledgedIds,
  V1Acknowledgment,
} from '../../protocol/orders/acknowledgment.ts'
import type { OrderEvent } from '../../protocol/orders/event.ts'
import { isOrderEventType } from '../../protocol/orders/events.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { parseV1EventType } from '../../protocol/v1/events.ts'
import { err, ok } from '../../protocol/result.ts'
import type { OperationHandlers, HandlerInput } from '../handler.ts'
import type { Settings } from '../settings.ts'
import type { EmittedEvent } from '../emitted-event.ts'

/** An event on the wire: the same bytes each time, with the URL of its order (ORD-EVF-03). */
export function eventView(
  { merchantId: _merchantId, more, ...event }: EmittedEvent,
  base: string,
): OrderEvent {
  return { ...event, ...more, orderURL: `${base}/orders/${encodeURIComponent(event.orderId)}` }
}

/** Values of a header or query parameter that may be repeated or comma-separated. */
const splitValues = (values: readonly string[]): readonly string[] | undefined => {
  const all = values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean)
  return all.length > 0 ? all : undefined
}

/** The merchants whose events a poll returns: the requested ones that the client is authorized for. */
function merchantsOf({ header, client }: HandlerInput): readonly string[] | undefined {
  const requested = splitValues([header('x-polling-merchants') ?? ''])
  const allowed = client?.merchants
  if (!requested) return allowed
  return allowed ? requested.filter((merchant) => allowed.includes(merchant)) : requested
}

/**
 * Whether an event belongs to a merchant that the client is not authorized for: then it does not exist for this client.
 */
function isHidden(eventId: string, { client, world }: HandlerInput): boolean {
  if (!client?.merchants) return false
  const event = world.ordering.events.get(eventId)
  return event !== undefined && !client.merchants.includes(event.merchantId)
}

/** Whether the protocol generation in use has this event type. */
const isKnownType = ({ eventType }: OrderEvent, { conduct }: Settings): boolean =>
  speaksV1(conduct) ? parseV1EventType(eventType) !== undefined : isOrderEventType(eventType)

/** Resolves the ids used in polls to event ids. */
const resolveIds = (ids: readonly string[], { world }: HandlerInput): readonly string[] =>
  ids.map((id) => world.ordering.eventIdByAlias.get(id) ?? id)

export const eventHandlers = {
  'events.poll': {
    kind: 'command',
    command: (input) => {
      const eventTypes = splitValues(input.query('eventType'))
      const merchants = merchantsOf(input)
      const most = speaksV1(input.settings.conduct) ? 15 : 20
      if (eventTypes && eventTypes.length > most)
        return err({
          code: 'INVALID_PAYLOAD',
          message: `eventType is given more than ${most} times`,
        })
      return ok({
        kind: 'events.poll',
        ...compact({ eventTypes, merchants }),
      })
    },
    answer: (facts, { world, settings, base }) => {
      const polled = facts.find((fact) => fact.kind === 'events.polled')
      if (!polled) return settings.conduct.emptyPoll === 204 ? { status: 204 } : { body: [] }
      return {
        about: { eventIds: polled.eventIds },
        body: polled.eventIds.flatMap((eventId, index) => {
          const event = world.ordering.events.get(eventId)
          const name = polled.names?.[index] ?? eventId
          return event ? [eventView({ ...event, eventId: name }, base)] : []
        }),
      }
    },
  },
  'events.acknowledge': {
    kind: 'command',
    command: (input) => {
      const { body, settings } = input
      const acknowledgment = body as Acknowledgment
      if (settings.conduct.acknowledgment === 'v1' && !V1Acknowledgment.safeParse(body).success)
        return err({
          code: 'INVALID_PAYLOAD',
          message: 'an acknowledgment is an array of { id, orderId, eventType } here',
        })
      if (settings.conduct.acknowledgment === 'eventIds' && Array.isArray(acknowledgment))
        return err({
          code: 'INVALID_PAYLOAD',
          message: 'an acknowledgment is an object with eventIds here, not an array',
        })
      const named = acknowledgedIds(acknowledgment)
      const { acknowledgmentLimit: most } = settings.conduct
      if (named.length > most)
        return err({
          code: 'INVALID_PAYLOAD',
          message: `${named.length} events are acknowledged at once; ${most} are the most`,
        })
      const eventIds = resolveIds(named, input)
      const hidden = eventIds.find((eventId) => isHidden(eventId, input))
      if (hidden !== undefined && settings.conduct.unknownAcknowledgment === 'refuse')
        return err({ code: 'NOT_FOUND', message: `there is no event ${hidden}` })
      return ok({
        kind: 'events.acknowledge',
        eventIds: eventIds.filter((eventId) => !isHidden(eventId, input)),
      })
    },
    answer: (_facts, input) => ({
      about: { eventIds: resolveIds(acknowledgedIds(input.body as Acknowledgment), input) },
    }),
  },
  'ticket.notify': {
    kind: 'command',
    command: ({ body, settings }) => {
      const event = body as OrderEvent
      return settings.conduct.unknownEvents === 'refuse' && !isKnownType(event, settings)
        ? err({ code: 'INVALID_PAYLOAD', message: `eventType ${event.eventType} is unknown here` })
        : ok({ kind: 'ticket.notify', event })
    },
    answer: (_facts, { body }) => {
      const { orderId, eventId } = body as OrderEvent
      return { about: { orderId, eventIds: [eventId] } }
    },
  },
} satisfies OperationHandlers
