// @module-tag slow
/**
 * The tools that work for long, as an agent uses them: `run`, `explore`, `replay`, `minimise`, `certify` and `report` over a
 * real process, to a result, to a refusal, to a cancellation and to an agent that goes away.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { kill } from 'node:process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type CertifyVerb, openCertifyVerb } from '../../../test/support/certify-verb.ts'
import { type Agent, startAgent, startAgentHere } from '../../../test/support/mcp-agent.ts'
import { demoServiceCommand, emptyFolder } from '../../../test/support/spawn-sparring.ts'
import {
  openReceiver,
  type ReceiverOptions,
  receiverSession,
} from '../../../test/support/webhook-receiver.ts'
import type { UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { roles } from '../../core/protocol/role.ts'
import { openSession } from '../../core/session/open-session.ts'
import { addVitestStandIn } from '../../replay/cli/minimise/proof.ts'
import { listenError, reservePorts } from '../../terminal/cli/ports.ts'

/** Rejects an event that comes twice, which it should accept and ignore. */
function forgetful(): ReceiverOptions {
  const seen = new Set<string>()
  return {
    reply(_nth, { eventId }) {
      const isAgain = seen.has(eventId)
      seen.add(eventId)
      return { status: isAgain ? 422 : 204 }
    },
  }
}

const cwd = emptyFolder()
/** Ports that are free: tests run side by side. */
const env = { SPARRING_PORT: '0' }
const recording = 'twice.rec.ndjson'
let agent: Agent
let certified: CertifyVerb

/** An order whose CONFIRMED is delivered twice. */
async function recordFailure(): Promise<void> {
  await using service = await openReceiver(forgetful())
  await using session = await openSession({
    ...receiverSession(service.url, join(cwd, recording)),
    faults: [{ duplicate: { event: 'CONFIRMED' } }],
  })
  let answered = 0
  session.onExchange(({ operation, reply }) => {
    if (operation === 'receiveOrderEvent' && reply) answered++
  })
  // Until our side has the answer: one that it has not when the session ends is recorded as lost.
  const came = (count: number): Promise<void> =>
    vi.waitFor(() => expect(answered).toBe(count), { timeout: 45_000 })
  const made = await session.createOrder({ type: 'TAKEOUT' })
  if (!made.ok) throw new Error(made.error.message)
  await came(1)
  await session.submit({ kind: 'order.apply', orderId: made.value.orderId, trigger: 'confirm' })
  await came(3)
}

beforeAll(async () => {
  addVitestStandIn(cwd)
  writeFileSync(join(cwd, 'sparring.config.yaml'), 'tolerances: { converge: 15s, grace: 5s }\n')
  writeFileSync(
    join(cwd, 'alone.yaml'),
    'name: Alone\nabout: No service.\nsubject: none\nsteps:\n  - create: o1\norders:\n  o1: { type: TAKEOUT }\n',
  )
  writeFileSync(
    join(cwd, 'long.yaml'),
    'name: Long\nabout: Waits.\nsteps:\n  - create: o1\n  - advance: 1h\norders:\n  o1: { type: TAKEOUT }\n',
  )
  const [started, certifyVerb] = await Promise.all([
    startAgentHere({ cwd, env }),
    openCertifyVerb(),
    recordFailure(),
  ])
  agent = started
  certified = certifyVerb
})
afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await certified.close()
  rmSync(cwd, { recursive: true, force: true })
})

const succeeded = async (name: string, input: UnknownRecord, by = agent) => {
  const answer = await by.call(name, input)
  expect(answer.isError ? answer.text : '').toBe('')
  return answer
}

test('a recorded failure is shown on a page, replayed and minimised', async () => {
  const page = await succeeded('report', { source: recording })
  expect(page).toMatchObject({ exit: 0, text: expect.stringContaining('twice.report.html') })
  expect(readFileSync(join(cwd, 'twice.report.html'), 'utf8')).toContain('receiveOrderEvent')

  await using service = await openReceiver(forgetful())
  const replayed = await succeeded('replay', { recording, to: service.url, speed: 'asap' })
  expect(replayed).toMatchObject({ exit: 0, result: [{ type: 'summary', ok: true }] })
  expect(service.received).toHaveLength(3)
  // No service listens there: the result says why, and how far it came.
  const gone = await succeeded('replay', { recording, to: 'http://127.0.0.1:1', speed: 'asap' })
  expect(gone).toMatchObject({ exit: 3, text: expect.stringContaining('ECONNREFUSED') })

  // As a process, whose test and script are run with the build: here each proof would compile the sources.
  await using built = await startAgent({ cwd, env })
  const input = { recording, to: service.url, speed: 'asap', output: 'small', 'max-replays': 30 }
  const minimised = await succeeded('minimise', input, built)
  expect(minimised).toMatchObject({ exit: 0, result: { verdict: 'minimal' } })
  for (const ending of ['rec.ndjson', 'test.ts'])
    expect(existsSync(join(cwd, `small.${ending}`))).toBe(true)
}, 60_000)

test('scenarios are run, a service is explored, and one is certified', async () => {
  expect(await succeeded('run', { scenario: 'alone.yaml' })).toMatchObject({
    exit: 0,
    result: { ok: true, passed: 1 },
  })
  const explored = await succeeded('explore', {
    as: 'software-service',
    start: demoServiceCommand('--speed', '15'),
    speed: 15,
    workload: 'takeout',
    seed: 3,
    'max-runs': 2,
    out: 'campaign.ndjson',
  })
  expect(explored.result).toMatchObject({ subject: 'software-service', seed: 3 })
  const merged = await succeeded('explore_merge', { file: 'campaign.ndjson' })
  expect(merged.result).toMatchObject({ seed: 3, merged: ['campaign.ndjson'] })

  // Its configuration with the credentials is in its folder.
  await using certifier = await startAgentHere({ cwd: certified.at('.'), env })
  // Of a clause whose procedure waits for nothing.
  const input = { url: certified.url, only: 'AUT-TEN-02', bundle: 'a.tar' }
  expect(await succeeded('certify', input, certifier)).toMatchObject({
    exit: 0,
    result: { ok: true, counts: { passed: 1, failed: 0 } },
  })
  expect(await succeeded('certify_verify', { bundle: 'a.tar' }, certifier)).toMatchObject({
    exit: 0,
  })
}, 60_000)

test('a report is of a recording also while sessions run, and of the one that its URL names', async () => {
  await using other = await startAgentHere({ cwd, env })
  const input = { source: recording, force: true }
  const start = () => other.result('session_start', { as: 'software-service', clock: 'stepped' })
  const first = await start()
  expect(await succeeded('report', input, other)).toMatchObject({ exit: 0 })
  expect(await succeeded('report', { output: 's1.html' }, other)).toMatchObject({ exit: 0 })
  const { control } = first as { readonly control: string }
  await start()
  expect(await succeeded('report', input, other)).toMatchObject({ exit: 0 })
  expect(await succeeded('report', { source: control, output: 'url.html' }, other)).toMatchObject({
    exit: 0,
  })
  expect(readFileSync(join(cwd, 'url.html'), 'utf8')).toContain(
    `Report of the session at ${control}`,
  )
  expect((await other.call('report', { output: 'none.html' })).text).toContain('2 run here: s1, s2')
})

test.each<readonly [string, UnknownRecord, string]>([
  ['run', {}, 'calling run: scenario is missing. It is '],
  ['run', { scenario: 'long.yaml' }, 'no service to test is given. Say it with --start'],
  [
    'run',
    { scenario: 'alone.yaml', repeat: 0 },
    'repeat is 0. It is a whole number from 1 to 1000.',
  ],
  ['run', { scenario: 'alone.yaml', reporter: 'htm=a' }, 'Did you mean "html"?'],
  ['explore', {}, 'exploring your service: nothing says which role it plays.'],
  ['explore', { as: 'pos', workload: 'takeuot' }, 'Did you mean "takeout"?'],
  [
    'explore',
    { as: 'pos', 'max-time': 'long' },
    '"long" is no duration. Write 250ms, 5s, 2m or 1h.',
  ],
  ['replay', { recording: 'alone.yaml' }, 'alone.yaml'],
  ['replay', { recording, to: 'nowhere' }, 'nowhere'],
  ['minimise', { to: 'http://127.0.0.1:1' }, 'calling minimise: recording is missing.'],
  ['minimise', { recording, to: 'http://example.com' }, 'example.com is not this machine'],
  ['minimise', { recording, 'max-replays': 1 }, 'max-replays is 1. It is a whole number from 4'],
  ['certify', {}, 'its URL is not given'],
  ['certify', { url: 'http://127.0.0.1:9', as: 'crm', only: 'XYZ' }, 'begins with "XYZ"'],
  ['certify', { url: 'http://127.0.0.1:9' }, 'nothing says which role it plays. Say it with --as'],
  ['certify', { url: 'http://127.0.0.1:9', as: 'crm', 'wait-for-subject': 0.1 }, 'does not answer'],
  ['report', { source: 'gone.rec.ndjson' }, 'gone.rec.ndjson'],
  ['report', { source: recording, output: 'none', order: 'o9' }, 'no order "o9" is in the traffic'],
  ['report', { source: recording, limit: 0 }, 'limit is 0. It is a whole number from 1'],
])('%s %j is refused with what to do', async (name, input, message) => {
  const { isError, text } = await agent.call(name, input)
  expect({ isError, text }).toEqual({ isError: true, text: expect.stringContaining(message) })
  expect(text).not.toMatch(/\n +at /)
})

/** Never answers; reports when it is asked, and when the client has disconnected. */
async function startSilentService() {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const server = createServer(({ socket }) => {
    asked.resolve()
    socket.once('close', left.resolve)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked: asked.promise,
    left: left.promise,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Ports of a session with this first one that are in use. */
async function portsInUse(first: number): Promise<readonly number[]> {
  const ports = [first, ...roles.map((_role, index) => first + 1 + index)]
  const errors = await Promise.all(ports.map((port) => listenError('127.0.0.1', port)))
  return ports.filter((_port, index) => errors[index] !== undefined)
}

test.each<readonly [string, (url: string) => UnknownRecord]>([
  ['replay', (to) => ({ recording, to, speed: 'asap' })],
  ['minimise', (to) => ({ recording, to, speed: 'asap', output: 'cancelled' })],
  ['certify', (url) => ({ url, as: 'software-service', 'wait-for-subject': 600 })],
  ['explore', (subject) => ({ as: 'ordering-application', subject, 'wait-for-subject': 600 })],
])(
  'a cancelled %s leaves its service and its ports, and the agent is served on',
  async (name, inputOf) => {
    await using service = await startSilentService()
    using ports = await reservePorts('cancelling', '127.0.0.1')
    const cancel = new AbortController()
    const input = { ...inputOf(service.url), port: ports.first }
    const call = agent.call(name, input, { signal: cancel.signal })
    const ended = call.then(({ text }) => text, String)
    await Promise.race([service.asked, ended.then((text) => Promise.reject(new Error(text)))])
    expect(await portsInUse(ports.first)).not.toEqual([])
    cancel.abort('enough')
    await service.left
    await expect.poll(() => portsInUse(ports.first)).toEqual([])
    expect(await ended).toContain('enough')
    const { result } = await succeeded('session_status', {})
    // Other tests may have sessions.
    expect(result).not.toContainEqual(expect.objectContaining({ cwd }))
  },
)

const isRunning = (pid: number): boolean => {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

/** A command of `--start` that writes down its process. */
const countedService = (speed: string): string =>
  `echo $$ >> "${join(cwd, 'pids')}"; ${demoServiceCommand('--speed', speed)}`

const startedPids = (): readonly number[] =>
  existsSync(join(cwd, 'pids'))
    ? readFileSync(join(cwd, 'pids'), 'utf8').trim().split('\n').map(Number)
    : []

test.each<readonly [string, UnknownRecord]>([
  ['run', { scenario: 'long.yaml' }],
  ['explore', { as: 'software-service', workload: 'takeout', corpus: 'gone' }],
])(
  'an agent that goes away in the middle of %s leaves no process behind',
  async (name, input) => {
    rmSync(join(cwd, 'pids'), { force: true })
    const leaving = await startAgent({ cwd, env })
    const call = leaving
      .call(name, { ...input, start: countedService('15'), speed: 15 })
      .catch(() => undefined)
    await expect.poll(startedPids, { timeout: 30_000 }).not.toEqual([])
    const { pid } = leaving
    expect(isRunning(pid)).toBe(true)
    await leaving[Symbol.asyncDispose]()
    await call
    await expect
      .poll(() => [pid, ...startedPids()].filter(isRunning), { timeout: 10_000 })
      .toEqual([])
  },
  60_000,
)
