/** Decides handovers of events: polls, acknowledgments and webhooks (ORD-OPS-01 to 03, ORD-UND-09). */
import { compact } from '../../base/compact.ts'
import { isForbiddenForProfile, orderEvents } from '../../protocol/orders/events.ts'
import { ok } from '../../protocol/result.ts'
import {
  type Announcement,
  isWebhookKey,
  untroubled,
  webhookKey,
} from '../announcements/announcement.ts'
import { toAgendaItem } from '../agenda/plan-item.ts'
import { webhookReadiness } from '../announcements/receiver.ts'
import { eventById } from '../command-row.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import type { CommandOf } from '../command.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import { newEventId } from '../emitted-event.ts'
import { refuse } from '../refusal.ts'
import { shortText } from '../short-text.ts'
import { partnerOf } from '../world.ts'
import { eventEmittedFact, orderEventFacts } from './emit.ts'
import type { EventCommand } from './event-commands.ts'
import { isChannelExcluded } from './receiver.ts'
import { findOrder } from './record.ts'

const unknownWebhook = (webhook: string): Decision =>
  refuse(
    'NOT_FOUND',
    `there is no webhook "${shortText(webhook)}": name its receiver and its operation, such as ${webhookKey()}`,
  )

/** Sends the webhook of another capability's event. */
function pushAnnounced(
  event: Announcement,
  { eventId, attempt, requestId }: CommandOf<'event.push'>,
  context: DecisionContext,
): Decision {
  const { from, to, operation } = event
  const readyState = webhookReadiness(event, context.world)
  if (readyState === 'wait') return ok([{ kind: 'event.waiting', eventId, attempt }])
  if (readyState === 'never')
    return ok([{ kind: 'event.given-up', eventId, attempts: attempt - 1 }])
  const sameRequestId = requestId === undefined ? {} : { requestId }
  return ok([callPlacedFact({ from, to, operation, eventId, attempt, ...sameRequestId }, context)])
}

/** Nothing is sent to an endpoint that is off, nor while its receiver asks for a pause (TRN-STA-10). */
function push(command: CommandOf<'event.push'>, context: DecisionContext): Decision {
  const { eventId, attempt } = command
  const { world, now } = context
  const other = world.announcements.events.get(eventId)
  const key = webhookKey(other)
  if (world.announcements.endpoints.get(key)?.isOff)
    return context.settings.conduct.disabledWebhooks === 'kept'
      ? ok([{ kind: 'event.waiting', eventId, attempt }])
      : ok([{ kind: 'event.given-up', eventId, attempts: attempt - 1 }])
  const afterMs = (world.announcements.pausedUntil.get(key) ?? 0) - now
  if (afterMs > 0) {
    const item = toAgendaItem({ command, afterMs }, world.agenda.nextId, 0, context)
    return ok([{ kind: 'agenda.planned', item }])
  }
  if (other) return pushAnnounced(other, command, context)
  const event = world.ordering.events.get(eventId)
  if (!event) return refuse('NOT_FOUND', `there is no event ${eventId}`)
  const partner = partnerOf(world, 'ordering-application', 'software-service')
  if (partner?.state !== 'accepted') return ok([{ kind: 'event.waiting', eventId, attempt }])
  if (isChannelExcluded('webhook', world))
    return ok([{ kind: 'event.given-up', eventId, attempts: attempt - 1 }])
  return ok([
    callPlacedFact(
      {
        from: 'ordering-application',
        to: 'software-service',
        operation: 'receiveOrderEvent',
        eventId,
        attempt,
        ...compact({ requestId: command.requestId }),
      },
      context,
    ),
  ])
}

/** Some partners give an event a new id in every poll. */
function freshAliases(
  eventIds: readonly string[],
  { settings, chance }: DecisionContext,
): { readonly names?: readonly string[] } {
  if (settings.conduct.pollEventIds === 'stable') return {}
  const stream = chance('polled-ids')
  return { names: eventIds.map(() => newEventId(stream)) }
}

export const eventDecisions: Decisions<EventCommand> = {
  /**
   * Emits an event without a transition: valid when it is informational, or projects a status that the order has
   * reached.
   */
  'event.emit'(command, context) {
    const { orderId, eventType, metadata, force } = command
    const found = findOrder(orderId, context.world)
    if (!found.ok) return found
    const { order, way } = found.value
    const profile = order.fulfillment.orderType
    const { projects, obligation } = orderEvents[eventType]
    if (!force && isForbiddenForProfile(eventType, profile))
      return refuse('EVENT_NOT_ALLOWED', `${eventType} is forbidden for a ${profile} order`)
    if (!force && obligation[profile] === 'not listed')
      return refuse('EVENT_NOT_ALLOWED', `${eventType} is not listed for a ${profile} order`)
    if (!force && projects !== undefined && !way.some(({ status }) => status === projects))
      return refuse(
        'INVALID_TRANSITION',
        `${eventType} projects ${projects}, which the order ${orderId} has not reached`,
        context.settings.conduct.invalidTransition.orders,
      )
    return ok(orderEventFacts(order, eventType, context, metadata))
  },
  'event.invent'({ orderId, eventType }, context) {
    const found = findOrder(orderId, context.world)
    return found.ok ? ok([eventEmittedFact(found.value.order, eventType, context)]) : found
  },
  'event.alter': ({ eventId, change }, { world }) =>
    eventById(eventId, world)
      ? ok([{ kind: 'event.altered', eventId, change }])
      : refuse('NOT_FOUND', `there is no event ${eventId}`),
  'event.offer': ({ eventId }, { world }) =>
    world.ordering.events.has(eventId)
      ? ok([{ kind: 'event.offered', eventId }])
      : refuse('NOT_FOUND', `there is no event ${eventId}`),
  'event.push': push,
  'webhook.disable'({ webhook }, { world }) {
    if (!isWebhookKey(webhook)) return unknownWebhook(webhook)
    const { failures, isOff } = world.announcements.endpoints.get(webhook) ?? untroubled
    return ok(isOff ? [] : [{ kind: 'webhook.disabled', webhook, failures }])
  },
  'webhook.enable'({ webhook }, { world }) {
    if (webhook !== undefined && !isWebhookKey(webhook)) return unknownWebhook(webhook)
    const off = [...world.announcements.endpoints].flatMap(([key, { isOff }]) =>
      isOff && (webhook === undefined || key === webhook) ? [key] : [],
    )
    return off.length === 0 && webhook === undefined
      ? refuse('CONFLICT', 'no webhooks are switched off')
      : ok(off.map((key) => ({ kind: 'webhook.enabled', webhook: key }) as const))
  },
  /**
   * Returns the oldest events that the client wants. Types that it filters out are acknowledged for it, or they would
   * stay in the mailbox for ever (fields.md, O14).
   */
  'events.poll'(command, context) {
    const { eventTypes, merchants } = command
    const { mailbox, events } = context.world.ordering
    const maxEvents = context.settings.conduct.pollBatch
    const eventIds: string[] = []
    const filtered: string[] = []
    for (const [eventId, copies] of mailbox) {
      if (eventIds.length >= maxEvents) break
      const event = events.get(eventId)
      if (!event || (merchants && !merchants.includes(event.merchantId))) continue
      if (eventTypes && !eventTypes.includes(event.eventType)) filtered.push(eventId)
      else
        for (let copy = 0; copy < copies && eventIds.length < maxEvents; copy++)
          eventIds.push(eventId)
    }
    return ok([
      ...(eventIds.length > 0
        ? [{ kind: 'events.polled', eventIds, ...freshAliases(eventIds, context) } as const]
        : []),
      ...(filtered.length > 0
        ? [{ kind: 'events.acknowledged', eventIds: filtered, filtered: true } as const]
        : []),
    ])
  },
  'events.acknowledge'(command, context) {
    const { events, mailbox } = context.world.ordering
    const unknown = command.eventIds.filter((eventId) => !events.has(eventId))
    if (unknown.length > 0 && context.settings.conduct.unknownAcknowledgment === 'refuse')
      return refuse('NOT_FOUND', `there is no event ${unknown[0]}`)
    const eventIds = command.eventIds.filter((eventId) => mailbox.has(eventId))
    if (eventIds.length === 0 && unknown.length === 0) return ok([])
    return ok([
      {
        kind: 'events.acknowledged',
        eventIds,
        ...(unknown.length > 0 ? { unknown: unknown.map(shortText) } : {}),
      },
    ])
  },
}
