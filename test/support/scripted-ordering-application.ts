/**
 * A scripted Ordering Application, as a fetch handler. It is written by hand and shares no code with the product, so
 * common
 * mistakes show. It records every call, moves its orders by the protocol unless disabled, and replies as the test says.
 */
import type { StoredOrder } from './minimal-order.ts'

export type OriginatorOperation = (typeof routes)[number]['name'] | 'nothing'

export interface OriginatorCall {
  readonly name: OriginatorOperation
  readonly method: string
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: Record<string, unknown>
  readonly orderId: string
  readonly itemId: string
}

export interface OriginatorReply {
  readonly status: number
  readonly body?: unknown
  /** A body that is sent verbatim. */
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Reply to a call; undefined for the default. */
export type OriginatorScript = (
  seen: OriginatorCall,
) => OriginatorReply | undefined | Promise<OriginatorReply | undefined>

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

const routes = [
  { name: 'manifest', method: 'GET', path: /^\/\.well-known\/protocol$/, open: true },
  { name: 'token', method: 'POST', path: /^\/oauth\/token$/, open: true },
  { name: 'merchants', method: 'GET', path: /^\/merchants$/ },
  { name: 'poll', method: 'GET', path: /^\/events:polling$/ },
  { name: 'acknowledge', method: 'POST', path: /^\/events\/acknowledgment$/ },
  { name: 'order', method: 'GET', path: /^\/orders\/([^/]+)$/ },
  { name: 'confirm', method: 'POST', path: /^\/orders\/([^/]+)\/confirm$/ },
  { name: 'preparing', method: 'POST', path: /^\/orders\/([^/]+)\/preparing$/ },
  { name: 'ready-for-pickup', method: 'POST', path: /^\/orders\/([^/]+)\/ready-for-pickup$/ },
  { name: 'dispatch', method: 'POST', path: /^\/orders\/([^/]+)\/dispatch$/ },
  { name: 'delivered', method: 'POST', path: /^\/orders\/([^/]+)\/delivered$/ },
  { name: 'cancellation', method: 'POST', path: /^\/orders\/([^/]+)\/requestCancellation$/ },
  { name: 'item-cancel', method: 'POST', path: /^\/orders\/([^/]+)\/items\/([^/]+)\/cancel$/ },
] as const satisfies readonly {
  readonly name: string
  readonly method: string
  readonly path: RegExp
  readonly open?: true
}[]

export interface Originator {
  readonly fetch: (request: Request) => Promise<Response>
  /** All calls, oldest first. */
  readonly calls: readonly OriginatorCall[]
  /** The calls of one operation, optionally for one order. */
  readonly callsOf: (name: OriginatorOperation, orderId?: string) => readonly OriginatorCall[]
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
  /** Sets the reply to an operation; the default one when omitted. */
  readonly script: (name: OriginatorOperation, scripted?: OriginatorScript) => void
  /** Queues replies that precede the default one. */
  readonly next: (name: OriginatorOperation, ...replies: readonly OriginatorReply[]) => void
  /** Invalidates all tokens. */
  readonly revoke: () => void
  /** The served manifest, as a template for others. */
  readonly manifest: () => Record<string, unknown>
}

const fault = (status: number, code: string): OriginatorReply => ({
  status,
  body: { error: { code, message: code, retryable: status === 429 || status >= 500 } },
})

export function createOriginator(options: OriginatorOptions = {}): Originator {
  const {
    base = 'http://ordering-application.test',
    moves = true,
    tokenLifeSeconds = 3600,
  } = options
  const endpoint = options.endpoint ?? base
  const calls: OriginatorCall[] = []
  const orders = new Map<string, StoredOrder>()
  const mailbox = new Map<string, WireEvent>()
  const tokens = new Set<string>()
  const scripts = new Map<OriginatorOperation, OriginatorScript>()
  let counted = 0

  const manifest = (): Record<string, unknown> => ({
    participantId: 'a-marketplace',
    protocolVersion: 'v2',
    protocol: { supportedVersions: ['v2'] },
    authentication: {
      supportedGrantTypes: ['client_credentials'],
      clientIdGeneration: ['by_app'],
    },
    capabilities: [
      {
        name: 'orders',
        role: 'ORIGINATOR',
        endpoint,
        operations: ['pollingEvents', 'acknowledgeEvents', 'getOrder', 'partialItemCancellation'],
        originator: { supported: true, supportsWebhook: true, supportsPolling: true },
      },
    ],
  })

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

  /** The default reply. */
  function usual({ name, orderId, itemId, json }: OriginatorCall): OriginatorReply {
    const order = orders.get(orderId)
    switch (name) {
      case 'manifest':
        return { status: 200, body: manifest() }
      case 'token': {
        const token = `token-${++counted}`
        tokens.add(token)
        return {
          status: 200,
          body: { access_token: token, token_type: 'bearer', expires_in: tokenLifeSeconds },
        }
      }
      case 'merchants':
        return { status: 200, body: [{ merchantId: 'loja-1', name: 'Loja Um', status: 'OPEN' }] }
      case 'poll':
        return mailbox.size === 0 ? { status: 204 } : { status: 200, body: [...mailbox.values()] }
      case 'acknowledge':
        for (const id of json['eventIds'] as string[]) mailbox.delete(id)
        return { status: 202 }
      case 'nothing':
        return fault(404, 'NOT_FOUND')
      case 'order':
        return order ? { status: 200, body: order } : fault(404, 'NOT_FOUND')
      case 'item-cancel': {
        const item = order?.items.find(({ id }) => id === itemId)
        if (!moves || !item) return { status: item ? 202 : 404 }
        item.status = json['quantity'] === undefined ? 'CANCELLED' : 'PARTIALLY_CANCELLED'
        announce(orderId, 'ITEM_CANCELLED', { metadata: { itemId } })
        return { status: 202 }
      }
      default:
        move(orderId, name)
        return order ? { status: 202 } : fault(404, 'NOT_FOUND')
    }
  }

  function isWelcome({ name, headers }: OriginatorCall): boolean {
    const route = routes.find((each) => each.name === name)
    if (!route || 'open' in route) return true
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '') ?? []
    return tokens.has(token)
  }

  async function see(request: Request): Promise<OriginatorCall> {
    const text = await request.text()
    const { pathname } = new URL(request.url)
    const prefix = new URL(endpoint).pathname.replace(/\/$/, '')
    const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname
    const route = routes.find((each) => each.method === request.method && each.path.test(path))
    const [, orderId = '', itemId = ''] = route?.path.exec(path) ?? []
    const isJson = (request.headers.get('content-type') ?? '').includes('json') && text !== ''
    return {
      name: route?.name ?? 'nothing',
      method: request.method,
      url: request.url,
      path,
      headers: Object.fromEntries(request.headers),
      text,
      json: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
      orderId: decodeURIComponent(orderId),
      itemId: decodeURIComponent(itemId),
    }
  }

  return {
    calls,
    orders,
    manifest,
    announce,
    callsOf: (name, orderId) =>
      calls.filter((call) => call.name === name && (orderId ?? call.orderId) === call.orderId),
    callNames: (orderId) =>
      calls.filter((call) => call.orderId === orderId).map(({ name }) => name),
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
    script(name, scripted = () => undefined) {
      scripts.set(name, scripted)
    },
    next(name, ...replies) {
      const left = [...replies]
      scripts.set(name, () => left.shift())
    },
    revoke: () => tokens.clear(),
    async fetch(request) {
      const seen = await see(request)
      calls.push(seen)
      const scripted = await scripts.get(seen.name)?.(seen)
      const reply = scripted ?? (isWelcome(seen) ? usual(seen) : fault(401, 'UNAUTHORIZED'))
      const text = reply.text ?? (reply.body === undefined ? null : JSON.stringify(reply.body))
      return new Response(text, {
        status: reply.status,
        headers: {
          ...(text === null ? {} : { 'content-type': 'application/json' }),
          ...reply.headers,
        },
      })
    },
  }
}
