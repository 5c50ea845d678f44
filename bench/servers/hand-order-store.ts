/**
 * Hand-written order store, as for this one purpose: orders, and the mailbox of events for polls. No engine, no agenda, no
 * reactors; every effect is called directly, and nothing is stored that no answer shows.
 */
import { randomUUID } from 'node:crypto'
import type { BenchOrder } from '../documents.ts'
import { concludeDelayMs } from '../load/jobs.ts'
import { randomBetween, createDelayQueue, type DelayQueue } from './hand-queue.ts'

interface OrderRecord {
  readonly document: BenchOrder
  readonly status: string
  readonly lastEvent: string
}

interface ShopEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly createdAt: string
  readonly sourceAppId: string | undefined
}

/** Events in the answer to a poll. */
const maxPolled = 100

interface Transition {
  readonly from: readonly string[]
  readonly to: string
  readonly emits: string
  /** The only order type that it applies to. */
  readonly only?: string
}

/** Statuses in the order in which an order has them. */
const statuses = [
  'CREATED',
  'CONFIRMED',
  'PREPARING',
  'READY',
  'IN_DELIVERY',
  'DELIVERED',
  'CONCLUDED',
]

/** Transitions by call: allowed statuses, new status and emitted event. */
const transitions: Readonly<Record<string, Transition>> = {
  confirm: { from: ['CREATED'], to: 'CONFIRMED', emits: 'CONFIRMED' },
  preparing: { from: ['CONFIRMED'], to: 'PREPARING', emits: 'PREPARING' },
  'ready-for-pickup': { from: ['PREPARING', 'CONFIRMED'], to: 'READY', emits: 'READY_FOR_PICKUP' },
  dispatch: { from: ['READY'], to: 'IN_DELIVERY', emits: 'DISPATCHED', only: 'DELIVERY' },
  delivered: { from: ['READY', 'IN_DELIVERY'], to: 'DELIVERED', emits: 'DELIVERED' },
}

const conclusion: Transition = { from: ['DELIVERED'], to: 'CONCLUDED', emits: 'CONCLUDED' }

export interface HandOrderStore {
  readonly create: (document: BenchOrder) => string
  readonly order: (orderId: string) => OrderRecord | undefined
  /** `202`, or the error status; the effect follows later. */
  readonly ask: (orderId: string, trigger: string) => 202 | 404 | 409
  readonly poll: () => readonly ShopEvent[]
  readonly acknowledge: (eventIds: readonly string[]) => void
  readonly later: DelayQueue
}

export function createHandOrderStore(): HandOrderStore {
  const orders = new Map<string, OrderRecord>()
  /** By event id, in order of their creation, until they are acknowledged. */
  const mailbox = new Map<string, ShopEvent>()
  const later = createDelayQueue()

  /** Stores the order with its new event. */
  function announce(record: Omit<OrderRecord, 'lastEvent'>, eventType: string): void {
    const { id, sourceAppId } = record.document
    const event: ShopEvent = {
      eventId: randomUUID(),
      eventType,
      orderId: id,
      createdAt: new Date().toISOString(),
      sourceAppId,
    }
    mailbox.set(event.eventId, event)
    orders.set(id, { ...record, lastEvent: eventType })
  }

  function effect(orderId: string, move: Transition): void {
    const record = orders.get(orderId)
    if (!record || !move.from.includes(record.status)) return
    announce({ ...record, status: move.to }, move.emits)
    if (move.to === 'DELIVERED')
      later.push({
        at: Date.now() + concludeDelayMs,
        run: () => effect(orderId, conclusion),
      })
  }

  return {
    later,
    order: (orderId) => orders.get(orderId),
    create(document) {
      announce({ document, status: 'CREATED' }, 'CREATED')
      return document.id
    },
    ask(orderId, trigger) {
      const record = orders.get(orderId)
      const move = transitions[trigger]
      if (!record || !move) return 404
      if (move.only && move.only !== record.document.fulfillment.orderType) return 409
      if (statuses.indexOf(record.status) >= statuses.indexOf(move.to)) return 202
      if (!move.from.includes(record.status)) return 409
      later.push({ at: Date.now() + randomBetween(80, 150), run: () => effect(orderId, move) })
      return 202
    },
    poll() {
      const found: ShopEvent[] = []
      for (const event of mailbox.values()) if (found.push(event) === maxPolled) break
      return found
    },
    acknowledge(eventIds) {
      for (const eventId of eventIds) mailbox.delete(eventId)
    },
  }
}
