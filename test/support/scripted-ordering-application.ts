/**
 * A scripted Ordering Application, as a fetch handler. It is written by hand and shares no code with the product, so
 * common mistakes show. It records every call, moves its orders by the protocol unless disabled, and replies as the
 * test says.
 */
import type { StoredOrder } from './minimal-order.ts'
import {
  createScriptedHost,
  type HostCall,
  hostManifest,
  type HostReply,
  refusal,
  type ScriptedHost,
} from './scripted-host.ts'

export interface WireEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly createdAt: string
  readonly [field: string]: unknown
}

export interface OriginatorOptions {
  /** Its base URL in the session. */
  readonly base?: string
  /** Endpoint of Orders in its manifest; the base URL when absent. */
  readonly endpoint?: string
  /** Whether lifecycle calls move the order at once and announce it; true by default. */
  readonly moves?: boolean
  readonly tokenLifeSeconds?: number
}

const step = (to: string, eventType: string) => ({ to, eventType })
const steps: Readonly<Record<string, { readonly to: string; readonly eventType: string }>> = {
  confirm: step('CONFIRMED', 'CONFIRMED'),
  preparing: step('PREPARING', 'PREPARING'),
  'ready-for-pickup': step('READY', 'READY_FOR_PICKUP'),
  dispatch: step('IN_DELIVERY', 'DISPATCHED'),
  delivered: step('DELIVERED', 'DELIVERED'),
}

const operations = {
  poll: 'GET /events:polling',
  acknowledge: 'POST /events/acknowledgment',
  order: 'GET /orders/{orderId}',
  confirm: 'POST /orders/{orderId}/confirm',
  preparing: 'POST /orders/{orderId}/preparing',
  'ready-for-pickup': 'POST /orders/{orderId}/ready-for-pickup',
  dispatch: 'POST /orders/{orderId}/dispatch',
  delivered: 'POST /orders/{orderId}/delivered',
  cancellation: 'POST /orders/{orderId}/requestCancellation',
  'item-cancel': 'POST /orders/{orderId}/items/{itemId}/cancel',
} as const

type OperationName = keyof typeof operations

export interface Originator extends Omit<ScriptedHost<OperationName>, 'all' | 'of'> {
  /** All calls, oldest first. */
  readonly calls: readonly HostCall<OperationName>[]
  /** The calls of one operation, optionally for one order. */
  readonly callsOf: ScriptedHost<OperationName>['of']
  /** The names of the calls for an order, in order. */
  readonly callNames: (orderId: string) => readonly string[]
  readonly orders: ReadonlyMap<string, StoredOrder>
  /** Events that a poll would return now. */
  readonly pending: readonly WireEvent[]
  /** Adds an order and announces CREATED. */
  readonly place: (order: StoredOrder) => StoredOrder
  /** Changes an order without an event. */
  readonly change: (orderId: string, changes: Partial<StoredOrder>) => void
  /** Creates an event for polls; `lost` keeps it out of them. */
  readonly announce: (
    orderId: string,
    eventType: string,
    more?: Readonly<Record<string, unknown>> & { readonly lost?: true },
  ) => WireEvent
  /** The served manifest, as a template for others. */
  readonly manifest: () => Record<string, unknown>
}

export function createOriginator(options: OriginatorOptions = {}): Originator {
  const {
    base = 'http://ordering-application.test',
    moves = true,
    tokenLifeSeconds = 3600,
  } = options
  const endpoint = options.endpoint ?? base
  const orders = new Map<string, StoredOrder>()
  const mailbox = new Map<string, WireEvent>()
  let counted = 0

  const manifest = () =>
    hostManifest('a-marketplace', [
      {
        name: 'orders',
        role: 'ORIGINATOR',
        endpoint,
        operations: ['pollingEvents', 'acknowledgeEvents', 'getOrder', 'partialItemCancellation'],
        originator: { supported: true, supportsWebhook: true, supportsPolling: true },
      },
    ])

  const announce: Originator['announce'] = (orderId, eventType, { lost, ...more } = {}) => {
    const event: WireEvent = {
      eventId: `${eventType}-${++counted}`,
      eventType,
      orderId,
      orderURL: `${endpoint}/orders/${orderId}`,
      createdAt: '2026-01-05T15:00:00.000Z',
      ...more,
    }
    if (!lost) mailbox.set(event.eventId, event)
    const order = orders.get(orderId)
    if (order) order.lastEvent = eventType
    return event
  }

  function move(orderId: string, name: string): void {
    const order = orders.get(orderId)
    const transition = steps[name]
    if (!order || !transition || !moves || order.status === transition.to) return
    order.status = transition.to
    announce(orderId, transition.eventType)
  }

  function reply({ name, orderId, itemId, json }: HostCall<OperationName>): HostReply {
    const order = orders.get(orderId)
    switch (name) {
      case 'poll':
        return mailbox.size === 0 ? { status: 204 } : { status: 200, body: [...mailbox.values()] }
      case 'acknowledge':
        for (const id of json['eventIds'] as string[]) mailbox.delete(id)
        return { status: 202 }
      case 'nothing':
        return refusal(404, 'NOT_FOUND')
      case 'order':
        return order ? { status: 200, body: order } : refusal(404, 'NOT_FOUND')
      case 'item-cancel': {
        const item = order?.items.find(({ id }) => id === itemId)
        if (!moves || !item) return { status: item ? 202 : 404 }
        item.status = json['quantity'] === undefined ? 'CANCELLED' : 'PARTIALLY_CANCELLED'
        announce(orderId, 'ITEM_CANCELLED', { metadata: { itemId } })
        return { status: 202 }
      }
      default:
        move(orderId, name)
        return order ? { status: 202 } : refusal(404, 'NOT_FOUND')
    }
  }

  const host = createScriptedHost({
    operations,
    manifest,
    reply,
    prefix: new URL(endpoint).pathname.replace(/\/$/, ''),
    needsToken: true,
    tokenLifeSeconds,
    merchants: [{ merchantId: 'loja-1', name: 'Loja Um', status: 'OPEN' }],
  })

  return {
    ...host,
    calls: host.all,
    orders,
    manifest,
    announce,
    callsOf: host.of,
    callNames: (orderId) =>
      host.calls.filter((call) => call.orderId === orderId).map(({ name }) => name),
    get pending() {
      return [...mailbox.values()]
    },
    place(order) {
      orders.set(order.id, order)
      announce(order.id, 'CREATED')
      return order
    },
    change(orderId, changes) {
      const order = orders.get(orderId)
      if (order) Object.assign(order, changes)
    },
  }
}
