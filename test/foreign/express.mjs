/**
 * A restaurant POS in one file, written from the documents of the protocol and from nothing else: Express, events by
 * webhook, state in a JSON file. It keeps its token until that expires, and a call that fails fails the event it came of,
 * unless that was answered already: orders of which nothing is heard are read again.
 *
 *   node express.mjs --port 3000 --partner http://127.0.0.1:7101 [--state pos.json] [--jitter 400] [--bug late-confirmed]
 *
 * Each flag is also an environment variable: POS_PORT, POS_PARTNER, POS_STATE, POS_JITTER, POS_BUG …
 */
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import express from 'express'

const bugs = [
  'late-confirmed',
  'second-line',
  'one-customer',
  'dropped-at-renewal',
  'confirmed-too-late',
]

const text = (name, usual) => ({
  type: 'string',
  default: process.env[`POS_${name.toUpperCase().replaceAll('-', '_')}`] ?? usual,
})
const { values: flags } = parseArgs({
  options: Object.fromEntries(
    Object.entries({
      port: '3000',
      partner: 'http://127.0.0.1:7101',
      'client-id': 'subject',
      'client-secret': 'secret',
      state: '',
      jitter: '0',
      bug: '',
    }).map(([name, usual]) => [name, text(name, usual)]),
  ),
})
const partner = String(flags.partner)
const bug = String(flags.bug)
const stateFile = String(flags.state)
const secret = String(flags['client-secret'])
const jitterMs = Number(flags.jitter)
if (bug !== '' && !bugs.includes(bug)) {
  process.stderr.write(`there is no bug ${bug}; there is ${bugs.join(', ')}\n`)
  process.exit(2)
}

// ---- state -----------------------------------------------------------------------------------------------------------

const state = {
  nextTicket: 1001,
  /** By order id. */
  tickets: {},
  /** Ids of events that were dealt with, oldest first. */
  taken: [],
  /** By id of an order that is not over: when it was heard of last. */
  open: {},
  /** Tokens that this service gave out, with the time at which they expire. */
  given: {},
}
if (stateFile !== '' && existsSync(stateFile))
  Object.assign(state, JSON.parse(readFileSync(stateFile, 'utf8')))

function save() {
  if (stateFile === '') return
  writeFileSync(`${stateFile}.new`, JSON.stringify(state))
  renameSync(`${stateFile}.new`, stateFile)
}

const posId = (prefix) => `${prefix}_${randomBytes(9).toString('base64url')}`

// ---- the partner -----------------------------------------------------------------------------------------------------

let endpoint
let token

/** By kind of call: the time before which Retry-After forbids another one. */
const heldUntil = new Map()
const kindOf = (method, url) =>
  `${method} ${new URL(url).pathname.replace(/(orders\/)[^/]+/, '$1*')}`

function holdBack(kind, retryAfter) {
  if (retryAfter === null) return
  const seconds = Number(retryAfter)
  heldUntil.set(kind, Number.isNaN(seconds) ? Date.parse(retryAfter) : Date.now() + seconds * 1000)
}

async function fetched(url, options) {
  const kind = kindOf(options.method, url)
  if (Date.now() < (heldUntil.get(kind) ?? 0))
    throw Object.assign(new Error(`${kind} is held back`), { answered: 503 })
  const answer = await fetch(url, { ...options, signal: AbortSignal.timeout(10_000) })
  if (answer.ok) return answer
  holdBack(kind, answer.headers.get('retry-after'))
  const error = new Error(`${options.method ?? 'GET'} ${url} was answered ${answer.status}`)
  throw Object.assign(error, { answered: answer.status })
}

async function ordersEndpoint() {
  if (endpoint !== undefined) return endpoint
  const answer = await fetched(`${partner}/.well-known/protocol`, {
    headers: { accept: 'application/json' },
  })
  const { capabilities } = await answer.json()
  const orders = Array.isArray(capabilities)
    ? capabilities.find(({ name }) => name === 'orders')
    : capabilities.orders
  endpoint = orders?.endpoint ?? partner
  return endpoint
}

/** The token that is being fetched. */
let renewal

function bearer() {
  if (token !== undefined && Date.now() < token.until) return token.value
  renewal ??= renewed().finally(() => (renewal = undefined))
  return renewal
}

async function renewed() {
  // A token that ended early is not asked for again at once.
  if (token !== undefined) await pause(3000)
  const answer = await fetched(`${partner}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: flags['client-id'],
      client_secret: secret,
      scope: 'proto.orders',
    }),
  })
  const { access_token: value, expires_in: seconds = 3600 } = await answer.json()
  token = { value, until: Date.now() + (seconds - 30) * 1000 }
  return value
}

/** A token that ended early is renewed once. */
async function call(method, path, body) {
  try {
    return await callOnce(method, path, body)
  } catch (error) {
    if (error.answered !== 401) throw error
    return callOnce(method, path, body)
  }
}

async function callOnce(method, path, body) {
  const base = await ordersEndpoint()
  const used = await bearer()
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${used}`,
    ...(method === 'POST' && { 'x-request-id': randomUUID() }),
    ...(body && { 'content-type': 'application/json' }),
  }
  try {
    return await fetched(`${base}${path}`, { method, headers, body: body && JSON.stringify(body) })
  } catch (error) {
    if (error.answered === 401 && token?.value === used) token = { ...token, until: 0 }
    throw error
  }
}

const orderPath = (ticket, rest = '') => `/orders/${encodeURIComponent(ticket.orderId)}${rest}`
/** A move that is refused for good shows that the order has gone another way: it is read again, and waits for an event if it has not. */
async function move(ticket, to, body) {
  try {
    await call('POST', orderPath(ticket, `/${to}`), body)
  } catch (error) {
    if (bug !== '' || ![409, 422].includes(error.answered)) throw error
    ticket.status = (await read(ticket.orderId)).status
    ticket.refusedIn = ticket.status
  }
}
const read = async (orderId) => (await call('GET', orderPath({ orderId }))).json()

// ---- the kitchen -----------------------------------------------------------------------------------------------------

function openTicket(order) {
  const before = Object.values(state.tickets).find(
    (each) => !isOver(each) && each.customer === order.customer?.name,
  )
  if (bug === 'one-customer' && before !== undefined && before.customer !== undefined) {
    before.orderId = order.id
    state.tickets[order.id] = before
    return before
  }
  const ticket = {
    number: `T-${state.nextTicket++}`,
    posId: posId('tk'),
    orderId: order.id,
    type: order.fulfillment.orderType,
    customer: order.customer?.name,
    status: order.status,
    kitchen: { station: 'hot', slip: { lines: order.items.length, printedAt: null } },
    openedAt: new Date().toISOString(),
  }
  state.tickets[order.id] = ticket
  return ticket
}

const isOver = ({ status }) => ['CANCELLED', 'DELIVERED', 'CONCLUDED'].includes(status)

const reactions = {
  async CREATED(ticket) {
    if (ticket.status !== 'CREATED') return
    const confirm = () => move(ticket, 'confirm', { estimatedPreparationTimeMinutes: 12 })
    if (bug === 'confirmed-too-late') void pause(2000).then(confirm).catch(complain)
    else await confirm()
    if (ticket.status === 'CREATED') ticket.status = 'CONFIRMING'
  },
  async CONFIRMED(ticket) {
    if (isOver(ticket) && bug !== 'late-confirmed') return
    ticket.kitchen.slip.printedAt ??= new Date().toISOString()
    ticket.status = 'CONFIRMED'
    await move(ticket, 'preparing')
  },
  async PREPARING(ticket) {
    if (isOver(ticket)) return
    ticket.status = 'PREPARING'
    await move(ticket, 'ready-for-pickup')
  },
  async READY_FOR_PICKUP(ticket) {
    if (isOver(ticket)) return
    ticket.status = 'READY'
    await move(ticket, ticket.type === 'DELIVERY' ? 'dispatch' : 'delivered')
  },
  async DISPATCHED(ticket) {
    if (isOver(ticket)) return
    ticket.status = 'IN_DELIVERY'
    await move(ticket, 'delivered')
  },
  DELIVERED(ticket) {
    ticket.status = 'DELIVERED'
  },
  async ITEM_CANCELLED(ticket, { metadata }) {
    const { items } = await read(ticket.orderId)
    const line = items.findIndex(({ id }) => id === metadata?.itemId)
    if (bug === 'second-line' && line > 0) throw new Error(`the slip has no line ${line + 1}`)
    ticket.kitchen.slip.struck = [...(ticket.kitchen.slip.struck ?? []), line]
  },
  CANCELLED(ticket) {
    ticket.status = 'CANCELLED'
    ticket.kitchen = null
  },
  CONCLUDED(ticket) {
    if (ticket.status !== 'CANCELLED') ticket.status = 'CONCLUDED'
  },
}

const complain = ({ message }) => process.stderr.write(`${message}\n`)

/** The statuses in their order, each with the event that says it. */
const steps = {
  CREATED: 'CREATED',
  CONFIRMING: undefined,
  CONFIRMED: 'CONFIRMED',
  PREPARING: 'PREPARING',
  READY: 'READY_FOR_PICKUP',
  IN_DELIVERY: 'DISPATCHED',
  DELIVERED: 'DELIVERED',
  CANCELLED: 'CANCELLED',
  CONCLUDED: 'CONCLUDED',
}
/** Whether an event says less than is known. */
const isOld = ({ status }, eventType) =>
  bug !== 'late-confirmed' &&
  Object.values(steps).includes(eventType) &&
  Object.values(steps).indexOf(eventType) < Object.keys(steps).indexOf(status)

async function handle(event) {
  const { eventType, orderId } = event
  const known = state.tickets[orderId]
  const reaction = reactions[eventType]
  if (reaction === undefined) return known
  const ticket = known ?? openTicket(await read(orderId))
  if (isOld(ticket, eventType)) return ticket
  delete ticket.refusedIn
  await reaction(ticket, event)
  return ticket
}

/** An order of which nothing was heard for a while: what GET says of it counts. */
async function catchUp(orderId) {
  const order = await read(orderId)
  const ticket = state.tickets[orderId] ?? openTicket(order)
  ticket.status = order.status
  if (ticket.refusedIn !== order.status) await reactions[steps[order.status]](ticket, {})
}

const quietMs = 20_000

function catchUpAll() {
  for (const [orderId, heardAt] of Object.entries(state.open)) {
    const ticket = state.tickets[orderId]
    if (ticket !== undefined && isOver(ticket)) delete state.open[orderId]
    else if (Date.now() - heardAt > quietMs) {
      state.open[orderId] = Date.now()
      void inTurn(orderId, () => catchUp(orderId)).catch(complain)
    }
  }
  save()
}

/** The events of one order one after the other, whichever requests bring them. */
const lanes = new Map()
function inTurn(orderId, task) {
  const turn = (lanes.get(orderId) ?? Promise.resolve()).then(task)
  const settled = turn.catch(() => undefined)
  lanes.set(orderId, settled)
  void settled.then(() => lanes.get(orderId) === settled && lanes.delete(orderId))
  return turn
}

// ---- what it serves --------------------------------------------------------------------------------------------------

const app = express()
app.disable('x-powered-by')
app.use(express.raw({ type: () => true, limit: '1mb' }))

const refused = (response, status, code, message) =>
  response.status(status).json({
    error: { code, message, retryable: status >= 500 },
    incident: randomUUID(),
    at: new Date().toISOString(),
  })

const operations = [
  'getOrder',
  'confirmOrder',
  'setOrderPreparing',
  'setOrderReadyForPickup',
  'dispatchOrder',
  'setOrderDelivered',
]

app.get('/.well-known/protocol', (request, response) => {
  response.set({ 'cache-control': 'public, max-age=60', 'access-control-allow-origin': '*' }).json({
    participantId: 'pos-express',
    protocolVersion: 'v2',
    protocol: { supportedVersions: ['v2'] },
    authentication: {
      supportedGrantTypes: ['client_credentials'],
      clientIdGeneration: ['by_app'],
    },
    capabilities: [
      {
        name: 'orders',
        version: 'v2',
        supported: true,
        role: 'RECEIVER',
        endpoint: `http://${request.get('host')}`,
        operations,
        receiver: {
          supported: true,
          supportedOperations: operations,
          unsupportedOperations: [
            'requestCancellation',
            'sendOrderTracking',
            'partialItemCancellation',
          ],
          supportsWebhook: true,
          supportsPolling: false,
        },
      },
    ],
  })
})

app.post('/oauth/token', (request, response) => {
  const form = new URLSearchParams(String(request.body))
  if (!form.get('client_id') || !form.get('client_secret'))
    return refused(response, 401, 'UNAUTHORIZED', 'no credentials')
  const value = posId('at')
  for (const [old, until] of Object.entries(state.given))
    if (until < Date.now()) delete state.given[old]
  state.given[value] = Date.now() + 3_600_000
  save()
  return response.set('cache-control', 'no-store').json({
    access_token: value,
    token_type: 'bearer',
    expires_in: 3600,
    issued: new Date().toISOString(),
  })
})

/** A webhook is answered within this time, whatever it takes to deal with it. */
const answerMs = 3000

const authorised = (request) => {
  const value = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '')?.[1]
  return (state.given[value] ?? 0) > Date.now()
}

function signed(request) {
  const wanted = createHmac('sha256', secret).update(request.body).digest()
  const got = Buffer.from((request.get('x-app-signature') ?? '').replace(/^sha256=/, ''), 'hex')
  return got.length === wanted.length && timingSafeEqual(got, wanted)
}

// Express 5 hands what is thrown to the handler of errors.
// oxlint-disable-next-line oxc/no-async-endpoint-handlers
app.post('/webhooks/orders', async (request, response) => {
  if (!authorised(request)) return refused(response, 401, 'UNAUTHORIZED', 'this token is not ours')
  if (!signed(request)) return refused(response, 401, 'UNAUTHORIZED', 'the signature is wrong')
  const event = JSON.parse(String(request.body))
  const isLost = bug === 'dropped-at-renewal' && token !== undefined && renewal !== undefined
  state.open[event.orderId] = Date.now()
  // Whoever is started in place of this process knows of the order.
  save()
  const work = inTurn(event.orderId, async () => {
    if (state.taken.includes(event.eventId) || isLost) return state.tickets[event.orderId]
    const handled = await handle(event)
    state.taken = [...state.taken, event.eventId].slice(-5000)
    return handled
  }).finally(save)
  // The partner waits no longer: what fails behind this is caught up with.
  work.catch(complain)
  const ticket = await Promise.race([work, pause(answerMs)])
  if (jitterMs > 0) await pause(Math.random() * jitterMs)
  return response.status(202).json({
    receiptId: randomUUID(),
    ticket: ticket?.number ?? null,
    ticketId: ticket?.posId ?? null,
    receivedAt: new Date().toISOString(),
  })
})

app.get('/orders/:orderId', (request, response) => {
  const ticket = state.tickets[request.params.orderId]
  if (ticket === undefined) return refused(response, 404, 'NOT_FOUND', 'no such ticket')
  const { number, posId: ticketId, orderId, status, openedAt } = ticket
  const shown = status === 'CONFIRMING' ? 'CREATED' : status
  return response.json({ orderId, status: shown, ticket: number, ticketId, openedAt })
})

app.use((_request, response) => refused(response, 404, 'NOT_FOUND', 'nothing is served here'))
/** Where the partner fails, or does not answer, the event is to come again; everything else is ours to mend. */
const isTemporary = ({ answered, name, message }) =>
  answered >= 500 ||
  answered === 429 ||
  name === 'TimeoutError' ||
  // The connection, or an answer in the middle, broke off.
  ['fetch failed', 'terminated'].includes(message)
app.use((error, _request, response, _next) =>
  isTemporary(error)
    ? refused(response, 503, 'SERVICE_UNAVAILABLE', String(error.message))
    : refused(response, 500, 'INTERNAL_ERROR', String(error.message)),
)

const server = app.listen(Number(flags.port), '127.0.0.1', (error) => {
  if (error) throw error
  process.stdout.write(`ready http://127.0.0.1:${server.address().port}\n`)
})
// It would make up for what the bugs leave undone.
if (bug === '') setInterval(catchUpAll, 5000).unref()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0))
