// @module-tag nightly
/**
 * Memory of a session over many large exchanges: whatever keeps exchanges keeps few bytes of them. The heap is measured
 * after a full collection, so a new place that keeps bodies is found without being named here.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startControl } from '../src/core/runtime/control/control.ts'
import { currentCursor, followSession } from '../src/core/runtime/control/follow.ts'
import { createRecorder, type Recorder } from '../src/core/runtime/recording/recorder.ts'
import { redactionKeyFrom } from '../src/core/runtime/recording/redaction-key.ts'
import { SessionObserver } from '../src/core/scenario/observer.ts'
import type { Session } from '../src/core/session-api/session.ts'
import { openSession } from '../src/core/session/open-session.ts'
import { driveDashboardOn } from './support/dashboard/drive.ts'
import { ordersOnly } from './support/orders-only.ts'
import { largeObjectsMb, largeText, reachableMb } from './support/retained-memory.ts'
import { sampleT0 } from './support/sample-exchange.ts'

/** Characters of the large part of each exchange: nearly what a call may have. */
const large = 260_000
const exchanges = 5
/** What the exchanges of a single kind would take; what stays of them all without their large parts is half as much. */
const maxRetainedMb = (exchanges * large) / 1e6
/** What grows in so many rounds is kept by something. */
const maxRounds = 6

interface Flow {
  readonly session: Session
  readonly call: (
    method: string,
    path: string,
    init?: { readonly body?: string; readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<Response>
  /** An order that is there from the beginning. */
  readonly orderId: string
  /** Has one order made, whose webhook is answered with `answer`. */
  readonly order: (answer: string, status?: number) => Promise<string>
}

async function subjectFlow(): Promise<Flow> {
  let webhook = { status: 200, body: '' }
  const session = await openSession({
    listen: false,
    clock: 'stepped',
    automatic: false,
    faults: [{ fail: { operation: 'setOrderPreparing' } }],
    capabilities: { ...ordersOnly, logistics: true },
    counterparts: { 'ordering-application': { channel: 'both' } },
    subject: { role: 'software-service' },
    handler: async () => new Response(webhook.body, { status: webhook.status }),
  })
  const base = session.urls.get('ordering-application') ?? ''
  const client = { client_id: 'subject', client_secret: 'secret' }
  const issued = await session.fetch(
    new Request(`${base}/oauth/token`, { method: 'POST', body: new URLSearchParams(client) }),
  )
  const { access_token: token } = (await issued.json()) as { access_token: string }
  async function order(answer: string, status = 200): Promise<string> {
    webhook = { status, body: answer }
    const made = await session.createOrder({ type: 'TAKEOUT' })
    if (!made.ok) throw new Error(made.error.message)
    await session.advance(1000)
    return made.value.orderId
  }

  return {
    session,
    async call(method, path, { body, headers = {} } = {}) {
      const authorization = `Bearer ${token}`
      const all = { authorization, 'content-type': 'application/json', ...headers }
      const init = body === undefined ? { method, headers: all } : { method, headers: all, body }
      const answer = await session.fetch(new Request(`${base}${path}`, init))
      await answer.arrayBuffer()
      return answer
    },
    order,
    orderId: await order(''),
  }
}

/** One large exchange of each kind that something may keep. */
const flows: Readonly<Record<string, (flow: Flow, number: number) => Promise<unknown>>> = {
  'answers to webhooks of orders that nobody reads': ({ order }, number) =>
    order(largeText(number, large)),
  'refusals of webhooks': ({ order }, number) => order(largeText(number, large), 500),
  'acknowledgments of unknown events': ({ call }, number) =>
    call('POST', '/events/acknowledgment', {
      body: JSON.stringify({ eventIds: [largeText(number, large)] }),
    }),
  'acknowledgments that are no list': ({ call }, number) =>
    call('POST', '/events/acknowledgment', {
      body: JSON.stringify({ more: largeText(number, large) }),
    }),
  'requests for tokens': ({ call }, number) =>
    call('POST', '/oauth/token', {
      body: JSON.stringify({
        client_id: 'subject',
        client_secret: 'secret',
        more: largeText(number, large),
      }),
    }),
  'requests for tokens that are refused': ({ call }, number) =>
    call('POST', '/oauth/token', {
      body: JSON.stringify({ client_id: largeText(number, large), client_secret: 'secret' }),
    }),
  'calls with a rejected token': ({ call }, number) =>
    call('POST', `/orders/o-${number}/confirm`, {
      body: JSON.stringify({ more: largeText(number, large) }),
      headers: { authorization: `Bearer rejected-${number}` },
    }),
  'calls that are refused for good': ({ call }, number) =>
    call('POST', `/orders/o-${number}/confirm`, {
      body: JSON.stringify({ more: largeText(number, large) }),
      headers: { 'x-request-id': `r-${number}` },
    }),
  'calls that may be tried again': ({ call }, number) =>
    call('POST', `/orders/o-${number}/preparing`, {
      body: JSON.stringify({ more: largeText(number, large) }),
    }),
  'deliveries of orders of a very long name': ({ call }, number) =>
    call('POST', '/logistics/delivery', {
      body: JSON.stringify({ orderId: largeText(number, large) }),
    }),
  'requests to cancel with a long reason': async ({ call, orderId }, number) =>
    call('POST', `/orders/${orderId}/requestCancellation`, {
      body: JSON.stringify({ reason: largeText(number, large) }),
    }),
  'updates of a courier’s way with more than is asked for': async ({ call, orderId }, number) =>
    call('POST', `/orders/${orderId}/tracking`, {
      body: JSON.stringify({ deliveryTrackingInfo: { more: largeText(number, large) } }),
    }),
  'calls of no operation': ({ call }, number) =>
    call('POST', `/nowhere/${number}`, { body: largeText(number, large) }),
}

const folder = mkdtempSync(join(tmpdir(), 'sparring-memory-'))
afterAll(() => rmSync(folder, { recursive: true }))

function recorderInto(file: string, redact: boolean) {
  const key = redactionKeyFrom(Buffer.alloc(32, 7))
  const recorder = createRecorder({
    file: join(folder, file),
    t0: sampleT0,
    info: {
      name: 'large',
      tool: 'sparring/0',
      protocol: { name: 'x', version: 'v2' },
      parties: [],
    },
    ...(redact ? { redact, key } : { redact, unsafe: true }),
  })
  if (!recorder.ok) throw new Error(recorder.error)
  return recorder.value
}

/** Everything that looks at a session, and two readers of its changes that stop reading. */
async function watch(session: Session) {
  const recorders = [
    recorderInto('redacted.rec.ndjson', true),
    recorderInto('raw.rec.ndjson', false),
  ]
  let recorded = 0
  session.onExchange((exchange) => {
    recorded++
    for (const recorder of recorders) recorder.record(exchange)
  })
  const observer = new SessionObserver(session, 'software-service')
  const dashboard = await driveDashboardOn(session)
  await dashboard.press('space')
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  const [stream] = (await once(get(`${control.url}/stream`), 'response')) as [IncomingMessage]
  stream.pause()
  const stopped = new AbortController()
  const follower = followSession(session, {
    from: await currentCursor(session),
    signal: stopped.signal,
  })
  await follower.next()
  return {
    /** What is queued for the files is written, and the screen shows what there is. */
    async settle() {
      observer.read()
      await dashboard.refresh()
      expect(dashboard.lines().length).toBeGreaterThan(10)
      const isWritten = (recorder: Recorder): boolean =>
        recorder.stats().written + recorder.stats().dropped === recorded
      while (!recorders.every(isWritten)) await setImmediate()
      // A write that is under way keeps its buffer.
      for (let round = 0; round < 20; round++) await stat(folder)
    },
    async close() {
      stopped.abort()
      stream.destroy()
      observer[Symbol.dispose]()
      await control.close()
      for (const recorder of recorders) await recorder.close()
    },
  }
}

test('large exchanges of any kind leave no large part behind', { timeout: 240_000 }, async () => {
  const subject = await subjectFlow()
  const watchers = await watch(subject.session)

  let others = 0
  /** What is reachable once caches with a stated bound hold other exchanges, the same each time. */
  async function settled(): Promise<{ readonly all: number; readonly large: number }> {
    for (let number = 0; number < 12; number++)
      await subject.call('POST', '/nowhere', { body: largeText(++others, 400_000) })
    await subject.session.judge()
    await watchers.settle()
    return { all: await reachableMb(), large: largeObjectsMb() }
  }

  let before = await settled()
  /** Megabytes that stay after many exchanges of these kinds, though others be freed in the same time. */
  async function retainedMb(kinds: readonly (typeof flows)[string][]): Promise<number> {
    for (let number = 1; number <= exchanges; number++)
      for (const flow of kinds) await flow(subject, number)
    const after = await settled()
    const kept = Math.max(after.all - before.all, after.large - before.large)
    before = after
    return kept
  }

  // What is loaded, compiled or grown once is part of the first rounds only; what keeps exchanges grows in every round. Two
  // small rounds are asked for, since something else may be freed in one of them.
  const rounds: number[] = []
  const isSmall = (): boolean =>
    rounds.length > 1 && rounds.slice(-2).every((mb) => mb < maxRetainedMb)
  while (!isSmall() && rounds.length < maxRounds)
    rounds.push(await retainedMb(Object.values(flows)))
  // Each kind alone, only to name the one that is kept.
  const named: string[] = []
  if (!isSmall())
    for (const [what, flow] of Object.entries(flows))
      named.push(`${what}: ${(await retainedMb([flow])).toFixed(1)} MB`)

  await watchers.close()
  await subject.session.close()
  expect({ isSmall: isSmall(), rounds, named }).toEqual({ isSmall: true, rounds, named: [] })
})
