/**
 * The baseline of Orders: the same work on node:http and zod, hand-written for these few calls. Acknowledgments are
 * validated (the body of a call on an order has no meaning), transitions checked, 202 now and the effect later, JSON of
 * the order for GET. Features that only a mock partner has are left out: no traffic log, no editable agenda, no seed.
 */
import { z } from 'zod'
import { createOrderSource } from '../documents.ts'
import {
  jsonReply,
  type HandReply,
  invalidPayloadReply,
  notFoundReply,
  problemReply,
  serveByHand,
} from './hand-http.ts'
import { createHandOrderStore } from './hand-order-store.ts'

const { orders: file } = JSON.parse(process.argv[2] ?? '{}') as { orders: string }
const nextOrder = createOrderSource(file)
const shop = createHandOrderStore()
let base = ''

const Acknowledgment = z.looseObject({ eventIds: z.array(z.string().min(1)).max(2000) })

function get(path: string): HandReply {
  if (path === '/events:polling') {
    const events = shop.poll()
    if (events.length === 0) return jsonReply(204)
    const views = events.map((event) => ({ ...event, orderURL: `${base}/orders/${event.orderId}` }))
    return jsonReply(200, views)
  }
  const record = path.startsWith('/orders/') ? shop.order(path.slice(8)) : undefined
  if (!record) return notFoundReply()
  const { document, status, lastEvent } = record
  return jsonReply(200, { ...document, status, lastEvent })
}

function post(path: string, _query: string, body: unknown): HandReply {
  if (path === '/events/acknowledgment') {
    const parsed = Acknowledgment.safeParse(body)
    if (!parsed.success) return invalidPayloadReply()
    shop.acknowledge(parsed.data.eventIds)
    return jsonReply(202)
  }
  const [, orders, orderId = '', trigger = ''] = path.split('/')
  if (orders !== 'orders') return notFoundReply()
  const status = shop.ask(orderId, trigger)
  if (status === 202) return jsonReply(status)
  return status === 404 ? notFoundReply() : problemReply(status, 'INVALID_TRANSITION')
}

serveByHand({
  scope: 'orders',
  get,
  post,
  delayQueue: shop.later,
  create: (count) => Array.from({ length: count }, () => shop.create(nextOrder())),
  onListening: (url) => (base = url),
})
