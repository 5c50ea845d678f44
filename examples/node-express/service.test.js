/** The point of sale against Sparring: node --test */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { createPartner } from './partner.js'
import { createApp, createStore } from './service.js'
import { startSparring } from './sparring.js'

const store = createStore()
let server
let sparring
let seed = 0

before(async () => {
  server = createApp(store).listen(0, '127.0.0.1')
  await once(server, 'listening')
  sparring = await startSparring(`http://127.0.0.1:${server.address().port}`)
  const { baseUrl: url, clientId, clientSecret } = sparring.ready.connect
  store.partner = createPartner({ url, clientId, clientSecret })
})

after(async () => {
  await sparring?.stop()
  server.closeAllConnections()
  server.close()
})

// The same seed would give the same event ids, and the service remembers those that came before.
beforeEach(() => sparring.call('POST', '/reset', { seed: ++seed }))

const verdict = () => sparring.call('GET', '/verdict')

async function wait(condition) {
  const { met, because } = await sparring.call('POST', '/wait', { timeout: '10s', ...condition })
  if (!met) assert.fail([...because, (await verdict()).text].join('\n'))
}

async function assertPassed() {
  await wait({})
  const { passed, because, text } = await verdict()
  assert.ok(passed, `${because}\n${text}`)
}

test('an order is confirmed and brought to its end', async () => {
  const { orderId } = await sparring.call('POST', '/orders', { type: 'TAKEOUT' })
  await wait({ order: orderId, status: 'CONFIRMED' })
  await assertPassed()
  const steps = ['confirm', 'preparing', 'ready-for-pickup', 'delivered']
  assert.deepEqual(store.orders.get(orderId), steps)
})

test('a forged event and one that comes twice do no harm', async () => {
  await sparring.call('POST', '/faults', { 'wrong-signature': { event: 'CREATED', nth: 1 } })
  await sparring.call('POST', '/faults', { duplicate: { event: 'CREATED' } })
  const { orderId } = await sparring.call('POST', '/orders', { type: 'TAKEOUT' })
  await wait({ order: orderId, status: 'CONFIRMED' })
  await assertPassed()
  const fired = (await sparring.call('GET', '/faults')).map((fault) => fault.fired)
  assert.ok(
    fired.every((times) => times > 0),
    `the faults fired ${fired} times`,
  )
})
