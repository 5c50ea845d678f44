/**
 * Makes a V1 service of the reference service: its V2 calls go out as V1 calls, and what a V1 host answers comes back as
 * V2. The judge sees V1 traffic only.
 */
import { furtherStatus, v1StatusOfEvent } from '../../src/core/protocol/v1/events.ts'
import type { OrderStatus, OrderType } from '../../src/core/protocol/orders/order.ts'
import type { Wire } from './in-process-harness.ts'

const manifest = {
  participantId: 'v1-partner',
  protocolVersion: '2.0.0',
  protocol: { supportedVersions: ['2.0.0'] },
  authentication: {
    supportedGrantTypes: ['client_credentials'],
    clientIdGeneration: ['by_merchant'],
  },
  capabilities: { orders: { originator: {} } },
}

const statusByCall: Readonly<Partial<Record<string, OrderStatus>>> = {
  confirm: 'CONFIRMED',
  preparing: 'PREPARING',
  'ready-for-pickup': 'READY',
  dispatch: 'IN_DELIVERY',
}

interface KnownOrder {
  readonly type?: OrderType | undefined
  readonly status?: OrderStatus | undefined
}

interface WireEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string
}

/** What a V1 order says, as the document of V2 that the reference service reads. */
function documentOf(order: Readonly<Record<string, unknown>>, { status, type }: KnownOrder) {
  return { ...order, status: status ?? 'CREATED', fulfillment: { orderType: type ?? 'TAKEOUT' } }
}

/** Made anew for each run: a V1 order has no status, so the last one that its events told is remembered. */
export function createV1Wire(): Wire {
  const orders = new Map<string, KnownOrder>()
  const events = new Map<string, WireEvent>()

  function learn(orderId: string, { type, status }: KnownOrder): KnownOrder {
    const before = orders.get(orderId)
    const known = { type: type ?? before?.type, status: furtherStatus(before?.status, status) }
    orders.set(orderId, known)
    return known
  }

  function bodyOf(call: string, body: Readonly<Record<string, unknown>>, now: number): unknown {
    if (call === 'confirm')
      return { createdAt: new Date(now).toISOString(), orderExternalCode: 'a', ...body }
    if (call !== 'acknowledgment') return body
    return (body['eventIds'] as readonly string[]).map((id) => {
      const { orderId = 'unknown', eventType = 'CREATED' } = events.get(id) ?? {}
      return { id, orderId, eventType }
    })
  }

  async function answerOf(answer: Response, call: string): Promise<Response> {
    if (answer.status !== 200 || !['orders', 'events:polling'].includes(call)) return answer
    const text = await answer.text()
    const init = { status: answer.status, headers: answer.headers }
    try {
      const json = JSON.parse(text) as unknown
      if (Array.isArray(json)) {
        for (const event of json as readonly WireEvent[]) {
          events.set(event.eventId, event)
          learn(event.orderId, { status: v1StatusOfEvent(event.eventType) })
        }
        return new Response(text, init)
      }
      const order = json as { id: string; type: OrderType; lastEvent?: string }
      const known = learn(order.id, { type: order.type, status: v1StatusOfEvent(order.lastEvent) })
      return new Response(JSON.stringify(documentOf({ ...order }, known)), init)
    } catch {
      return new Response(text, init)
    }
  }

  /** The name of a V1 call; undefined where V1 asks for none. */
  function v1CallOf(call: string, orderId: string): string | undefined {
    if (call === 'ready-for-pickup') return 'readyForPickup'
    if (call !== 'delivered') return call
    const type = orders.get(orderId)?.type
    return type === 'DELIVERY' ? call : type === 'TAKEOUT' ? 'pickedUp' : undefined
  }

  return async (request, next, clock) => {
    const url = new URL(request.url)
    const [, root = '', orderId = '', call = ''] = url.pathname.split('/')
    if (root === '.well-known') return Response.json(manifest)
    if (root === 'oauth') {
      const form = new URLSearchParams(await request.text())
      // One scope covers everything.
      form.delete('scope')
      return next(new Request(url, { method: 'POST', body: form, signal: request.signal }))
    }
    if (root !== 'orders' && !root.startsWith('events')) return next(request)
    const name = root === 'orders' && call !== '' ? v1CallOf(call, orderId) : call
    if (name === undefined) return new Response(null, { status: 202 })
    url.pathname = `/v1/${[root, orderId, name].filter((part) => part !== '').join('/')}`
    const text = request.method === 'GET' ? undefined : await request.text()
    const isBodyNeeded = text !== undefined && (text !== '' || call === 'confirm')
    const json = isBodyNeeded ? (JSON.parse(text || '{}') as Record<string, unknown>) : {}
    const body = bodyOf(root === 'events' ? 'acknowledgment' : call, json, clock.now())
    const sent = new Request(url, {
      method: request.method,
      headers: request.headers,
      signal: request.signal,
      ...(isBodyNeeded ? { body: JSON.stringify(body) } : {}),
    })
    const answer = await next(sent)
    // A step that was taken before is 422: no other answer tells what an informational last event hides.
    if (answer.status === 422) learn(orderId, { status: statusByCall[call] })
    return answerOf(answer, call === '' ? root : call)
  }
}
