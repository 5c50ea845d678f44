/**
 * A small point of sale: it receives events of orders by webhook, reads each order, and confirms and prepares it.
 * PORT, ORDERING_URL, CLIENT_ID and CLIENT_SECRET configure it; see README.md.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import express from 'express'
import { createPartner } from './partner.js'

/** What the point of sale does with an order, by the status of the order. */
const nextStep = new Map([
  ['CREATED', 'confirm'],
  ['CONFIRMED', 'preparing'],
  ['PREPARING', 'ready-for-pickup'],
  ['READY', 'delivered'],
])

/** What the point of sale knows: the events that it has seen, and the steps that it has taken for each order. */
export function createStore() {
  // A real one keeps both in its database: they must outlive the process.
  const seen = new Set()
  const orders = new Map()
  const store = {
    partner: undefined,
    orders,
    isSigned(body, signature = '') {
      const expected = createHmac('sha256', store.partner.clientSecret).update(body).digest()
      const received = Buffer.from(signature, 'hex')
      return received.length === expected.length && timingSafeEqual(received, expected)
    },
    /** Takes an event once; false for what is no event. It is processed after its answer, because the sender waits for that. */
    receive(event) {
      const { eventId, orderId } = event ?? {}
      if (typeof eventId !== 'string' || typeof orderId !== 'string') return false
      if (!seen.has(eventId)) {
        seen.add(eventId)
        processOrder(orderId).catch((error) => console.error(`order ${orderId}: ${error.message}`))
      }
      return true
    },
  }

  /** Takes the next step for an order. What an event says may be out of date: the order itself is read. */
  async function processOrder(orderId) {
    const path = `/orders/${encodeURIComponent(orderId)}`
    const step = nextStep.get((await store.partner.call('GET', path)).status)
    const taken = orders.get(orderId) ?? []
    orders.set(orderId, taken)
    if (step === undefined || taken.includes(step)) return
    taken.push(step)
    await store.partner.call('POST', `${path}/${step}`)
  }

  return store
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function createApp(store) {
  const app = express()
  app.get('/health', (_, response) => response.json({ status: 'ok' }))
  app.get('/orders', (_, response) => response.json(Object.fromEntries(store.orders)))
  // The signature is that of the bytes as they came.
  app.post('/webhooks/orders', express.raw({ type: () => true }), (request, response) => {
    const { body = '' } = request
    if (!store.isSigned(body, request.get('x-app-signature')))
      return response.status(401).json({ error: 'X-App-Signature does not fit the body' })
    if (!store.receive(parseJson(body)))
      return response.status(400).json({ error: 'this is no event' })
    return response.status(204).end()
  })
  return app
}

if (process.argv[1] === import.meta.filename) {
  const {
    PORT = '3000',
    ORDERING_URL = 'http://127.0.0.1:7101',
    CLIENT_ID = 'subject',
    CLIENT_SECRET = 'secret',
  } = process.env
  const store = createStore()
  store.partner = createPartner({
    url: ORDERING_URL,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
  })
  const server = createApp(store).listen(Number(PORT), '127.0.0.1', () =>
    console.log(`listening on http://127.0.0.1:${server.address().port}`),
  )
}
