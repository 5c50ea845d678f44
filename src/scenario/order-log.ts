/** Projection of the journal: order slots, their statuses, events and their acknowledgments. */
import type { Fact } from '../engine/fact.ts'
import type { Instant } from '../engine/instant.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'
import { createDigest } from './digest.ts'
import type { Session } from '../session-api/session.ts'

interface EventKnown {
  readonly eventType: string
  readonly orderId: string | undefined
}

export interface OrderLog {
  readonly read: () => void
  /** Order ids by slot, oldest first. */
  readonly slots: ReadonlyMap<string, string>
  readonly slotOf: (orderId: string) => string | undefined
  /** Statuses of an order, oldest first. */
  readonly way: (orderId: string) => readonly OrderStatus[]
  readonly events: ReadonlyMap<string, EventKnown>
  readonly acknowledge: (eventId: string, at: Instant) => void
  /** Marks an event as carried by an exchange. */
  readonly reach: (eventId: string) => void
  /** Events that reached the subject or its mailbox; not those lost on the way. */
  readonly reached: ReadonlySet<string>
  /** Events in the mailbox that have not been acknowledged. */
  readonly owed: () => readonly EventKnown[]
  /** Ids of acknowledged events. */
  readonly acknowledged: ReadonlySet<string>
  /** Reasons of all manifest rejections; empty once the manifest was accepted. */
  readonly rejections: () => readonly string[]
  /** Instant of the last fact that is not bookkeeping. */
  readonly lastNews: () => Instant
  readonly facts: () => number
  /** Hash over all facts since the beginning; equal for equal runs. */
  readonly digest: () => string
}

/** Bookkeeping facts that recur for ever. */
const noNews: ReadonlySet<string> = new Set(['events.polled', 'ticket.polled', 'fault.passed'])
const isNews = ({ kind }: Fact): boolean =>
  !noNews.has(kind) && !/^(agenda|pause|call|token|partner)\./.test(kind)

export function createOrderLog(session: Session, subject: Role): OrderLog {
  const slots = new Map<string, string>()
  const byId = new Map<string, string>()
  const ways = new Map<string, OrderStatus[]>()
  const events = new Map<string, EventKnown>()
  const owed = new Map<string, EventKnown>()
  const acknowledged = new Set<string>()
  const reached = new Set<string>()
  const digest = createDigest()
  /** Orders that our own side hosts: a status read by others is not new. */
  const hosted = new Set<string>()
  let accepted = false
  const rejections: string[] = []
  let last = 0
  let lastNews: Instant = 0

  function name(orderId: string): void {
    if (byId.has(orderId)) return
    const slot = `o${byId.size + 1}`
    byId.set(orderId, slot)
    slots.set(slot, orderId)
  }

  function moved(orderId: string, to: OrderStatus): void {
    const way = ways.get(orderId)
    if (!way) ways.set(orderId, [to])
    else if (way.at(-1) !== to) way.push(to)
  }

  function settle(eventId: string): void {
    owed.delete(eventId)
    acknowledged.add(eventId)
  }

  function take(fact: Fact): void {
    switch (fact.kind) {
      case 'order.created':
        hosted.add(fact.order.id)
        name(fact.order.id)
        return moved(fact.order.id, 'CREATED')
      case 'order.moved':
        return moved(fact.orderId, fact.to)
      case 'ticket.announced':
        return name(fact.orderId)
      case 'ticket.read':
        if (!hosted.has(fact.orderId)) moved(fact.orderId, fact.status)
        return
      case 'event.emitted':
      case 'event.announced': {
        const { eventId, eventType, orderId } = fact.event
        events.set(eventId, { eventType, orderId })
        return
      }
      case 'event.offered': {
        const event = events.get(fact.eventId)
        reached.add(fact.eventId)
        if (event && !acknowledged.has(fact.eventId)) owed.set(fact.eventId, event)
        return
      }
      case 'events.acknowledged':
        return fact.eventIds.forEach(settle)
      case 'event.pushed':
        return settle(fact.eventId)
      case 'partner.accepted':
        accepted ||= fact.partner === subject
        return
      case 'partner.rejected':
        if (fact.partner === subject && rejections.length < 100) rejections.push(fact.because)
        return
      default:
    }
  }

  function read(): void {
    const facts = session.facts()
    const first = facts[0]?.seq ?? 1
    for (const entry of facts.slice(Math.max(0, last + 1 - first))) {
      last = entry.seq
      take(entry.fact)
      if (isNews(entry.fact)) lastNews = entry.at
      digest.add(JSON.stringify(entry))
    }
  }

  return {
    read,
    slots,
    slotOf: (orderId) => byId.get(orderId),
    way: (orderId) => ways.get(orderId) ?? [],
    events,
    acknowledge: settle,
    reach: (eventId) => void reached.add(eventId),
    reached,
    owed: () => [...owed.values()],
    acknowledged,
    rejections: () => (accepted ? [] : rejections),
    lastNews: () => lastNews,
    facts: () => last,
    digest: digest.text,
  }
}
