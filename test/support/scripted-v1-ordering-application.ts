/**
 * A scripted Ordering Application of protocol V1, as a fetch-style handler: V1 paths, V1 orders, events by polling.
 * Written from the V1 tables, not from the product.
 */
import type { Session } from '../../src/core/session-api/session.ts'
import { openSession } from '../../src/core/session/open-session.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import {
  createScriptedHost,
  type HostCall,
  type HostReply,
  type Json as Document,
  type ScriptedHost,
} from './scripted-host.ts'

interface V1Event {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly orderURL: string
  readonly createdAt: string
  readonly metadata?: Document
}

const operations = {
  poll: 'GET /v1/events:polling',
  acknowledge: 'POST /v1/events/acknowledgment',
  order: 'GET /v1/orders/{orderId}',
  step: 'POST /v1/orders/{orderId}/\\w+',
} as const

type OperationName = keyof typeof operations

export interface V1Originator extends Pick<ScriptedHost<OperationName>, 'fetch' | 'all' | 'calls'> {
  /** The last path segments of the calls for an order, without reads. */
  readonly callNames: (orderId: string) => readonly string[]
  readonly bodyOf: (orderId: string, call: string) => unknown
  readonly place: (order: Document & { readonly id: string }) => void
  /** Creates an event for polls. */
  readonly announce: (orderId: string, eventType: string, metadata?: Document) => V1Event
  readonly pending: () => number
  /** Status code for a call of an order; the default when undefined. */
  answer: (orderId: string, call: string) => number | undefined
}

export interface V1OriginatorOptions {
  /** Whether its orders have `lastEvent`. */
  readonly lastEvent?: boolean
  /** Calls announce no event. */
  readonly silent?: boolean
}

const base = 'http://ordering-application.test'

const brings: Readonly<Record<string, string>> = {
  confirm: 'CONFIRMED',
  preparing: 'PREPARING',
  readyForPickup: 'READY_FOR_PICKUP',
  dispatch: 'DISPATCHED',
  delivered: 'DELIVERED',
  pickedUp: 'PICKED_UP',
  acceptCancellation: 'CANCELLED',
  denyCancellation: 'CANCELLED_DENIED',
}

const lastOf = (path: string): string => path.split('/').at(-1) ?? ''

const brl = (value: number) => ({ value, currency: 'BRL' })

/** A minimal V1 order. */
export const aV1Order = (id: string, type = 'DELIVERY', more: Document = {}) => ({
  id,
  type,
  displayId: `#${id}`,
  createdAt: '2026-01-05T15:00:00Z',
  orderTiming: 'INSTANT',
  preparationStartDateTime: '2026-01-05T15:00:00Z',
  merchant: { id: 'loja-1', name: 'Loja Um' },
  items: [
    {
      id: 'x-burger',
      name: 'X-Burger',
      externalCode: '1',
      unit: 'UN',
      quantity: 2,
      unitPrice: brl(10),
      totalPrice: brl(20),
    },
  ],
  total: { itemsPrice: brl(20), otherFees: brl(0), discount: brl(0), orderAmount: brl(20) },
  payments: { prepaid: 20, pending: 0, methods: [] },
  sendPreparing: true,
  sendDelivered: type === 'DELIVERY',
  sendPickedUp: type === 'TAKEOUT',
  ...more,
})

/** A session on the virtual clock in which our Software Service works for this marketplace. */
export const openBesideV1Originator = (
  { fetch: handler }: V1Originator,
  options: SessionOptions = {},
): Promise<Session> =>
  openSession({
    dialect: 'v1',
    clock: 'virtual',
    listen: false,
    as: 'ordering-application',
    handler,
    ...options,
  })

export function createV1Originator(options: V1OriginatorOptions = {}): V1Originator {
  const orders = new Map<string, Document>()
  const mailbox = new Map<string, V1Event>()
  let counted = 0

  const announce: V1Originator['announce'] = (orderId, eventType, metadata) => {
    const event: V1Event = {
      eventId: `${eventType}-${++counted}`,
      eventType,
      orderId,
      orderURL: `${base}/v1/orders/${orderId}`,
      createdAt: '2026-01-05T15:00:00Z',
      ...(metadata ? { metadata } : {}),
    }
    mailbox.set(event.eventId, event)
    const order = orders.get(orderId)
    if (order && options.lastEvent) orders.set(orderId, { ...order, lastEvent: eventType })
    return event
  }

  const refused = (status: number): HostReply => ({ status, body: { title: 'no', status } })

  function step(orderId: string, call: string): HostReply {
    const scripted = originator.answer(orderId, call)
    if (scripted !== undefined) return refused(scripted)
    if (!orders.has(orderId)) return refused(404)
    const brought = brings[call]
    if (brought && !options.silent) announce(orderId, brought)
    return { status: call.endsWith('Cancellation') && call !== 'requestCancellation' ? 204 : 202 }
  }

  function reply({ name, path, orderId, json }: HostCall<OperationName>): HostReply {
    const order = orders.get(orderId)
    switch (name) {
      case 'poll':
        return mailbox.size === 0 ? { status: 204 } : { status: 200, body: [...mailbox.values()] }
      case 'acknowledge':
        for (const { id } of Object.values(json) as { id: string }[]) mailbox.delete(id)
        return { status: 202 }
      case 'step':
        return step(orderId, lastOf(path))
      default:
        return name === 'order' && order ? { status: 200, body: order } : refused(404)
    }
  }

  const host = createScriptedHost({
    operations,
    manifest: () => undefined,
    needsToken: true,
    reply,
  })
  const stepsOf = (orderId: string) =>
    host.calls.filter((call) => call.name === 'step' && call.orderId === orderId)

  const originator: V1Originator = {
    ...host,
    callNames: (orderId) => stepsOf(orderId).map(({ path }) => lastOf(path)),
    bodyOf: (orderId, call) => stepsOf(orderId).find(({ path }) => lastOf(path) === call)?.json,
    place(order) {
      orders.set(order.id, order)
      announce(order.id, 'CREATED')
    },
    announce,
    pending: () => mailbox.size,
    answer: () => undefined,
  }
  return originator
}
