/**
 * Hand-written order store, as for this one purpose: orders, their events, the mailbox for polls, and a bounded
 * journal. No engine, no agenda, no reactors; every effect is called directly.
 */
import { randomUUID } from 'node:crypto'
import type { BenchOrder } from '../documents.ts'
import { concludeDelayMs } from '../load/jobs.ts'
import { randomBetween, createDelayQueue, type DelayQueue } from './hand-queue.ts'

interface OrderRecord {
  readonly document: BenchOrder
  readonly status: string
  readonly lastEvent: string
  readonly history: readonly { readonly status: string; readonly at: number }[]
  readonly eventIds: readonly string[]
}

interface ShopEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly createdAt: string
  readonly sourceAppId: string | undefined
}

interface JournalEntry {
  readonly seq: number
  readonly at: number
  readonly kind: string
  readonly orderId: string
  readonly detail: string
}

const journalWindow = 20_000

interface Transition {
  readonly from: readonly string[]
  readonly to: string
  readonly emits: string
  /** The only order type that it applies to. */
  readonly only?: string
}

/** Transitions by call: allowed statuses, new status and emitted event. */
const transitions: Readonly<Record<string, Transition>> = {
  confirm: { from: ['CREATED'], to: 'CONFIRMED', emits: 'CONFIRMED' },
  preparing: { from: ['CONFIRMED'], to: 'PREPARING', emits: 'PREPARING' },
  'ready-for-pickup': { from: ['PREPARING', 'CONFIRMED'], to: 'READY', emits: 'READY_FOR_PICKUP' },
  dispatch: { from: ['READY'], to: 'IN_DELIVERY', emits: 'DISPATCHED', only: 'DELIVERY' },
  delivered: { from: ['READY', 'IN_DELIVERY'], to: 'DELIVERED', emits: 'DELIVERED' },
  conclude: { from: ['DELIVERED'], to: 'CONCLUDED', emits: 'CONCLUDED' },
}

export interface HandOrderStore {
  readonly create: (document: BenchOrder) => string
  readonly order: (orderId: string) => OrderRecord | undefined
  /** `202`, or the error status; the effect follows later. */
  readonly ask: (orderId: string, trigger: string) => 202 | 404 | 409
  readonly poll: () => readonly ShopEvent[]
  readonly acknowledge: (eventIds: readonly string[]) => void
  readonly emit: (orderId: string, eventType: string) => ShopEvent | undefined
  readonly note: (kind: string, orderId: string, detail: string) => void
  readonly later: DelayQueue
}

export function createHandOrderStore(): HandOrderStore {
  const orders = new Map<string, OrderRecord>()
  const events = new Map<string, ShopEvent>()
  const mailbox = new Set<string>()
  const journal: JournalEntry[] = []
  const later = createDelayQueue()
  let seq = 0

  function note(kind: string, orderId: string, detail: string): void {
    journal.push({ seq: ++seq, at: Date.now(), kind, orderId, detail })
    if (journal.length > journalWindow * 1.25) journal.splice(0, journal.length - journalWindow)
  }

  function emit(orderId: string, eventType: string): ShopEvent | undefined {
    const record = orders.get(orderId)
    if (!record) return undefined
    const event: ShopEvent = {
      eventId: randomUUID(),
      eventType,
      orderId,
      createdAt: new Date().toISOString(),
      sourceAppId: record.document.sourceAppId,
    }
    events.set(event.eventId, event)
    const eventIds = [...record.eventIds, event.eventId]
    orders.set(orderId, { ...record, lastEvent: eventType, eventIds })
    note('emitted', orderId, event.eventId)
    return event
  }

  function announce(orderId: string, eventType: string): void {
    const event = emit(orderId, eventType)
    if (!event) return
    mailbox.add(event.eventId)
    note('offered', orderId, event.eventId)
  }

  function effect(orderId: string, trigger: string): void {
    const record = orders.get(orderId)
    const move = transitions[trigger]
    if (!record || !move?.from.includes(record.status)) return
    const history = [...record.history, { status: move.to, at: Date.now() }]
    orders.set(orderId, { ...record, status: move.to, history })
    note('moved', orderId, move.to)
    announce(orderId, move.emits)
    if (move.to === 'DELIVERED')
      later.push({
        at: Date.now() + concludeDelayMs,
        run: () => effect(orderId, 'conclude'),
      })
  }

  return {
    later,
    note,
    emit,
    order: (orderId) => orders.get(orderId),
    create(document) {
      const history = [{ status: 'CREATED', at: Date.now() }]
      orders.set(document.id, {
        document,
        status: 'CREATED',
        lastEvent: 'CREATED',
        history,
        eventIds: [],
      })
      note('created', document.id, 'CREATED')
      announce(document.id, 'CREATED')
      return document.id
    },
    ask(orderId, trigger) {
      const record = orders.get(orderId)
      const move = transitions[trigger]
      if (!record || !move) return 404
      if (record.status === move.to) return 202
      if (!move.from.includes(record.status)) return 409
      if (move.only && move.only !== record.document.fulfillment.orderType) return 409
      note('requested', orderId, trigger)
      later.push({ at: Date.now() + randomBetween(80, 150), run: () => effect(orderId, trigger) })
      return 202
    },
    poll() {
      const found: ShopEvent[] = []
      for (const eventId of mailbox) {
        const event = events.get(eventId)
        if (event) found.push(event)
        if (found.length === 100) break
      }
      if (found.length > 0) note('polled', '', String(found.length))
      return found
    },
    acknowledge(eventIds) {
      for (const eventId of eventIds) mailbox.delete(eventId)
      note('acknowledged', '', String(eventIds.length))
    },
  }
}
