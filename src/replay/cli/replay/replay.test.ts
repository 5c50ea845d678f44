import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createHmac } from 'node:crypto'
import {
  openReceiver,
  type Receiver,
  type ReceiverOptions,
  receiverSession,
} from '../../../../test/support/webhook-receiver.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { openSession } from '../../../core/session/open-session.ts'
import { freeServicePort } from '../../../terminal/cli/ports.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-replay-'))
const recording = join(folder, 'webhooks.rec.ndjson')

const received = (service: Receiver, count: number): Promise<void> =>
  vi.waitFor(() => {
    if (service.received.length !== count) throw new Error(`${service.received.length} came`)
  })

/** Records three orders whose events a subject received by webhook. */
beforeAll(async () => {
  await using service = await openReceiver()
  await using session = await openSession(receiverSession(service.url, recording))
  for (let nth = 0; nth < 3; nth++) {
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    const { orderId } = made.value
    // One order after the other: simultaneous webhooks may arrive in any order.
    await received(service, 2 * nth + 1)
    await session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
    await received(service, 2 * nth + 2)
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function sparring(...argv: readonly string[]) {
  const held = createTestIo({ cwd: folder })
  const ending = runVerbs(['replay', ...argv], held.io)
  return { held, ending }
}

async function replayed(url: string, ...argv: readonly string[]) {
  const { held, ending } = await sparring(recording, '--to', url, '--speed', 'asap', ...argv)
  const code = await ending.catch((error: unknown) => String(error))
  return { code, ...held.written() }
}

const refusing = (status: number): ReceiverOptions => ({ reply: () => ({ status }) })

test('webhooks are sent again in order with fresh ids and signatures, without differences', async () => {
  await using service = await openReceiver()
  const { code, stdout } = await replayed(service.url, '--map', 'map.json', '--seed', '7')
  expect(stdout).not.toContain('changed')
  expect(code).toBe(0)
  expect(service.received).toHaveLength(6)
  const before = readFileSync(recording, 'utf8')
  for (const { text, headers, event } of service.received) {
    expect(headers['x-app-signature']).toBe(
      createHmac('sha256', 'secret').update(text).digest('hex'),
    )
    expect(headers['x-replay-run']).toMatch(/-7$/)
    expect(before).toContain(headers['x-replay-of'])
    expect(before).not.toContain(event.orderId)
    expect(before).not.toContain(event.eventId)
  }
  const types = new Map<string, string[]>()
  for (const { event } of service.received)
    types.set(event.orderId, [...(types.get(event.orderId) ?? []), event.eventType])
  expect([...types.values()]).toEqual(Array.from({ length: 3 }, () => ['CREATED', 'CONFIRMED']))
  const { names } = JSON.parse(readFileSync(join(folder, 'map.json'), 'utf8')) as {
    names: { kind: string; new: string }[]
  }
  const orders = names.filter(({ kind }) => kind === 'order').map((each) => each.new)
  expect(new Set(orders)).toEqual(new Set(types.keys()))
})

test('--same-ids, --repeat, --only and --no-replay-headers change the sent requests', async () => {
  await using service = await openReceiver()
  const wanted = ['--same-ids', '--repeat', '2', '--only', 'CONFIRMED', '--no-replay-headers']
  const { code } = await replayed(service.url, ...wanted.slice(0, 3), '--no-replay-headers')
  expect(code).toBe(0)
  expect(service.received).toHaveLength(12)
  const before = readFileSync(recording, 'utf8')
  for (const { headers, event } of service.received) {
    expect(before).toContain(event.eventId)
    expect(headers['x-replay-run']).toBeUndefined()
  }
  const none = await replayed(service.url, '--only', 'getOrder')
  expect(none.code).toContain('nothing that --only or --from leaves of it was sent to the Software')
})

test('a subject that answers differently: exit code 1 and the difference', async () => {
  await using service = await openReceiver(refusing(500))
  const { code, stdout } = await replayed(service.url)
  expect(code).toBe(1)
  expect(stdout).toContain('500')
  const json = await replayed(service.url, '--json')
  expect(json.stdout).toContain('"changed"')
})

test('a subject that rejects our credentials: exit code 3, and 125 with --bisect', async () => {
  await using service = await openReceiver(refusing(401))
  expect((await replayed(service.url)).code).toBe(3)
  expect((await replayed(service.url, '--bisect')).code).toBe(125)
})

test('an unreachable subject: exit code 3 after a few attempts, not after all', async () => {
  const port = await freeServicePort('127.0.0.1')
  const { code, stdout } = await replayed(`http://127.0.0.1:${port}`)
  expect(code).toBe(3)
  expect(stdout).toContain('ECONNREFUSED')
})

test('a target on another machine needs --allow-target', async () => {
  const { code } = await replayed('http://partner.example')
  expect(code).toContain('partner.example is not this machine')
  expect(code).toContain('--allow-target partner.example')
  expect((await replayed('partner.example')).code).toContain('is no http or https URL')
})

test('an interrupt exits with 130 and a report of the exchanges so far', async () => {
  const came = Promise.withResolvers<void>()
  await using service = await openReceiver({
    reply(nth) {
      if (nth === 2) came.resolve()
      return { status: 204 }
    },
  })
  const { held, ending } = await sparring(recording, '--to', service.url, '--rate', '5', '--json')
  await came.promise
  held.interrupt('SIGINT')
  expect(await ending).toBe(130)
  const lines = held.written().stdout.trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ interrupted: true })
  expect(service.received.length).toBeLessThan(6)
})

test('a slow subject is waited for, and the report marks its timing as inconclusive', async () => {
  await using service = await openReceiver({
    reply: () => new Promise((resolve) => setTimeout(() => resolve({ status: 204 }), 150)),
  })
  const { held, ending } = await sparring(recording, '--to', service.url, '--speed', '1000')
  expect(await ending).toBe(0)
  expect(held.written().stdout + held.written().stderr).toContain('too slow')
})

test('a missing target or recording is reported with a remedy', async () => {
  const both = await sparring(recording)
  await expect(both.ending).rejects.toThrow(/no URL of your service is given/)
  const none = await sparring('nothing.rec.ndjson', '--to', 'http://127.0.0.1:1')
  await expect(none.ending).rejects.toThrow(/^reading the recording \S+nothing.rec.ndjson: [^:]+$/)
})

test('an unreadable line is reported with its number, and the rest is sent', async () => {
  await using service = await openReceiver()
  const [header = '', ...entries] = readFileSync(recording, 'utf8').split('\n')
  writeFileSync(join(folder, 'torn.rec.ndjson'), [header, '{"_rec":', ...entries].join('\n'))
  const { held, ending } = await sparring('torn.rec.ndjson', '--to', service.url, '--speed', 'asap')
  expect(await ending).toBe(0)
  expect(held.written().stderr).toContain(
    'sparring: torn.rec.ndjson, line 2: it is no JSON; the rest is replayed',
  )
  expect(service.received).toHaveLength(6)
})

test('faults apply to the replay: dropped webhooks are not sent, duplicated ones are sent twice', async () => {
  await using service = await openReceiver()
  const faults = ['drop:event=CONFIRMED,order=o1', 'duplicate:event=CONFIRMED,order=o2']
  const { code, stdout } = await replayed(
    service.url,
    ...faults.flatMap((fault) => ['--fault', fault]),
  )
  expect([code, stdout]).toEqual([0, stdout])
  const confirmed = service.received.filter(({ event }) => event.eventType === 'CONFIRMED')
  const counts = new Map<string, number>()
  for (const { event } of confirmed) counts.set(event.orderId, (counts.get(event.orderId) ?? 0) + 1)
  expect([...counts.values()].toSorted((a, b) => a - b)).toEqual([1, 2])
})

test('--twice: values that the subject generates anew each time become noise', async () => {
  await using service = await openReceiver()
  const { code } = await replayed(service.url, '--twice')
  expect(code).toBe(0)
  expect(service.received).toHaveLength(12)
  expect(new Set(service.received.map(({ event }) => event.eventId)).size).toBe(12)
})
