/**
 * A scripted Ordering Application of protocol V1, as a fetch-style handler: V1 paths, V1 orders, events by polling.
 * Written from
 * the V1 tables, not from the product.
 */
export interface V1Call {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly authorization: string | null
}

type Document = Readonly<Record<string, unknown>>

interface V1Event {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
  readonly orderURL: string
  readonly createdAt: string
  readonly metadata?: Document
}

export interface V1Originator {
  readonly fetch: (request: Request) => Promise<Response>
  /** All requests, oldest first. */
  readonly calls: readonly V1Call[]
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

export function createV1Originator(options: V1OriginatorOptions = {}): V1Originator {
  const calls: V1Call[] = []
  const orders = new Map<string, Document>()
  const mailbox = new Map<string, V1Event>()
  let counted = 0

  const json = (status: number, body?: unknown): Response =>
    new Response(body === undefined ? null : JSON.stringify(body), {
      status,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
    })

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

  function about(orderId: string, call: string): Response {
    const scripted = originator.answer(orderId, call)
    if (scripted !== undefined) return json(scripted, { title: 'no', status: scripted })
    if (!orders.has(orderId)) return json(404, { title: 'unknown', status: 404 })
    const brought = brings[call]
    if (brought && !options.silent) announce(orderId, brought)
    return json(call.endsWith('Cancellation') && call !== 'requestCancellation' ? 204 : 202)
  }

  function reply({ method, path, body, authorization }: V1Call): Response {
    if (path === '/oauth/token')
      return json(200, { access_token: 't', token_type: 'bearer', expires_in: 3600 })
    if (authorization !== 'Bearer t') return json(401, { title: 'who are you', status: 401 })
    if (path === '/v1/events:polling')
      return mailbox.size === 0 ? json(204) : json(200, [...mailbox.values()])
    if (path === '/v1/events/acknowledgment') {
      for (const { id } of body as { id: string }[]) mailbox.delete(id)
      return json(202)
    }
    const [, orderId = '', call] = /^\/v1\/orders\/([^/]+)(?:\/(\w+))?$/.exec(path) ?? []
    if (method === 'POST' && call) return about(orderId, call)
    const order = orders.get(orderId)
    return order && method === 'GET' && !call
      ? json(200, order)
      : json(404, { title: 'no', status: 404 })
  }

  const ofOrder = (orderId: string): readonly V1Call[] =>
    calls.filter(
      ({ method, path }) => method === 'POST' && path.startsWith(`/v1/orders/${orderId}/`),
    )

  const originator: V1Originator = {
    calls,
    callNames: (orderId) => ofOrder(orderId).map(({ path }) => path.split('/').at(-1) ?? ''),
    bodyOf: (orderId, call) => ofOrder(orderId).find(({ path }) => path.endsWith(`/${call}`))?.body,
    place(order) {
      orders.set(order.id, order)
      announce(order.id, 'CREATED')
    },
    announce,
    pending: () => mailbox.size,
    answer: () => undefined,
    async fetch(request) {
      const text = await request.text()
      const isJson = request.headers.get('content-type')?.includes('json') ?? false
      const { pathname } = new URL(request.url)
      const call: V1Call = {
        method: request.method,
        path: pathname,
        body: isJson && text !== '' ? (JSON.parse(text) as unknown) : text,
        authorization: request.headers.get('authorization'),
      }
      calls.push(call)
      return reply(call)
    },
  }
  return originator
}
