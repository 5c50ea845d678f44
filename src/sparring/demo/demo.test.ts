// @module-tag slow
/** `sparring demo` as a user starts it: its sockets, and where an exit code or a port is read, its process. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess, startHere } from '../../../test/support/run-in-process.ts'
import { ordersOnly } from '../../../test/support/orders-only.ts'
import { until } from '../../../test/support/reference/until.ts'
import { emptyFolder, runSparring, startSparring } from '../../../test/support/spawn-sparring.ts'
import { defects } from '../../demo/defects.ts'
import { openSession } from '../../core/session/open-session.ts'
import { exposures } from './exposures.ts'
import { freeServicePort } from '../../terminal/cli/ports.ts'
import { words } from '../../../test/support/shell-words.ts'

async function listening(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

const quick = ['--port', '0', '--seed', '42', '--speed', '10']

test.concurrent('a service without a defect passes, and the demo ends when its orders are over', async () => {
  const { code, stdout, stderr } = await runInProcess(['demo', '--orders', '2', ...quick])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^ready {2}ordering-application http/)
  expect(stdout).toMatch(/\nverdicts {2}\d+ passed, 0 failed, /)
})

test.concurrent('a defect brings the fault that shows it: SE-1 fails, the exit code is 1, and the recording has it', async () => {
  const folder = emptyFolder()
  const { code, stdout } = await runSparring(
    words`demo --defect forgets-event-ids --orders 1 --record bug.rec.ndjson ${quick}`,
    { cwd: folder },
  )
  expect({ code, stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/SE-1 failed/),
  })
  const recorded = readFileSync(join(folder, 'bug.rec.ndjson'), 'utf8')
  // A slow answer may be asked for again, with the same X-Request-Id.
  expect(recorded.match(/"op":"createDelivery"/g)?.length).toBeGreaterThanOrEqual(2)
})

test.concurrent('as a marketplace the service places the orders itself', async () => {
  const demo = startHere(['demo', '--as', 'ordering-application', '--orders', '1', ...quick])
  await demo.until((text) => /SS > OA {3}POST \/orders\/[^ ]+\/confirm {2}202/.test(text))
  demo.kill('SIGTERM')
  expect(await demo.ended).toMatchObject({ code: 0 })
})

test.concurrent('--service is a Software Service that listens on PORT, completes an order, and ends with 0', async () => {
  const port = await freeServicePort('127.0.0.1')
  await using session = await openSession({
    port: 0,
    capabilities: ordersOnly,
    as: 'software-service',
    subject: `http://127.0.0.1:${port}`,
    counterparts: { 'ordering-application': { processing: 10, channel: 'webhook' } },
  })
  const partner = session.urls.get('ordering-application') ?? ''
  const service = startSparring(['demo', '--service', '--channel', 'webhook', '--think', '10'], {
    env: { PORT: String(port), SPARRING_ORDERING_APPLICATION_URL: partner },
  })
  const ready = await service.until((text) => text.includes('\n'))
  expect(ready).toBe(`ready  software-service http://127.0.0.1:${port}\n`)
  const made = await session.createOrder({ type: 'TAKEOUT' })
  const orderId = made.ok ? made.value.orderId : ''
  const status = async () => (await session.look({ orderId })).order?.row.status
  await until(async () => (await status()) === 'DELIVERED', 15_000)
  service.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
})

test.concurrent('--service as an Ordering Application says in JSON where it listens, and ends with 0 on SIGINT', async () => {
  const service = startHere(
    ['demo', '--service', '--as', 'ordering-application', '--json', '--orders', '2'],
    { env: { SPARRING_SOFTWARE_SERVICE_URL: 'http://127.0.0.1:1', SPARRING_SPEED: '10' } },
  )
  const ready = JSON.parse(await service.until((text) => text.includes('\n'))) as { url: string }
  expect(ready).toMatchObject({ ready: true, role: 'ordering-application', defects: [] })
  const manifest = await fetch(`${ready.url}/.well-known/protocol`)
  expect(await manifest.json()).toMatchObject({ participantId: 'reference-ordering-application' })
  await until(() => service.stderr().includes('no answer'))
  service.kill('SIGINT')
  expect(await service.ended).toMatchObject({ code: 0 })
})

test.concurrent.each([
  [['--as', 'crm'], /the demo service cannot play the crm/, 2],
  [['--subject', 'http://127.0.0.1:3000'], /the demo has its own.*sparring up/, 2],
  [
    ['--defect', 'forgets-event-id'],
    /there is no defect forgets-event-id.*Did you mean forgets-event-ids/,
    2,
  ],
  [['--dialect', 'keeta'], /its service speaks V2 as the documents have it.*sparring up/, 2],
  [['--dialect', 'opendelivery-v2'], /and this dialect does not/, 2],
  [['--service'], /it has no partner.*--ordering-application-url/, 2],
  [['--service', '--ordering-application-url', 'nowhere'], /"nowhere" is no address/, 2],
  [
    ['--service', '--ordering-application-url', 'http://127.0.0.1:1', '--dialect', 'v1'],
    /it has no dialect v1: it speaks V2/,
    2,
  ],
] as const)('what cannot start says why: %j', async (args, sentence, exit) => {
  const { code, stderr } = await runInProcess(['demo', ...args])
  expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringMatching(sentence) })
})

test.concurrent('a port in use is named, with the flag that names another', async () => {
  await using taken = await listening()
  const { code, stderr } = await runInProcess(['demo', '--service-port', String(taken.port)])
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(new RegExp(`port ${taken.port}: .*--service-port`)),
  })
})

test('every defect is listed with the rules that catch it and the faults that show it', async () => {
  const { stdout } = await runInProcess(['list', 'defects', '--json'])
  const rows = JSON.parse(stdout) as readonly { name: string; rules: readonly string[] }[]
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(defects))
  expect(rows.find(({ name }) => name === 'forgets-event-ids')).toMatchObject({
    rules: ['SE-1', 'EF-1', 'CV-12'],
    ...exposures['forgets-event-ids'],
  })
})
