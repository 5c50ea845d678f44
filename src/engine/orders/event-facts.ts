/** Applies facts about events: the mailbox for polls, and the webhooks that wait. */
import { assertNever } from '../../protocol/result.ts'
import { setBounded } from '../bounded.ts'
import { maxAnnouncements } from '../announcements/announcement.ts'
import type { EventFact } from '../fact.ts'
import type { Announcement } from '../announcements/announcement.ts'
import { recordHandover } from '../faults/apply.ts'
import { type World, worldBounds } from '../world.ts'
import type { EmittedEvent, EventChannel } from '../emitted-event.ts'

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

function alter(
  { ordering, announcements }: World,
  { eventId, change }: Extract<EventFact, { kind: 'event.altered' }>,
): void {
  const event = ordering.events.get(eventId)
  if (event) ordering.events.set(eventId, alteredEvent(event, change))
  const other = announcements.events.get(eventId)
  if (other) announcements.events.set(eventId, alteredAnnouncement(other, change))
}

/** Counts the handover of an event of any capability. */
function countHandover(
  { ordering, announcements, faults }: World,
  eventId: string,
  channel: EventChannel,
): void {
  const event = ordering.events.get(eventId) ?? announcements.events.get(eventId)
  if (event) recordHandover(faults, event, channel)
}

export function applyEvent(all: World, fact: EventFact): void {
  const { ordering: world, announcements } = all
  switch (fact.kind) {
    case 'event.emitted': {
      const { event } = fact
      world.events.set(event.eventId, event)
      const record = world.orders.get(event.orderId)
      if (record)
        world.orders.set(event.orderId, {
          ...record,
          lastEvent: event.eventType,
          eventIds: record.eventIds.concat(event.eventId),
        })
      return
    }
    case 'event.announced':
      setBounded(announcements.events, fact.event.eventId, fact.event, maxAnnouncements)
      return
    case 'event.altered':
      return alter(all, fact)
    case 'event.offered': {
      countHandover(all, fact.eventId, 'polling')
      const copies = (world.mailbox.get(fact.eventId) ?? 0) + 1
      setBounded(world.mailbox, fact.eventId, copies, worldBounds.mailbox)
      return
    }
    case 'events.acknowledged':
      for (const eventId of fact.eventIds) world.mailbox.delete(eventId)
      return
    case 'event.waiting':
      if (announcements.events.has(fact.eventId))
        setBounded(announcements.waiting, fact.eventId, fact.attempt, maxAnnouncements)
      else world.waiting.set(fact.eventId, fact.attempt)
      return
    case 'event.pushed':
      countHandover(all, fact.eventId, 'webhook')
      world.waiting.delete(fact.eventId)
      announcements.waiting.delete(fact.eventId)
      return
    case 'event.push-failed':
    case 'event.given-up':
      world.waiting.delete(fact.eventId)
      announcements.waiting.delete(fact.eventId)
      return
    case 'events.polled':
      all.faults.polls++
      for (const [index, name] of (fact.names ?? []).entries())
        setBounded(world.eventIdByAlias, name, fact.eventIds[index] ?? '', worldBounds.eventNames)
      return
    default:
      return assertNever(fact)
  }
}
