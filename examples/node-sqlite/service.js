/**
 * A point of sale that survives: it takes events by polling and by webhook, prints one ticket for each order, and brings
 * the order to its end, whatever comes twice and whenever its process ends. README.md has its variables.
 */
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import express from 'express'
import { call, isSigned, parse } from './partner.js'

const { PORT = '3000', DATABASE = 'tickets.db', MISTAKE } = process.env
const { POLL_MS = '1000', RECONCILE_MS = '10000' } = process.env

// By its key, an event or a ticket has one row, whatever comes twice in the same moment.
const keyless = ['no-unique-key', 'remembers-in-memory', 'unknown-is-created']
const key = keyless.includes(MISTAKE) ? '' : 'PRIMARY KEY'
const column = MISTAKE === 'short-column' ? 'CHECK (length(name) <= 120)' : ''
// Where two processes share it, one waits for the other.
const db = new DatabaseSync(DATABASE, { timeout: 5000 })
db.exec(`CREATE TABLE IF NOT EXISTS events (id TEXT ${key}, order_id TEXT, is_first INT, is_done INT);
  CREATE TABLE IF NOT EXISTS tickets (order_id TEXT ${key});
  CREATE TABLE IF NOT EXISTS lines (order_id TEXT, name TEXT ${column}, UNIQUE (order_id, name));
  CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, is_over INT DEFAULT 0);`)
const rows = (sql, ...values) => db.prepare(sql).all(...values)

/** The database keeps all of these writes or none. */
function transaction(write) {
  db.exec('BEGIN IMMEDIATE')
  try {
    write()
    db.exec('COMMIT')
  } catch (error) {
    db.exec('ROLLBACK')
    throw error
  }
}

/** With the mistake of that name: whether an order is new is known by this process alone. */
const remembered = new Set()

/** Stores an event: its sender may be answered when this has returned. */
function store({ eventId, orderId, eventType }) {
  if (typeof eventId !== 'string' || typeof orderId !== 'string') return
  transaction(() => {
    const isAnew = MISTAKE === 'unknown-is-created' && eventType?.startsWith('X_')
    const isKnown =
      MISTAKE === 'remembers-in-memory'
        ? remembered.has(orderId)
        : rows('SELECT 1 FROM tickets WHERE order_id = ?', orderId).length > 0
    const isFirst = isAnew || !isKnown
    remembered.add(orderId)
    rows('INSERT OR IGNORE INTO events VALUES (?, ?, ?, 0)', eventId, orderId, Number(isFirst))
    rows('INSERT OR IGNORE INTO orders (id) VALUES (?)', orderId)
  })
  void work(orderId)
}

function take(event) {
  if (MISTAKE === 'ids-as-numbers') event.orderId = String(Number(event.orderId) || event.orderId)
  if (MISTAKE === 'acknowledges-first') setTimeout(store, 1000, event)
  else store(event)
}

const ends = ['DELIVERED', 'CANCELLED', 'CONCLUDED']
const nextSteps = { CREATED: 'confirm', CONFIRMED: 'preparing', PREPARING: 'ready-for-pickup' }

function nextStep({ status, fulfillment }) {
  const isReadyForCourier = status === 'READY' && fulfillment.orderType === 'DELIVERY'
  return isReadyForCourier ? 'dispatch' : (nextSteps[status] ?? 'delivered')
}

/** The step of an order that was refused: it is not asked for again. */
const refused = new Map()

/** Reads an order, prints its ticket, takes the next step. An event says only that something has changed. */
async function handle(orderId) {
  const events = rows('SELECT rowid, * FROM events WHERE order_id = ? AND is_done = 0', orderId)
  const path = `/orders/${encodeURIComponent(orderId)}`
  const { ok, json: order } = await call('GET', path)
  const isOver = !ok || ends.includes(order.status)
  transaction(() => {
    if (isOver) rows('UPDATE orders SET is_over = 1 WHERE id = ?', orderId)
    else if (events.some(({ is_first: isFirst }) => isFirst)) {
      rows('INSERT OR IGNORE INTO tickets VALUES (?)', orderId)
      for (const { name } of order.items)
        rows('INSERT INTO lines VALUES (?, ?) ON CONFLICT DO NOTHING', orderId, name)
    }
  })
  const step = isOver ? undefined : nextStep(order)
  if (step !== undefined && refused.get(orderId) !== step) {
    const answer = await call('POST', `${path}/${step}`)
    if (!answer.ok) refused.set(orderId, step)
  }
  // Not before now: a process that ends on the way takes these events up again.
  for (const { rowid } of events) rows('UPDATE events SET is_done = 1 WHERE rowid = ?', rowid)
}

/** The orders that are being handled, and whether anything has come since. */
const working = new Map()

/** Handles an order, in one round after the other while there is news; a round that failed comes again. */
async function work(orderId) {
  const isWorking = working.has(orderId)
  working.set(orderId, true)
  if (isWorking) return
  for (let failures = 0; working.get(orderId);) {
    working.set(orderId, false)
    try {
      await handle(orderId)
      failures = 0
    } catch (error) {
      console.error(`order ${orderId}: ${error.message}`)
      working.set(orderId, true)
      await pause(Math.min(30_000, 500 * 2 ** failures++) * (0.75 + Math.random() / 2))
    }
  }
  working.delete(orderId)
}

/** Takes what is in the mailbox, and acknowledges it. */
async function poll() {
  const { json: events = [] } = await call('GET', '/events:polling')
  const eventIds = events.map(({ eventId }) => eventId).filter((id) => typeof id === 'string')
  for (const event of events) take(event)
  if (eventIds.length > 0) await call('POST', '/events/acknowledgment', { eventIds })
}

async function pollForEver() {
  for (let failures = 0; ;) {
    await pause(Math.min(30_000, Number(POLL_MS) * 2 ** failures) * (1 + Math.random() / 4))
    const error = await poll().catch((thrown) => thrown)
    failures = error ? failures + 1 : 0
    if (error) console.error(error.message)
  }
}

const refuse = (answer, status, code) => answer.status(status).json({ error: { code } })

const app = express()
app.get('/health', (_, response) => response.json({ status: 'ok' }))
app.get('/probe/orders/:id/effects', ({ params: { id } }, response) =>
  response.json(rows('SELECT count(*) AS tickets FROM tickets WHERE order_id = ?', id)[0]),
)
// The signature is that of the bytes as they came.
app.post(
  '/webhooks/orders',
  express.raw({ type: () => true }),
  ({ body = '', headers }, answer) => {
    const signed = MISTAKE === 'parsed-signature' ? JSON.stringify(parse(body)) : body
    if (!isSigned(signed, headers['x-app-signature'])) return refuse(answer, 401, 'UNAUTHORIZED')
    const event = parse(body)
    if (!event?.eventId || !event.orderId) return refuse(answer, 400, 'INVALID_PAYLOAD')
    take(event)
    return answer.sendStatus(204)
  },
)

const workAll = () =>
  rows('SELECT id FROM orders WHERE is_over = 0').forEach(({ id }) => void work(id))
const server = app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
  workAll()
  setInterval(workAll, Number(RECONCILE_MS))
  if (Number(POLL_MS) > 0) void pollForEver()
})
