/**
 * A restaurant POS in one file, written from the documents of the protocol and from nothing else: Fastify, events by
 * polling and acknowledgment, tickets in memory. It gets another token when the one that it has is turned away.
 *
 *   node fastify.mjs --port 3000 --partner http://127.0.0.1:7101 [--state pos.json] [--jitter 400] [--bug repeated-event]
 *
 * Each flag is also an environment variable: POS_PORT, POS_PARTNER, POS_STATE, POS_JITTER, POS_BUG …
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Fastify from 'fastify'

const bugs = ['repeated-event', 'two-in-one-poll']
const usual = {
  port: '3000',
  partner: 'http://127.0.0.1:7101',
  'client-id': 'subject',
  'client-secret': 'secret',
  'poll-every': '1200',
  state: '',
  jitter: '0',
  bug: '',
}
const environmentName = (flag) => `POS_${flag.toUpperCase().replaceAll('-', '_')}`
const { values: flags } = parseArgs({
  options: Object.fromEntries(
    Object.entries(usual).map(([flag, value]) => [
      flag,
      { type: 'string', default: process.env[environmentName(flag)] ?? value },
    ]),
  ),
})
if (flags.bug !== '' && !bugs.includes(flags.bug)) {
  process.stderr.write(`there is no bug ${flags.bug}; there are ${bugs.join(', ')}\n`)
  process.exit(2)
}
const has = (bug) => flags.bug === bug
const jitter = () => pause(Math.random() * Number(flags.jitter))

// ---- tickets ---------------------------------------------------------------------------------------------------------

let counter = 1000
const tickets = new Map()
const seen = new Set()
const most = 5000

async function load() {
  if (flags.state === '') return
  try {
    const kept = JSON.parse(await readFile(flags.state, 'utf8'))
    counter = kept.counter
    for (const ticket of kept.tickets) tickets.set(ticket.orderId, ticket)
    for (const id of kept.seen) seen.add(id)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

async function save() {
  if (flags.state === '') return
  const kept = { counter, tickets: [...tickets.values()], seen: [...seen] }
  await writeFile(`${flags.state}.new`, JSON.stringify(kept))
  await rename(`${flags.state}.new`, flags.state)
}

// ---- the partner -----------------------------------------------------------------------------------------------------

let token
/** The token that is being fetched. */
let fetching

async function bearer() {
  if (token && token.until > Date.now()) return token.value
  fetching ??= fetchToken().finally(() => {
    fetching = undefined
  })
  return fetching
}

async function fetchToken() {
  const response = await fetch(new URL('/oauth/token', flags.partner), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: flags['client-id'],
      client_secret: flags['client-secret'],
      scope: 'proto.orders',
    }),
    signal: AbortSignal.timeout(10_000),
  })
  if (!response.ok) throw new Error(`no token: ${response.status}`)
  const { access_token: value, expires_in: seconds } = await response.json()
  token = { value, until: Date.now() + (seconds - 60) * 1000 }
  return value
}

/** By kind of call: the time before which Retry-After forbids another one. */
const heldUntil = new Map()

function holdBack(kind, retryAfter) {
  if (retryAfter === null) return
  const seconds = Number(retryAfter)
  heldUntil.set(kind, Number.isNaN(seconds) ? Date.parse(retryAfter) : Date.now() + seconds * 1000)
}

async function send(method, path, body) {
  const kind = `${method} ${path.replace(/^\/orders\/[^/]+/, '/orders/*')}`
  if (Date.now() < (heldUntil.get(kind) ?? 0)) throw new Error(`${kind} is held back`)
  const requestId = `pos-${randomUUID()}`
  for (let renewed = false; ; renewed = true) {
    const used = await bearer()
    const headers = { Accept: 'application/json', Authorization: `Bearer ${used}` }
    if (method === 'POST') headers['X-Request-Id'] = requestId
    if (body) headers['Content-Type'] = 'application/json'
    const response = await fetch(new URL(path, flags.partner), {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    })
    const payload = await response.text()
    holdBack(kind, response.headers.get('retry-after'))
    if (response.status === 401 && !renewed) {
      if (token?.value === used) token = undefined
      continue
    }
    return { status: response.status, json: payload === '' ? undefined : JSON.parse(payload) }
  }
}

async function act(ticket, action, body) {
  await jitter()
  const { status } = await send('POST', `/orders/${ticket.orderId}/${action}`, body)
  ticket.log.push({ id: randomUUID(), action, status, at: Date.now() })
  if (status >= 500 || status === 429 || status === 401) throw new Error(`${action}: ${status}`)
  // What was refused for good waits for an event.
  if (status >= 400) ticket.refusedIn = ticket.status
  else delete ticket.refusedIn
  return status
}

// ---- the counter -----------------------------------------------------------------------------------------------------

async function open(orderId) {
  const { status, json: order } = await send('GET', `/orders/${orderId}`)
  if (status !== 200) throw new Error(`order ${orderId}: ${status}`)
  const ticket = {
    ticket: `T-${++counter}`,
    key: randomBytes(12).toString('hex'),
    orderId,
    profile: order.fulfillment.orderType,
    status: order.status,
    log: [],
  }
  tickets.set(orderId, ticket)
  return ticket
}

const quietMs = 20_000

const closed = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

/** What an event makes of a ticket, and what is called because of it. */
const steps = {
  CREATED: { call: () => ['confirm', { estimatedPreparationTimeMinutes: 15 }] },
  CONFIRMED: { status: 'CONFIRMED', call: () => ['preparing'] },
  PREPARING: { status: 'PREPARING', call: () => ['ready-for-pickup'] },
  READY_FOR_PICKUP: {
    status: 'READY',
    call: ({ profile }) => [profile === 'DELIVERY' ? 'dispatch' : 'delivered'],
  },
  DISPATCHED: { status: 'IN_DELIVERY', call: () => ['delivered'] },
  DELIVERED: { status: 'DELIVERED' },
  CANCELLED: { status: 'CANCELLED' },
  CONCLUDED: {},
}

async function take(event) {
  const { eventId, eventType, orderId } = event
  const step = steps[eventType]
  if (step === undefined) return
  const ticket = tickets.get(orderId) ?? (await open(orderId))
  ticket.heardAt = Date.now()
  if (!has('repeated-event') && (seen.has(eventId) || closed.has(ticket.status))) return
  ticket.status = step.status ?? ticket.status
  if (step.call !== undefined) await act(ticket, ...step.call(ticket))
  seen.add(eventId)
  if (seen.size > most) seen.delete(seen.values().next().value)
}

/** Orders of which nothing was heard for a while: what GET says of them counts. */
async function catchUp() {
  for (const ticket of tickets.values()) {
    if (closed.has(ticket.status) || Date.now() - ticket.heardAt < quietMs) continue
    ticket.heardAt = Date.now()
    try {
      const { status, json: order } = await send('GET', `/orders/${ticket.orderId}`)
      if (status !== 200) continue
      ticket.status = order.status
      const step = Object.values(steps).find((each) => (each.status ?? 'CREATED') === order.status)
      if (step?.call === undefined || ticket.refusedIn === order.status) continue
      await act(ticket, ...step.call(ticket))
    } catch (error) {
      app.log.error(error.message)
    }
  }
  await save()
}

async function pollOnce() {
  const { status, json: events = [] } = await send('GET', '/events:polling')
  if (status !== 200 || events.length === 0) return
  let created = 0
  // What fails comes again with what follows it of the same order; other orders go on.
  const failed = new Set()
  const eventIds = []
  for (const event of events) {
    const isSkipped = event.eventType === 'CREATED' && has('two-in-one-poll') && created++ > 0
    try {
      if (failed.has(event.orderId)) continue
      if (!isSkipped) await take(event)
      eventIds.push(event.eventId)
    } catch (error) {
      app.log.error(error.message)
      failed.add(event.orderId)
    }
  }
  await save()
  if (eventIds.length > 0) await send('POST', '/events/acknowledgment', { eventIds })
}

async function poll() {
  for (;;) {
    try {
      await pollOnce()
      // It would make up for what the bugs leave undone.
      if (flags.bug === '') await catchUp()
    } catch (error) {
      app.log.error(error.message)
    }
    await jitter()
    await pause(Number(flags['poll-every']))
  }
}

// ---- what it serves --------------------------------------------------------------------------------------------------

const app = Fastify({ logger: { level: process.env.POS_LOG ?? 'silent' } })
const supportedOperations = [
  'getOrder',
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
]

app.get('/.well-known/protocol', async (request, reply) => {
  reply.header('Cache-Control', 'public, max-age=300').header('Access-Control-Allow-Origin', '*')
  return {
    participantId: 'pos-fastify',
    protocolVersion: 'v2',
    protocol: { supportedVersions: ['v2'] },
    authentication: { supportedGrantTypes: ['client_credentials'], clientIdGeneration: ['by_app'] },
    capabilities: [
      {
        name: 'orders',
        role: 'RECEIVER',
        version: 'v2',
        supported: true,
        endpoint: `http://${request.host}`,
        operations: supportedOperations,
        receiver: {
          supported: true,
          supportedOperations,
          unsupportedOperations: [
            'requestCancellation',
            'sendOrderTracking',
            'partialItemCancellation',
          ],
          supportsWebhook: false,
          supportsPolling: true,
        },
      },
    ],
  }
})

app.get('/orders/:orderId', async (request, reply) => {
  const ticket = tickets.get(request.params.orderId)
  if (ticket) return { ...ticket, viewId: randomUUID(), viewedAt: new Date().toISOString() }
  reply.code(404)
  return { error: { code: 'NOT_FOUND', message: 'no such ticket', retryable: false } }
})

await load()
const url = await app.listen({ port: Number(flags.port), host: '127.0.0.1' })
process.stdout.write(`ready ${url}\n`)
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))
await poll()
