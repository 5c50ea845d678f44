/** Projection of the journal: order slots, their statuses, events and their acknowledgments. */
import { createDigest } from '../engine/digest.ts'
import type { Fact } from '../engine/fact.ts'
import type { Instant } from '../engine/instant.ts'
import { isFinalStatus } from '../rules/invariants/tracking/status-rank.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'
import type { Session } from '../session-api/session.ts'

interface KnownEvent {
  readonly eventType: string
  /** The role that it is handed over to. */
  readonly to: Role
  readonly orderId: string | undefined
}

export interface OrderLog {
  readonly read: () => void
  /** Order ids by slot, oldest first. */
  readonly slots: ReadonlyMap<string, string>
  readonly slotOf: (orderId: string) => string | undefined
  /** Statuses of an order, oldest first. */
  readonly statusesOf: (orderId: string) => readonly OrderStatus[]
  /** Whether the last known status is final. */
  readonly hasEnded: (orderId: string) => boolean
  readonly events: ReadonlyMap<string, KnownEvent>
  readonly acknowledge: (eventId: string, at: Instant) => void
  /** Marks an event as carried by an exchange. */
  readonly markReached: (eventId: string) => void
  /** Events that reached the subject or its mailbox; not those lost on the way. */
  readonly reached: ReadonlySet<string>
  /** Events in the mailbox that have not been acknowledged. */
  readonly unacknowledged: () => readonly KnownEvent[]
  /** Ids of acknowledged events. */
  readonly acknowledged: ReadonlySet<string>
  /** Ids of events whose acknowledgment took effect, whether or not it was answered. */
  readonly acknowledgedAtHost: ReadonlySet<string>
  /** Reasons of all manifest rejections; empty once the manifest was accepted. */
  readonly manifestRejections: () => readonly string[]
  /** Instant of the last fact that is not bookkeeping. */
  readonly lastChange: () => Instant
  readonly facts: () => number
  /** Hash over all facts since the beginning; equal for equal runs. */
  readonly digest: () => string
}

/** Bookkeeping facts that recur for ever. */
const bookkeepingKinds: ReadonlySet<string> = new Set([
  'events.polled',
  'ticket.polled',
  'fault.passed',
  // A courier who waits for food.
  'delivery.waited',
])
const isChange = ({ kind }: Fact): boolean =>
  !bookkeepingKinds.has(kind) && !/^(agenda|pause|call|token|partner)\./.test(kind)

/** `hasDigest`: whether the facts are hashed, which takes longer than everything else that is read of them. */
export function createOrderLog(session: Session, subject: Role, hasDigest = true): OrderLog {
  const slots = new Map<string, string>()
  const byId = new Map<string, string>()
  const statusLists = new Map<string, OrderStatus[]>()
  const events = new Map<string, KnownEvent>()
  const unacknowledged = new Map<string, KnownEvent>()
  const acknowledged = new Set<string>()
  const acknowledgedAtHost = new Set<string>()
  const reached = new Set<string>()
  const digest = createDigest()
  /** Orders that our own side hosts: a status read by others is not new. */
  const hosted = new Set<string>()
  let accepted = false
  const rejections: string[] = []
  let last = 0
  let lastChange: Instant = 0

  function assignSlot(orderId: string): void {
    if (byId.has(orderId)) return
    const slot = `o${byId.size + 1}`
    byId.set(orderId, slot)
    slots.set(slot, orderId)
  }

  function recordStatus(orderId: string, to: OrderStatus): void {
    const statuses = statusLists.get(orderId)
    if (!statuses) statusLists.set(orderId, [to])
    else if (statuses.at(-1) !== to) statuses.push(to)
  }

  function settle(eventId: string): void {
    unacknowledged.delete(eventId)
    acknowledged.add(eventId)
  }

  function applyFact(fact: Fact): void {
    switch (fact.kind) {
      case 'order.created':
        hosted.add(fact.order.id)
        assignSlot(fact.order.id)
        return recordStatus(fact.order.id, 'CREATED')
      case 'order.moved':
        return recordStatus(fact.orderId, fact.to)
      case 'ticket.announced':
        return fact.eventType === 'CREATED' ? assignSlot(fact.orderId) : undefined
      case 'ticket.read':
        if (!hosted.has(fact.orderId)) recordStatus(fact.orderId, fact.status)
        return
      case 'event.emitted': {
        const { eventId, eventType, orderId } = fact.event
        return void events.set(eventId, { eventType, orderId, to: 'software-service' })
      }
      case 'event.announced': {
        const { eventId, eventType, orderId, to } = fact.event
        return void events.set(eventId, { eventType, orderId, to })
      }
      case 'event.offered': {
        const event = events.get(fact.eventId)
        reached.add(fact.eventId)
        if (event && !acknowledged.has(fact.eventId)) unacknowledged.set(fact.eventId, event)
        return
      }
      case 'events.acknowledged':
        return fact.eventIds.forEach((eventId) => {
          acknowledgedAtHost.add(eventId)
          settle(eventId)
        })
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
    const facts = session.facts(last)
    const first = facts[0]?.seq ?? 1
    for (const entry of facts.slice(Math.max(0, last + 1 - first))) {
      last = entry.seq
      applyFact(entry.fact)
      if (isChange(entry.fact)) lastChange = entry.at
      if (hasDigest) digest.add(JSON.stringify(entry))
    }
  }

  const statusesOf = (orderId: string): readonly OrderStatus[] => statusLists.get(orderId) ?? []

  return {
    read,
    slots,
    slotOf: (orderId) => byId.get(orderId),
    statusesOf,
    hasEnded: (orderId) => {
      const status = statusesOf(orderId).at(-1)
      return status !== undefined && isFinalStatus(status)
    },
    events,
    acknowledge: settle,
    markReached: (eventId) => void reached.add(eventId),
    reached,
    unacknowledged: () => [...unacknowledged.values()],
    acknowledged,
    acknowledgedAtHost,
    manifestRejections: () => (accepted ? [] : rejections),
    lastChange: () => lastChange,
    facts: () => last,
    digest: digest.text,
  }
}
