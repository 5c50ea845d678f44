/**
 * A test client for the Ordering Application of a real session, as a Software Service: HTTP with a token, on virtual
 * time.
 * `session` is for operator actions.
 */
import type { OrderEvent } from '../../src/core/protocol/orders/event.ts'
import type { ProgressionTrigger } from '../../src/core/protocol/orders/lifecycle.ts'
import type { Order, OrderStatus } from '../../src/core/protocol/orders/order.ts'
import type { NewOrder } from '../../src/core/session-api/session-api.ts'
import { ordersOnly } from './orders-only.ts'
import type { HostAnswer } from './host-client.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export type { HostAnswer as Answer } from './host-client.ts'

export interface OrdersWire extends Omit<HostSession, 'read'> {
  /** Creates an order at the Ordering Application; resolves with its id. */
  readonly create: (wish?: NewOrder) => Promise<string>
  /** GET of the order, which must exist. */
  readonly read: (orderId: string) => Promise<Order>
  /** A lifecycle call; resolves with the status code. */
  readonly ask: (orderId: string, call: string, body?: unknown) => Promise<number>
  /** One poll. */
  readonly poll: (query?: string) => Promise<readonly OrderEvent[]>
  readonly acknowledge: (events: readonly OrderEvent[]) => Promise<HostAnswer>
  /** Polls and acknowledges until nothing is pending; resolves with the events of the order, or of all. */
  readonly drain: (orderId?: string) => Promise<readonly OrderEvent[]>
  /** Brings a new order to a status by the calls leading there. */
  readonly bring: (orderId: string, status: OrderStatus) => Promise<void>
}

/**
 * Milliseconds; longer than the Ordering Application takes to apply a call, shorter than its delay before CONCLUDED.
 */
export const orderProcessingMs = 1000
/** Milliseconds; longer than its delay before CONCLUDED. */
export const orderConcludingMs = 31_000

const before: Readonly<Record<Exclude<OrderStatus, 'CREATED'>, OrderStatus>> = {
  CONFIRMED: 'CREATED',
  PREPARING: 'CONFIRMED',
  READY: 'PREPARING',
  IN_DELIVERY: 'READY',
  DELIVERED: 'READY',
  CANCELLED: 'CREATED',
  CONCLUDED: 'DELIVERED',
}

const calls: Readonly<Partial<Record<OrderStatus, ProgressionTrigger>>> = {
  CONFIRMED: 'confirm',
  PREPARING: 'preparing',
  READY: 'ready-for-pickup',
  IN_DELIVERY: 'dispatch',
  DELIVERED: 'delivered',
}

export async function openOrdersWire(options: HostSessionOptions = {}): Promise<OrdersWire> {
  const { subject, ...others } = options
  const host = await openHostSession('ordering-application', {
    automatic: false,
    capabilities: ordersOnly,
    ...others,
    subject: { role: 'software-service', ...subject },
  })
  const { session, send, pass } = host

  async function ask(orderId: string, call: string, body?: unknown): Promise<number> {
    const path = `/orders/${encodeURIComponent(orderId)}/${call}`
    return (await host.post(path, body)).status
  }

  async function poll(query = ''): Promise<readonly OrderEvent[]> {
    const answer = await send('GET', `/events:polling${query}`)
    if (answer.status === 204) return []
    if (answer.status !== 200) throw new Error(`a poll: ${answer.status} ${answer.text}`)
    return answer.json as OrderEvent[]
  }

  const acknowledge = (events: readonly OrderEvent[]): Promise<HostAnswer> =>
    host.post('/events/acknowledgment', { eventIds: events.map(({ eventId }) => eventId) })

  async function bring(orderId: string, status: OrderStatus): Promise<void> {
    if (status === 'CREATED') return
    await bring(orderId, before[status])
    const call = calls[status]
    if (call) await ask(orderId, call)
    if (status === 'CANCELLED')
      await session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    await pass(status === 'CONCLUDED' ? orderConcludingMs : orderProcessingMs)
  }

  return {
    ...host,
    async create(wish = {}) {
      const made = await session.createOrder(wish)
      if (!made.ok) throw new Error(`no order: ${made.error.message}`)
      await pass(0)
      return made.value.orderId
    },
    read: (orderId) => host.read<Order>(`/orders/${encodeURIComponent(orderId)}`),
    ask,
    poll,
    acknowledge,
    async drain(orderId) {
      const all: OrderEvent[] = []
      for (;;) {
        const events = await poll()
        if (events.length === 0) break
        all.push(...events)
        await acknowledge(events)
      }
      return orderId === undefined ? all : all.filter((event) => event.orderId === orderId)
    },
    bring,
  }
}

/** The event types, in order. */
export const eventTypesOf = (events: readonly OrderEvent[]): readonly string[] =>
  events.map(({ eventType }) => eventType)
