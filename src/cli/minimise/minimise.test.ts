/**
 * `sparring minimise` as somebody uses it: a service that turns an event away that it has heard before, an evening that
 * was recorded with it, and the few webhooks that show it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readRecording } from '../../edge/recording/read-recording.ts'
import { openSession } from '../../session/session.ts'
import {
  openReceiver,
  type Receiver,
  type ReceiverOptions,
} from '../../../test/support/webhook-receiver.ts'
import { createTestIo } from '../../../test/support/test-io.ts'
import { runProgram } from '../program.ts'
import { verbs } from '../verbs/catalogue.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-minimise-'))
const recording = 'evening.rec.ndjson'

/** It turns away what it has heard before, where it should take it and do nothing. */
function forgetful(): ReceiverOptions {
  const seen = new Set<string>()
  return {
    reply: (_nth, { eventType, orderId }) => {
      const key = `${eventType} ${orderId}`
      const again = seen.has(key)
      seen.add(key)
      return { status: again ? 422 : 204 }
    },
  }
}

const received = (service: Receiver, count: number): Promise<void> =>
  vi.waitFor(() => {
    if (service.received.length !== count) throw new Error(`${service.received.length} came`)
  })

/** Eight orders; the news of the fifth comes once more. */
beforeAll(async () => {
  await using service = await openReceiver(forgetful())
  await using session = await openSession({
    port: 0,
    subject: { role: 'software-service', url: service.url },
    capabilities: { indoor: false, logistics: false, customer: false },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    judgement: { on: false },
    faults: [{ duplicate: { event: 'CONFIRMED', order: 'o5' } }],
    recording: { file: join(folder, recording), redact: false },
  })
  let count = 0
  for (let nth = 1; nth <= 8; nth++) {
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    await received(service, ++count)
    const { orderId } = made.value
    await session.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
    count += nth === 5 ? 2 : 1
    await received(service, count)
  }
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function sparring(...argv: readonly string[]) {
  const { io, written } = createTestIo({ cwd: folder })
  const program = { name: 'sparring', summary: '', version: '0', verbs }
  const code = await runProgram(program, argv, io).catch((error: unknown) => String(error))
  return { code, ...written() }
}

const partOf = async (file: string) => {
  const read = await readRecording(join(folder, file))
  if (!read.ok) throw new Error(read.error)
  return read.value
}

test('of an evening two webhooks and a token are left, with all that one needs to go on from there', async () => {
  await using service = await openReceiver(forgetful())
  const { code, stdout, stderr } = await sparring(
    'minimise',
    recording,
    '--speed',
    'asap',
    '--to',
    service.url,
    '-o',
    'small',
  )
  expect(stderr).toMatch(/^confirm +20 exchanges, 3 replays\n/)
  expect(stdout).toMatch(
    /^3 exchanges of 20 of 1 order are enough: receiveOrderEvent is answered 422, at number 3, receiveOrderEvent\./,
  )
  expect(code).toBe(0)
  const small = await partOf('small.rec.ndjson')
  expect(small).toMatchObject({ closed: true, problems: [] })
  // A token, and the same event twice.
  expect(small.exchanges.map(({ operation, reply }) => [operation, reply?.status])).toEqual([
    ['issueToken', 200],
    ['receiveOrderEvent', 204],
    ['receiveOrderEvent', 422],
  ])
  const [, first, again] = small.exchanges
  expect(first?.eventIds).toEqual(again?.eventIds)
  for (const ending of ['yaml', 'test.ts', 'sh'])
    expect(existsSync(join(folder, `small.${ending}`))).toBe(true)
  execFileSync('sh', ['-n', join(folder, 'small.sh')])
  expect(stdout.trim().split('\n').slice(1)).toEqual([
    'small.rec.ndjson',
    'small.yaml',
    'small.test.ts',
    'small.sh',
  ])
})

test('the small one tells a bad build from a good one, as git bisect run asks it', async () => {
  const bisect = async (options?: ReceiverOptions) => {
    await using service = await openReceiver(options)
    // The service must outlive it.
    return await sparring(
      'replay',
      'small.rec.ndjson',
      '--to',
      service.url,
      '--speed',
      'asap',
      '--bisect',
    )
  }
  const bad = await bisect(forgetful())
  expect(bad.code).toBe(1)
  expect(bad.stderr).toContain('still shows')
  const good = await bisect()
  expect(good.code).toBe(0)
  expect(good.stderr).toContain('does not show any more')
  const gone = await sparring(
    'replay',
    'small.rec.ndjson',
    '--to',
    'http://127.0.0.1:9',
    '--speed',
    'asap',
    '--bisect',
  )
  expect(gone.code).toBe(125)
})

test('--json says the same to a program', async () => {
  await using service = await openReceiver(forgetful())
  const { code, stdout } = await sparring(
    'minimise',
    recording,
    '--speed',
    'asap',
    '--to',
    service.url,
    '-o',
    'told',
    '--json',
    '--quiet',
  )
  const said = JSON.parse(stdout) as { kept: string[]; verdict: string; replays: number }
  expect(said).toMatchObject({ verdict: 'minimal', files: expect.arrayContaining(['told.sh']) })
  expect(said.kept).toHaveLength(3)
  expect(code).toBe(0)
})

test('a place where nothing can be written is told before anything is sent', async () => {
  await using service = await openReceiver(forgetful())
  writeFileSync(join(folder, 'a-file'), 'mine')
  const { code } = await sparring('minimise', recording, '--to', service.url, '-o', 'a-file/small')
  expect(code).toContain('a-file is no folder')
  expect(service.received).toEqual([])
})

test('what is there already is not written over, unless that is wanted', async () => {
  await using service = await openReceiver(forgetful())
  const again = [
    'minimise',
    recording,
    '--speed',
    'asap',
    '--to',
    service.url,
    '-o',
    'kept',
  ] as const
  writeFileSync(join(folder, 'kept.sh'), 'mine')
  expect((await sparring(...again)).code).toContain('kept.sh is there already')
  expect(service.received).toEqual([])
  expect(readFileSync(join(folder, 'kept.sh'), 'utf8')).toBe('mine')
  expect((await sparring(...again, '--force')).code).toBe(0)
})

test('a budget that is used up ends with the best so far, and says so', async () => {
  await using service = await openReceiver(forgetful())
  const { code, stdout } = await sparring(
    'minimise',
    recording,
    '--speed',
    'asap',
    '--to',
    service.url,
    '--max-replays',
    '6',
    '-o',
    'best',
  )
  expect(code).toBe(1)
  expect(stdout).toContain('the search was broken off, so less may do')
  expect((await partOf('best.rec.ndjson')).exchanges.length).toBeLessThan(20)
})

test.each([
  [['--to', 'http://127.0.0.1:9'], 'ECONNREFUSED'],
  [['--to', 'http://example.com'], 'example.com is not this machine'],
])('%j is told why it cannot be, and writes nothing', async (args, sentence) => {
  const { code } = await sparring('minimise', recording, ...args, '-o', 'none')
  expect(code).toContain(sentence)
  expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([])
})

/** As a problem ends the program: its number, and its sentence. */
async function problemOf(...argv: readonly string[]) {
  const { io, interrupt } = createTestIo({ cwd: folder })
  const program = { name: 'sparring', summary: '', version: '0', verbs }
  const ended = runProgram(program, argv, io).catch((thrown: unknown) => thrown)
  return { ended, interrupt }
}

test('a service that cannot be reached is told so, and ends with 3', async () => {
  const { ended } = await problemOf('minimise', recording, '--to', 'http://127.0.0.1:1', '-o', 'no')
  expect(await ended).toMatchObject({
    exit: 3,
    message: expect.stringMatching(/^minimising evening\.rec\.ndjson: .*ECONNREFUSED/),
  })
})

test('interrupted before a failure has been seen it ends with 130, and writes nothing', async () => {
  const asked = Promise.withResolvers<void>()
  await using service = await openReceiver({
    reply() {
      asked.resolve()
      return new Promise(() => undefined)
    },
  })
  const args = ['minimise', recording, '--to', service.url, '--speed', 'asap', '-o', 'never']
  const { ended, interrupt } = await problemOf(...args)
  await asked.promise
  interrupt('SIGINT')
  expect(await ended).toMatchObject({
    exit: 130,
    message: expect.stringContaining('interrupted before a failure had been seen'),
  })
  expect(readdirSync(folder).filter((name) => name.startsWith('never'))).toEqual([])
})

test('a first replay that takes longer than all of it may is told', async () => {
  await using service = await openReceiver({ reply: () => new Promise(() => undefined) })
  const args = ['minimise', recording, '--to', service.url, '--max-time', '300ms', '-o', 'never']
  const { ended } = await problemOf(...args)
  expect(await ended).toMatchObject({ exit: 2, message: expect.stringContaining('--max-time') })
})

test('a service that is only answered makes no trial that ends: that is refused', async () => {
  const { code, stderr } = await sparring('minimise', recording, '--as', 'server')
  expect([code, stderr].join(' ')).toMatch(/client, both/)
})
