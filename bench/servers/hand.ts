/**
 * The baseline of Orders: the same work on node:http and zod, hand-written for these few calls. Bodies are validated,
 * transitions checked, 202 now and the effect later, JSON of the order for GET. Features that only a mock partner has
 * are left out: no traffic log, no editable agenda, no seed.
 */
import { z } from 'zod'
import { createPress } from '../documents.ts'
import { answered, type HandAnswer, invalid, notFound, problem, serve } from './hand-http.ts'
import { createShop } from './hand-shop.ts'

const { orders: file } = JSON.parse(process.argv[2] ?? '{}') as { orders: string }
const nextOrder = createPress(file)
const shop = createShop()
let base = ''

const Call = z.looseObject({ reason: z.string().optional(), createdAt: z.string().optional() })
const Acknowledgment = z.looseObject({ eventIds: z.array(z.string().min(1)).max(2000) })

function get(path: string): HandAnswer {
  if (path === '/events:polling') {
    const events = shop.poll()
    if (events.length === 0) return answered(204)
    const views = events.map((event) => ({ ...event, orderURL: `${base}/orders/${event.orderId}` }))
    return answered(200, views)
  }
  const record = path.startsWith('/orders/') ? shop.order(path.slice(8)) : undefined
  if (!record) return notFound()
  const { document, status, lastEvent } = record
  return answered(200, { ...document, status, lastEvent })
}

function post(path: string, _query: string, body: unknown): HandAnswer {
  if (path === '/events/acknowledgment') {
    const parsed = Acknowledgment.safeParse(body)
    if (!parsed.success) return invalid()
    shop.acknowledge(parsed.data.eventIds)
    return answered(202)
  }
  const [, orders, orderId = '', trigger = ''] = path.split('/')
  if (orders !== 'orders') return notFound()
  if (!Call.safeParse(body).success) return invalid()
  const status = shop.ask(orderId, trigger)
  if (status === 202) return answered(status)
  return status === 404 ? notFound() : problem(status, 'INVALID_TRANSITION')
}

serve({
  scope: 'orders',
  get,
  post,
  later: shop.later,
  create: (count) => Array.from({ length: count }, () => shop.create(nextOrder())),
  up: (url) => (base = url),
})
