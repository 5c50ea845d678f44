/** The point of sale against Sparring, which loses its process on the way: node --test */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startSparring } from './sparring.js'

const folder = mkdtempSync(join(tmpdir(), 'tickets-'))
let port
let sparring
let service
let seed = 0

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address()
  server.close()
  await once(server, 'close')
  return free
}

/** Starts the process of the service; again, where it was killed: on the same port, with the same database. */
async function startService() {
  const { baseUrl, clientId, clientSecret } = sparring.ready.connect
  const own = { PORT: port, DATABASE: join(folder, 'tickets.db'), POLL_MS: 100, RECONCILE_MS: 500 }
  const given = { ORDERING_URL: baseUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
  service = spawn(process.execPath, ['service.js'], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...own, ...given },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(createInterface(service.stdout), 'line')
}

async function killService() {
  service.kill('SIGKILL')
  await once(service, 'exit')
}

before(async () => {
  port = await freePort()
  sparring = await startSparring(`http://127.0.0.1:${port}`, '--channel', 'both')
  await startService()
})

after(async () => {
  await killService()
  await sparring?.stop()
  rmSync(folder, { recursive: true })
})

// Another seed gives other orders: the service remembers those that came before.
beforeEach(() => sparring.call('POST', '/reset', { seed: ++seed }))

const order = () => sparring.call('POST', '/orders', { type: 'TAKEOUT' })

/** Waits for a status of the order, then until nothing is left to do on either side. */
async function concludes(orderId) {
  for (const condition of [{ order: orderId, status: 'CONCLUDED' }, {}]) {
    const { met, because } = await sparring.call('POST', '/wait', { timeout: '20s', ...condition })
    if (!met) assert.fail([...because, (await sparring.call('GET', '/verdict')).text].join('\n'))
  }
}

/** The verdict, once no rule waits any more: what was polled last may be acknowledged in a moment. */
async function verdict() {
  for (let asked = 0; ; asked++) {
    const answer = await sparring.call('GET', '/verdict')
    if (answer.passed || asked === 20) return answer
    await pause(250)
  }
}

async function tickets(orderId) {
  const answer = await fetch(`http://127.0.0.1:${port}/probe/orders/${orderId}/effects`)
  return (await answer.json()).tickets
}

test('an order has one ticket and comes to its end', async () => {
  const { orderId } = await order()
  await concludes(orderId)
  assert.equal(await tickets(orderId), 1)
  const { passed, because, text } = await verdict()
  assert.ok(passed, `${because}\n${text}`)
})

test('an event that comes twice in one moment, on both channels, makes one ticket', async () => {
  await sparring.call('POST', '/faults', { duplicate: { event: 'CREATED' } })
  await sparring.call('POST', '/faults', { 'slow-response': { operation: 'getOrder', by: '2s' } })
  const { orderId } = await order()
  await concludes(orderId)
  assert.equal(await tickets(orderId), 1)
})

test('killed before its acknowledgment is answered, it goes on with the order, and prints no second ticket', async () => {
  // The answer never comes: what waits for it has stored nothing when the process ends.
  await sparring.call('POST', '/faults', {
    hang: { operation: 'acknowledgeEvents', effect: 'after' },
  })
  // No webhook says it once more.
  await sparring.call('POST', '/faults', {
    drop: { channel: 'webhook', event: 'CREATED', even: 'revealing' },
  })
  const { orderId } = await order()
  const hasHung = async () => (await sparring.call('GET', '/faults'))[0].fired > 0
  while (!(await hasHung())) await pause(10)
  await killService()
  await sparring.call('DELETE', '/faults')
  await startService()
  await concludes(orderId)
  assert.equal(await tickets(orderId), 1)
})
