/**
 * The baseline: the same work on node:http and zod, written by hand for these few calls. Token with its end and its
 * scope, bodies through a schema, transitions checked, 202 now and the effect later, JSON of the order for GET.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { answer } from '../asks.ts'
import { createPress } from '../documents.ts'
import { memory, usage } from './report.ts'
import { createShop } from './hand-shop.ts'

const { orders: file } = JSON.parse(process.argv[2] ?? '{}') as { orders: string }
const press = createPress(file)
const shop = createShop()
const token: string = crypto.randomUUID()
const tokens = new Map([[token, { until: Date.now() + 3_600_000, scopes: new Set(['orders']) }]])
let base = ''

const Call = z.looseObject({ reason: z.string().optional(), createdAt: z.string().optional() })
const Acknowledgment = z.looseObject({ eventIds: z.array(z.string().min(1)).max(2000) })

function reply(response: ServerResponse, status: number, body?: string): void {
  if (body === undefined) {
    response.writeHead(status, status === 204 ? {} : { 'content-length': 0 })
    response.end()
    return
  }
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

const problem = (response: ServerResponse, status: number, code: string): void =>
  reply(response, status, JSON.stringify({ error: { code, message: code } }))

/** The status of a request without the right to it; undefined when it has that. */
function refusal({ headers }: IncomingMessage): 401 | 403 | undefined {
  const { authorization } = headers
  if (!authorization?.startsWith('Bearer ')) return 401
  const known = tokens.get(authorization.slice(7))
  if (!known || known.until <= Date.now()) return 401
  return known.scopes.has('orders') ? undefined : 403
}

function get(path: string, response: ServerResponse): void {
  if (path === '/events:polling') {
    const events = shop.poll()
    if (events.length === 0) return reply(response, 204)
    const views = events.map((event) => ({ ...event, orderURL: `${base}/orders/${event.orderId}` }))
    return reply(response, 200, JSON.stringify(views))
  }
  if (!path.startsWith('/orders/')) return problem(response, 404, 'NOT_FOUND')
  const record = shop.order(path.slice(8))
  if (!record) return problem(response, 404, 'NOT_FOUND')
  const { document, status, lastEvent } = record
  reply(response, 200, JSON.stringify({ ...document, status, lastEvent }))
}

function post(path: string, text: string, response: ServerResponse): void {
  let body: unknown = {}
  try {
    if (text !== '') body = JSON.parse(text)
  } catch {
    return problem(response, 400, 'INVALID_PAYLOAD')
  }
  if (path === '/events/acknowledgment') {
    const parsed = Acknowledgment.safeParse(body)
    if (!parsed.success) return problem(response, 400, 'INVALID_PAYLOAD')
    shop.acknowledge(parsed.data.eventIds)
    return reply(response, 202)
  }
  const [, orders, orderId = '', trigger = ''] = path.split('/')
  if (orders !== 'orders') return problem(response, 404, 'NOT_FOUND')
  if (!Call.safeParse(body).success) return problem(response, 400, 'INVALID_PAYLOAD')
  const status = shop.ask(orderId, trigger)
  if (status === 202) return reply(response, status)
  problem(response, status, status === 404 ? 'NOT_FOUND' : 'INVALID_TRANSITION')
}

const server = createServer((request, response) => {
  const refused = refusal(request)
  if (refused) return problem(response, refused, refused === 401 ? 'UNAUTHORIZED' : 'FORBIDDEN')
  const { method, url = '/' } = request
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  if (method === 'GET') return get(path, response)
  if (method !== 'POST') return problem(response, 404, 'NOT_FOUND')
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => post(path, Buffer.concat(chunks).toString(), response))
})

/** What is due this soon is waited for; the end of a life comes much later. */
const soonMs = 2000

async function calm(): Promise<object> {
  while ((shop.later.nextAt() ?? Number.POSITIVE_INFINITY) < Date.now() + soonMs)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return {}
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  answer(
    {
      usage,
      memory,
      calm,
      create: ({ count }) => Array.from({ length: count }, () => shop.create(press())),
      stop: () => ({}),
    },
    { port, token },
  )
})
