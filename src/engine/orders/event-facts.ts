/** What the facts about events change: the mailbox that polls see, and the webhooks that wait. */
import { unreachable } from '../../protocol/result.ts'
import { setBounded } from '../bounded.ts'
import { mostAnnouncements } from '../announcements/announcement.ts'
import type { EventFact } from '../fact.ts'
import { type World, worldBounds } from '../world.ts'

export function applyEvent({ ordering: world, announcements }: World, fact: EventFact): void {
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
      setBounded(announcements.events, fact.event.eventId, fact.event, mostAnnouncements)
      return
    case 'event.offered': {
      const copies = (world.mailbox.get(fact.eventId) ?? 0) + 1
      setBounded(world.mailbox, fact.eventId, copies, worldBounds.mailbox)
      return
    }
    case 'events.acknowledged':
      for (const eventId of fact.eventIds) world.mailbox.delete(eventId)
      return
    case 'event.waiting':
      if (announcements.events.has(fact.eventId))
        setBounded(announcements.waiting, fact.eventId, fact.attempt, mostAnnouncements)
      else world.waiting.set(fact.eventId, fact.attempt)
      return
    case 'event.pushed':
    case 'event.push-failed':
    case 'event.given-up':
      world.waiting.delete(fact.eventId)
      announcements.waiting.delete(fact.eventId)
      return
    case 'events.polled':
      for (const [index, name] of (fact.names ?? []).entries())
        setBounded(world.names, name, fact.eventIds[index] ?? '', worldBounds.eventNames)
      return
    default:
      return unreachable(fact)
  }
}
