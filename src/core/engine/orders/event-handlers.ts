/** Handlers of polling, acknowledgment and the Software Service's webhook. */
import { compact } from '../../base/compact.ts'
import {
  type Acknowledgment,
  acknowledgedIds,
  V1Acknowledgment,
} from '../../protocol/orders/acknowledgment.ts'
import type { OrderEvent } from '../../protocol/orders/event.ts'
import { findClosestName } from '../../protocol/closest-name.ts'
import { operation } from '../../protocol/catalogue.ts'
import { urlInDialect } from '../../protocol/dialects/paths.ts'
import { isOrderEventType, orderEventTypes } from '../../protocol/orders/events.ts'
import { speaksV1 } from '../../protocol/dialects/settings.ts'
import { parseV1EventType, v1EventTypes } from '../../protocol/v1/events.ts'
import { jsonProblemText } from '../../protocol/issue-text.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { OperationHandlers, HandlerInput } from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import type { EmittedEvent } from '../emitted-event.ts'

/**
 * An event on the wire: the same bytes each time, with the URL of its order at the host of this base URL (ORD-EVF-03).
 */
export function eventView(
  { merchantId, more, ...event }: EmittedEvent,
  base: string,
  { conduct }: Settings,
): OrderEvent {
  const row = operation(speaksV1(conduct) ? 'getOrderV1' : 'getOrder')
  const params = { orderId: event.orderId, merchantId }
  const orderURL = urlInDialect(row, { role: 'ordering-application', base }, conduct, params)
  return { ...event, ...more, orderURL }
}

/** Values of a header or query parameter that may be repeated or comma-separated. */
const splitValues = (values: readonly string[]): readonly string[] | undefined => {
  const all = values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean)
  return all.length > 0 ? all : undefined
}

/** Merchants that one poll may name at most (fields.md, O14). */
const maxPolledMerchants = 100

/** The merchants whose events a poll returns: the requested ones that the client is authorized for. */
function merchantsOf({
  header,
  client,
}: HandlerInput): Result<readonly string[] | undefined, Refusal> {
  const requested = splitValues([header('x-polling-merchants') ?? ''])
  const allowed = client?.merchants
  if (!requested) return ok(allowed)
  if (requested.length > maxPolledMerchants)
    return refuse(
      'INVALID_PAYLOAD',
      `x-polling-merchants names ${requested.length} merchants; ${maxPolledMerchants} are the most`,
    )
  return ok(allowed ? requested.filter((merchant) => allowed.includes(merchant)) : requested)
}

/**
 * Whether an event belongs to a merchant that the client is not authorized for: then it does not exist for this client.
 */
function isHidden(eventId: string, { client, world }: HandlerInput): boolean {
  if (!client?.merchants) return false
  const event = world.ordering.events.get(eventId)
  return event !== undefined && !client.merchants.includes(event.merchantId)
}

/** The event type of that name in the protocol generation in use. */
const parseEventType = (name: string, { conduct }: Settings): string | undefined =>
  speaksV1(conduct) ? parseV1EventType(name) : isOrderEventType(name) ? name : undefined

/**
 * The event types that a poll is restricted to. A name that is no type is refused: the events that a filter leaves out
 * count as acknowledged, and a misspelled one would lose them all.
 */
function polledEventTypes({
  query,
  settings,
}: HandlerInput): Result<readonly string[] | undefined, Refusal> {
  const names = splitValues(query('eventType'))
  if (!names) return ok(undefined)
  const isV1 = speaksV1(settings.conduct)
  const most = isV1 ? 15 : 20
  if (names.length > most)
    return refuse('INVALID_PAYLOAD', `eventType is given more than ${most} times`)
  const types: string[] = []
  for (const name of names) {
    const type = parseEventType(name, settings)
    if (type === undefined) {
      const closestName = findClosestName(name, isV1 ? v1EventTypes : orderEventTypes)
      const suggestion = closestName === undefined ? '' : `; is ${closestName} meant?`
      return refuse('INVALID_PAYLOAD', `eventType ${name} is no event type${suggestion}`)
    }
    types.push(type)
  }
  return ok(types)
}

/** Resolves the ids used in polls to event ids. */
const resolveIds = (ids: readonly string[], { world }: HandlerInput): readonly string[] =>
  ids.map((id) => world.ordering.eventIdByAlias.get(id) ?? id)

export const eventHandlers = {
  'events.poll': {
    kind: 'command',
    command: (input) => {
      const eventTypes = polledEventTypes(input)
      if (!eventTypes.ok) return eventTypes
      const merchants = merchantsOf(input)
      if (!merchants.ok) return merchants
      return ok({
        kind: 'events.poll',
        ...compact({ eventTypes: eventTypes.value, merchants: merchants.value }),
      })
    },
    answer: (facts, { world, settings, origin }) => {
      const polled = facts.find((fact) => fact.kind === 'events.polled')
      if (!polled) return settings.conduct.emptyPoll === 204 ? { status: 204 } : { body: [] }
      return {
        about: { eventIds: polled.eventIds },
        body: polled.eventIds.flatMap((eventId, index) => {
          const event = world.ordering.events.get(eventId)
          const name = polled.names?.[index] ?? eventId
          return event ? [eventView({ ...event, eventId: name }, origin, settings)] : []
        }),
      }
    },
  },
  'events.acknowledge': {
    kind: 'command',
    command: (input) => {
      const { body, settings } = input
      const acknowledgment = body as Acknowledgment
      const { acknowledgment: form } = settings.conduct
      const strict = form === 'v1' ? V1Acknowledgment.safeParse(body) : undefined
      if (strict && !strict.success)
        return err({
          code: 'INVALID_PAYLOAD',
          message: `an acknowledgment is an array of { id, orderId, eventType } here; ${jsonProblemText(strict.error, body)}`,
        })
      if (form === 'eventIds' && Array.isArray(acknowledgment))
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
      return settings.conduct.unknownEvents === 'refuse' &&
        parseEventType(event.eventType, settings) === undefined
        ? err({ code: 'INVALID_PAYLOAD', message: `eventType ${event.eventType} is unknown here` })
        : ok({ kind: 'ticket.notify', event })
    },
    answer: (_facts, { body }) => {
      const { orderId, eventId } = body as OrderEvent
      return { about: { orderId, eventIds: [eventId] } }
    },
  },
} satisfies OperationHandlers
