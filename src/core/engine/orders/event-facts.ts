/** Facts about events: emitted, changed, and handed over by the mailbox for polls or by webhook. */
import { eventTitle } from '../../protocol/event-types.ts'
import { shortRoleName } from '../../protocol/role.ts'
import { recordChange } from '../agenda/edits.ts'
import {
  type Announcement,
  maxAnnouncements,
  untroubled,
  webhookKey,
} from '../announcements/announcement.ts'
import { setBounded } from '../bounded.ts'
import { eventById, titleOfEvent } from '../command-row.ts'
import { listCount } from '../short-text.ts'
import type { EmittedEvent, EventChannel } from '../emitted-event.ts'
import { type FactRow, factRow } from '../fact-row.ts'
import { recordHandover } from '../faults/slots.ts'
import { type World, worldBounds } from '../world.ts'

export interface OfEvent {
  readonly eventId: string
}

/** `software-service receiveOrderEvent`: the role that is called, and the operation. */
export interface OfWebhook {
  readonly webhook: string
}

export interface PushFailed extends OfEvent {
  readonly attempt: number
  readonly because: string
  readonly requestId: string
  /** Whether the retry plan applies. */
  readonly retry: boolean
  readonly retryAfterMs?: number
}

/** A fact that names an event by its id: it concerns the order of the event. */
const eventFactRow = <Fields extends OfEvent>(
  text: (type: string, fact: Fields) => string,
  apply?: FactRow<Fields>['apply'],
): FactRow<Fields> =>
  factRow<Fields>({
    text: (fact, world) => text(titleOfEvent(fact.eventId, world) ?? fact.eventId, fact),
    orderId: ({ eventId }, world) => eventById(eventId, world)?.orderId,
    ...(apply && { apply }),
  })

/** Known fields are replaced; all others are added as unknown fields. */
function alteredEvent(
  event: EmittedEvent,
  change: Readonly<Record<string, unknown>>,
): EmittedEvent {
  const { createdAt, metadata, ...more } = change
  return {
    ...event,
    ...(typeof createdAt === 'string' ? { createdAt } : {}),
    ...(typeof metadata === 'object' && metadata !== null
      ? { metadata: metadata as EmittedEvent['metadata'] & object }
      : {}),
    more: { ...event.more, ...more },
  }
}

const alteredAnnouncement = (
  event: Announcement,
  change: Readonly<Record<string, unknown>>,
): Announcement => ({ ...event, body: { ...(event.body as object), ...change } })

/** Counts the handover of an event of any capability. */
function countHandover(world: World, eventId: string, channel: EventChannel): void {
  const event = eventById(eventId, world)
  if (event) recordHandover(world.faults, event, channel)
}

function endWaiting({ ordering, announcements }: World, { eventId }: OfEvent): void {
  ordering.waiting.delete(eventId)
  announcements.waiting.delete(eventId)
}

export interface EventAltered extends OfEvent {
  readonly change: Readonly<Record<string, unknown>>
  /** The undo step, when changed by hand. */
  readonly step?: number
}

export const eventFacts = {
  /** The Ordering Application emitted an event. */
  'event.emitted': factRow<{ event: EmittedEvent }>({
    text: ({ event }) => `${event.eventType} emitted`,
    orderId: ({ event }) => event.orderId,
    apply({ ordering: { events, orders } }, { event }) {
      events.set(event.eventId, event)
      const record = orders.get(event.orderId)
      if (record)
        orders.set(event.orderId, {
          ...record,
          lastEvent: event.eventType,
          eventIds: record.eventIds.concat(event.eventId),
        })
    },
  }),
  /** The host of another capability announced an event. */
  'event.announced': factRow<{ event: Announcement }>({
    text: ({ event }) =>
      `${shortRoleName[event.from]} announces ${eventTitle(event.body) ?? event.eventType}`,
    orderId: ({ event }) => event.orderId,
    apply: ({ announcements }, { event }) =>
      setBounded(announcements.events, event.eventId, event, maxAnnouncements),
  }),
  /** Fields of an event were changed; recorded for undo, if by hand. */
  'event.altered': eventFactRow<EventAltered>(
    (type, { change }) => `${type} was changed: ${Object.keys(change).join(', ')}`,
    (world, { eventId, change, step }) => {
      const { ordering, announcements, edits } = world
      const before = eventById(eventId, world)
      const event = ordering.events.get(eventId)
      if (event) ordering.events.set(eventId, alteredEvent(event, change))
      const other = announcements.events.get(eventId)
      if (other) announcements.events.set(eventId, alteredAnnouncement(other, change))
      const after = eventById(eventId, world)
      if (step !== undefined && before && after)
        recordChange(edits, { kind: 'event', step, word: 'edit', eventId, before, after })
    },
  ),
  /** An event was put into the mailbox for polls. */
  'event.offered': eventFactRow<OfEvent>(
    (type) => `${type} queued for polling`,
    (world, { eventId }) => {
      countHandover(world, eventId, 'polling')
      const { mailbox } = world.ordering
      setBounded(mailbox, eventId, (mailbox.get(eventId) ?? 0) + 1, worldBounds.mailbox)
    },
  ),
  /**
   * A poll was answered with these events; `names` are the ids used in that answer, where every poll gets fresh ids.
   */
  'events.polled': factRow<{ eventIds: readonly string[]; names?: readonly string[] }>({
    text: ({ eventIds }) => `${listCount(eventIds, 'event')} polled`,
    apply({ faults, ordering }, { eventIds, names = [] }) {
      faults.polls++
      for (const [index, name] of names.entries())
        setBounded(ordering.eventIdByAlias, name, eventIds[index] ?? '', worldBounds.eventNames)
    },
  }),
  /** Polled events were acknowledged; `filtered` when the host did so for a client that filters them out. */
  'events.acknowledged': factRow<{
    eventIds: readonly string[]
    unknown?: readonly string[]
    filtered?: true
  }>({
    text: ({ eventIds, filtered }) =>
      `${listCount(eventIds, 'event')} acknowledged${filtered ? ', filtered out' : ''}`,
    apply({ ordering: { mailbox } }, { eventIds }) {
      for (const eventId of eventIds) mailbox.delete(eventId)
    },
  }),
  /** A webhook was accepted by its receiver. */
  'event.pushed': eventFactRow<OfEvent & { attempt: number; status: number }>(
    (type, { status }) => `${type} delivered by webhook (${status})`,
    (world, fact) => {
      countHandover(world, fact.eventId, 'webhook')
      endWaiting(world, fact)
      const { endpoints, events } = world.announcements
      endpoints.delete(webhookKey(events.get(fact.eventId)))
    },
  ),
  /** A webhook failed. */
  'event.push-failed': eventFactRow<PushFailed>(
    (type, { attempt, because }) => `Webhook ${type} failed (attempt ${attempt}): ${because}`,
    (world, fact, at) => {
      endWaiting(world, fact)
      const { events, pausedUntil, endpoints } = world.announcements
      const { eventId, retryAfterMs } = fact
      const key = webhookKey(events.get(eventId))
      const { failures, isOff } = endpoints.get(key) ?? untroubled
      endpoints.set(key, { failures: failures + 1, isOff })
      if (retryAfterMs !== undefined) pausedUntil.set(key, at + retryAfterMs)
    },
  ),
  /** A webhook waits until its receiver may be called. */
  'event.waiting': eventFactRow<OfEvent & { attempt: number }>(
    (type) => `${type} queued for a webhook`,
    ({ ordering, announcements }, { eventId, attempt }) => {
      if (announcements.events.has(eventId))
        setBounded(announcements.waiting, eventId, attempt, maxAnnouncements)
      else ordering.waiting.set(eventId, attempt)
    },
  ),
  /** An endpoint is sent nothing more. */
  'webhook.disabled': factRow<OfWebhook & { failures: number }>({
    text: ({ webhook, failures }) =>
      `webhooks switched off after ${failures} failures in a row: ${webhook}`,
    apply: ({ announcements: { endpoints } }, { webhook, failures }) =>
      void endpoints.set(webhook, { failures, isOff: true }),
  }),
  /** It is tried again: one more failure switches it off once more. */
  'webhook.enabled': factRow<OfWebhook>({
    text: ({ webhook }) => `webhooks switched on again: ${webhook}`,
    apply({ announcements: { endpoints } }, { webhook }) {
      const { failures } = endpoints.get(webhook) ?? untroubled
      endpoints.set(webhook, { failures, isOff: false })
    },
  }),
  /** The retry plan is exhausted: the event will not be sent again. */
  'event.given-up': eventFactRow<OfEvent & { attempts: number }>(
    (type, { attempts }) => `${type} given up after ${attempts}`,
    endWaiting,
  ),
}
