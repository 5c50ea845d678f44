// @module-tag slow
/**
 * `sparring minimise` end to end: a subject that rejects duplicate events, a recorded session with it, and the minimal
 * recording that reproduces the failure.
 *
 * A search with a service as a process for each replay is left to the nightly: the same search and the same proofs are made
 * here against a service that runs.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { readRecording } from '../../../core/runtime/recording/read-recording.ts'
import {
  openReceiver,
  type Receiver,
  type ReceiverOptions,
  receiverSession,
} from '../../../../test/support/webhook-receiver.ts'
import { runSparring } from '../../../../test/support/spawn-sparring.ts'
import { words } from '../../../../test/support/shell-words.ts'
import { runVerbs } from '../../../../test/support/run-in-process.ts'
import { createTestIo } from '../../../../test/support/test-io.ts'
import { driverNames } from '../../../core/traffic/recording/replay-report.ts'
import type { ReplayFlags } from '../replay/flags.ts'
import { driversByName } from '../replay/play-recording.ts'
import { addVitestStandIn } from './proof.ts'
import { checkEffects, checkNeedsRecording, runMinimise } from './run-minimise.ts'
import { openSession } from '../../../core/session/open-session.ts'

const folder = mkdtempSync(join(tmpdir(), 'sparring-minimise-'))
const recording = 'evening.rec.ndjson'
/** What the first test makes of it: four exchanges. */
const small = 'small.rec.ndjson'

/** Rejects a duplicate event, which it should accept and ignore. */
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
  vi.waitFor(
    () => {
      if (service.received.length !== count) throw new Error(`${service.received.length} came`)
    },
    { timeout: 45_000 },
  )

/** Eight orders; an event of the fifth is delivered twice. */
beforeAll(async () => {
  await using service = await openReceiver(forgetful())
  await using session = await openSession({
    ...receiverSession(service.url, join(folder, recording)),
    faults: [{ duplicate: { event: 'CONFIRMED', order: 'o5' } }],
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

/** The command line as it is built: what it exports is run with the build, and not compiled for each proof. */
const built = (...argv: readonly string[]) =>
  runSparring(argv, { cwd: folder, env: { SPARRING_PORT: '0' } })

async function sparring(...argv: readonly string[]) {
  const { io, written } = createTestIo({ cwd: folder })
  const code = await runVerbs(argv, io).catch((error: unknown) => String(error))
  return { code, ...written() }
}

const partOf = async (file: string) => {
  const read = await readRecording(join(folder, file))
  if (!read.ok) throw new Error(read.error)
  return read.value
}

test(
  'eight orders are reduced to a token and three webhooks, and recording, scenario, test and script are written',
  { timeout: 300_000 },
  async () => {
    await using service = await openReceiver(forgetful())
    const to = ['--to', service.url, '--speed', 'asap']
    const { code, stdout, stderr } = await built('minimise', recording, ...to, '-o', 'small')
    expect(stderr).toMatch(
      /^1\. receiveOrderEvent CONFIRMED of order \S+ is answered 422, after CREATED · once, as recorded · #14\n(?:\d\. order \S+ is left at CONFIRMED · once · #\d+\n)+slice +20 to 4 exchanges, 2 replays\n/,
    )
    expect(stdout).toMatch(
      /^4 exchanges of 20 of 1 order are enough: receiveOrderEvent CONFIRMED of order \S+ is answered 422, after CREATED, at number 4, receiveOrderEvent\./,
    )
    expect(code).toBe(0)
    const part = await partOf(small)
    expect(part).toMatchObject({ closed: true, problems: [] })
    // A token, the state before, and the same event twice.
    expect(part.exchanges.map(({ operation, reply }) => [operation, reply?.status])).toEqual([
      ['issueToken', 200],
      ['receiveOrderEvent', 204],
      ['receiveOrderEvent', 204],
      ['receiveOrderEvent', 422],
    ])
    const [, , first, again] = part.exchanges
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
  },
)

test('replaying the minimised recording works as a test for git bisect run', async () => {
  const bisect = async (options?: ReceiverOptions) => {
    await using service = await openReceiver(options)
    // The subject must stay running.
    return await sparring('replay', small, '--to', service.url, '--speed', 'asap', '--bisect')
  }
  const bad = await bisect(forgetful())
  expect(bad.code).toBe(1)
  expect(bad.stderr).toContain('still shows')
  const good = await bisect()
  expect(good.code).toBe(0)
  expect(good.stderr).toContain('does not show any more')
  const gone = await sparring(
    ...words`replay ${small} --to http://127.0.0.1:9 --speed asap --bisect`,
  )
  expect(gone.code).toBe(125)
})

/** A service as a program: like `forgetful`, or mended. It notes its process id in a file. */
const forgetfulProgram = `
import { appendFileSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
const [port, mended] = process.argv.slice(2)
appendFileSync('started.txt', process.pid + ' ' + port + '\\n')
const seen = new Set()
createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => (text += chunk))
  request.on('end', () => {
    const json = (body) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/protocol')
      return json(JSON.parse(readFileSync('manifest.json', 'utf8')))
    if (request.url === '/merchants') return json([])
    if (request.url === '/oauth/token')
      return json({ access_token: 't', token_type: 'bearer', expires_in: 3600 })
    if (!request.url.startsWith('/webhooks/')) return response.writeHead(404).end()
    const { eventType, orderId } = JSON.parse(text)
    const isAgain = seen.has(eventType + orderId)
    seen.add(eventType + orderId)
    response.writeHead(isAgain && !mended ? 422 : 204).end()
  })
}).listen(Number(port), '127.0.0.1')
`

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test(
  'with --start each replay and each proof is of a fresh service on ports of its own, and none is left running; --json prints the result as JSON',
  { tags: ['nightly'], timeout: 300_000 },
  async () => {
    writeFileSync(join(folder, 'service.mjs'), forgetfulProgram)
    await using published = await openReceiver()
    const manifest = await fetch(`${published.url}/.well-known/protocol`)
    writeFileSync(join(folder, 'manifest.json'), await manifest.text())
    const start = `exec ${process.execPath} service.mjs {port}`
    const args = ['minimise', small, '--speed', 'asap', '--json', '--quiet', '-o', 'fresh']
    const { code, stdout } = await built(...args, '--start', start, '--fixed', `${start} mended`)
    expect(code).toBe(0)
    const result = JSON.parse(stdout) as {
      readonly kept: readonly string[]
      readonly replays: number
    }
    const products = ['rec.ndjson', 'yaml', 'test.ts', 'sh'].map((ending) => ({
      file: `fresh.${ending}`,
      written: true,
      proof: { fails: 3, of: 3 },
    }))
    expect(result).toMatchObject({
      verdict: 'minimal',
      files: expect.arrayContaining(['fresh.sh']),
      products,
    })
    const { kept, replays } = result
    expect(kept).toHaveLength(4)
    const started = readFileSync(join(folder, 'started.txt'), 'utf8').trim().split('\n')
    // One of each replay and of each run of a proof, and the fixed one.
    expect(started.length).toBeGreaterThanOrEqual(replays + 3 * products.length + 1)
    expect(started.filter((line) => isRunning(Number(line.split(' ')[0])))).toEqual([])
  },
)

test.each([
  ['--max-gap soon', 'reading --max-gap'],
  ['--speed quick', 'reading --speed'],
  ['--fixed http://127.0.0.1:9', 'reading --fixed: the fixed service does not answer'],
  ['--driver partner --max-gap soon', 'reading --max-gap'],
  ['--start false', 'reading --to: each service of --start listens on a port of its own'],
])('%s is refused before the first replay', async (flags, said) => {
  await using service = await openReceiver(forgetful())
  const { ended } = await problemOf(
    ...words`minimise ${recording} --to ${service.url} ${flags.split(' ')} -o no`,
  )
  expect(await ended).toMatchObject({ message: expect.stringContaining(said) })
  expect(service.received).toEqual([])
})

test.each(driverNames)('flags of replays have a meaning with the driver %s', async (name) => {
  const driver = await driversByName[name]()
  const flags = { recording, to: 'http://127.0.0.1:9', 'max-gap': '2s', 'no-replay-headers': true }
  expect(() => driver.check({ ...flags, speed: '2x', seed: 3 } as ReplayFlags)).not.toThrow()
})

test('a product that fails in two of three runs is written, and named flaky with its rate; of an interruption nothing else', async () => {
  let isMended = false
  const bad = forgetful()
  await using service = await openReceiver({
    reply: async (nth, event) => {
      const answer = await bad.reply?.(nth, event)
      return answer && !isMended ? answer : { status: 204 }
    },
  })
  const { io, written, interrupt } = createTestIo({ cwd: folder })
  const flags = { recording: small, to: service.url, speed: 'asap', port: 0, output: 'flaky' }
  let isStopped = false
  const code = await runMinimise(flags, io, (text) => {
    isMended = text === 'minimising: proving the recording, run 2 of 3'
    if (isStopped || !text.includes('the scenario')) return
    isStopped = true
    interrupt('SIGINT')
  })
  expect(code).toBe(130)
  expect(written().stdout.split('\n')).toContain('flaky.rec.ndjson  flaky: it fails 2 of 3 times')
  expect(readdirSync(folder).filter((name) => name.startsWith('flaky'))).toEqual([
    'flaky.rec.ndjson',
  ])
})

test.each(['client', 'partner'])(
  'a command of --start that ends is told with its last line (--driver %s)',
  async (driver) => {
    const start = ['--start', 'echo out of order; exit 7']
    const as = ['--driver', driver]
    const { ended } = await problemOf('minimise', recording, ...start, ...as, '-o', 'no')
    expect(await ended).toMatchObject({
      exit: 3,
      message: expect.stringMatching(/it ended with code 7.*\(out of order\)/),
    })
  },
)

test('a failure that the fixed service shows as well is not what was mended: nothing is written, and the reason is said', async () => {
  await using service = await openReceiver(forgetful())
  await using stillBroken = await openReceiver(forgetful())
  const args = ['minimise', recording, '--speed', 'asap', '--to', service.url, '-o', 'unproven']
  const { ended } = await problemOf(...args, '--fixed', stillBroken.url, '--failure', '422')
  expect(await ended).toMatchObject({
    exit: 5,
    message: expect.stringMatching(/the fixed service fails in the same way: receiveOrderEvent/),
  })
  expect(readdirSync(folder).filter((name) => name.startsWith('unproven'))).toEqual([])
}, 300_000)

test('a failure that needs no exchange of the recording is no proof: a sentence says so', () => {
  const found = { content: { exchanges: [] }, failure: { text: 'rule TRN-ERB-01 fails' } }
  expect(() => checkNeedsRecording(found, recording)).toThrow(
    'rule TRN-ERB-01 fails, also with no exchange of it played: your service fails as it starts',
  )
})

test('a failure of effects needs the configuration that says how they are counted', async () => {
  const verdict = (id: string) => ({ id, outcome: 'failed' as const })
  const checked = (flags: object, ...ids: readonly string[]) =>
    checkEffects(
      { recording, ...flags },
      { end: { verdicts: ids.map(verdict) } as never },
      createTestIo({ cwd: folder }).io,
    ).then(
      () => 'goes on',
      (error: unknown) => String(error),
    )
  const refused = /the recording shows EF-1.*Name the configuration that has subject\.effects/
  expect(await checked({}, 'EF-1')).toMatch(refused)
  expect(await checked({ failure: 'EF-1' }, 'SE-6', 'EF-1')).toMatch(refused)
  expect(await checked({}, 'SE-6', 'EF-1')).toBe('goes on')
  expect(await checked({ failure: 'SE-6' }, 'SE-6', 'EF-1')).toBe('goes on')
  const counted = join(folder, 'effects.yaml')
  writeFileSync(counted, 'subject: { effects: { tickets: count-tickets } }\n')
  expect(await checked({ config: counted }, 'EF-1')).toBe('goes on')
})

test('an output folder that cannot be written is reported before the first replay', async () => {
  await using service = await openReceiver(forgetful())
  writeFileSync(join(folder, 'a-file'), 'mine')
  const { code } = await sparring('minimise', recording, '--to', service.url, '-o', 'a-file/small')
  expect(code).toContain('a-file is no folder')
  expect(service.received).toEqual([])
})

test(
  'existing files are overwritten only with --force; an exhausted replay budget ends with the smallest recording so far, and reports it',
  { timeout: 300_000 },
  async () => {
    addVitestStandIn(folder)
    await using service = await openReceiver(forgetful())
    const to = ['--speed', 'asap', '--to', service.url, '--max-replays', '6']
    const again = ['minimise', recording, ...to, '-o', 'best'] as const
    writeFileSync(join(folder, 'best.sh'), 'mine')
    expect((await sparring(...again)).code).toContain('best.sh is there already')
    expect(service.received).toEqual([])
    expect(readFileSync(join(folder, 'best.sh'), 'utf8')).toBe('mine')
    const { code, stdout } = await built(...again, '--force')
    expect(code).toBe(1)
    expect(stdout).toContain('the search stopped at its limit; a smaller reproduction may exist')
    expect((await partOf('best.rec.ndjson')).exchanges.length).toBeLessThan(20)
    expect(readFileSync(join(folder, 'best.sh'), 'utf8')).toContain('curl')
    expect(existsSync(join(folder, 'best.test.ts'))).toBe(true)
  },
)

/** Runs the program; resolves to the problem that it throws. */
async function problemOf(...argv: readonly string[]) {
  const { io, interrupt } = createTestIo({ cwd: folder })
  const ended = runVerbs(argv, io).catch((thrown: unknown) => thrown)
  return { ended, interrupt }
}

test.each([
  ['http://127.0.0.1:9', 3, /^minimising evening\.rec\.ndjson: .*ECONNREFUSED/],
  ['http://example.com', 2, /example\.com is not this machine/],
])('%s is refused, exits with %i, and nothing is written', async (to, exit, message) => {
  const { ended } = await problemOf('minimise', recording, '--to', to, '-o', 'none')
  expect(await ended).toMatchObject({ exit, message: expect.stringMatching(message) })
  expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([])
})

test('an interruption before the first failure exits with 130, and nothing is written', async () => {
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

test('a first replay that exceeds --max-time is reported', async () => {
  await using service = await openReceiver({ reply: () => new Promise(() => undefined) })
  const args = ['minimise', recording, '--to', service.url, '--max-time', '300ms', '-o', 'never']
  const { ended } = await problemOf(...args)
  expect(await ended).toMatchObject({ exit: 2, message: expect.stringContaining('--max-time') })
})

test('a driver that has nothing to play is refused', async () => {
  const { code, stderr } = await sparring('minimise', recording, '--driver', 'server')
  expect([code, stderr].join(' ')).toMatch(
    /the driver server has nothing to play in it\. Choose another with --driver: partner/,
  )
})
