/** Waiting and the verdict over the control API, for services in any language. */
import { expect, test, onTestFinished } from 'vitest'
import { openHarness } from '../../../../test/support/in-process-harness.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import { openSession } from '../../session/open-session.ts'
import type { SessionVerdict } from '../../views/session-verdict.ts'
import { startControl, maxWaits } from './control.ts'
import type { WaitResult } from './wait-result.ts'

async function startClient(session: SessionApi) {
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  onTestFinished(() => control.close())
  const ask = async (method: string, path: string, body?: object, signal?: AbortSignal) => {
    const answer = await fetch(`${control.url}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    })
    return { status: answer.status, json: (await answer.json()) as unknown }
  }
  const wait = async (body: object): Promise<WaitResult> =>
    (await ask('POST', '/wait', body)).json as WaitResult
  return { ask, wait, control }
}

const verdictOf = async (session: SessionApi): Promise<SessionVerdict> =>
  (await (await startClient(session)).ask('GET', '/verdict')).json as SessionVerdict

/** A session whose clock is paused, so that nothing goes on by itself. */
const openPaused = (as?: 'software-service') =>
  openSession({ clock: 'stepped', listen: false, ...(as ? { as } : {}) })

test('a wait ends when the order has its status, and when everything has converged', async () => {
  await using harness = await openHarness({ channel: 'webhook' })
  const { ask, wait } = await startClient(harness.session)
  await harness.order('TAKEOUT')
  const waits = [
    wait({ order: 'o1', status: 'CONFIRMED', timeout: '30s' }),
    wait({ timeout: '30s' }),
  ]
  // The virtual clock of the harness goes on only when it is told to.
  await harness.pass(120_000)
  const [status, converged] = await Promise.all(waits)
  // Whichever status it has by then: it has been CONFIRMED.
  expect(status).toMatchObject({ met: true, because: [] })
  expect(status?.status).toMatch(/^(CONFIRMED|PREPARING|READY|DELIVERED|CONCLUDED)$/)
  expect(converged).toEqual({ met: true, because: [], waitedMs: expect.any(Number) as number })
  const verdict = (await ask('GET', '/verdict')).json as SessionVerdict
  expect(verdict).toMatchObject({
    passed: true,
    exit: 0,
    because: 'No rule is broken.',
    broken: [],
  })
  expect(verdict.counts.passed).toBeGreaterThan(5)
  expect((await ask('GET', '/verdict?exercised=CV-1,se-6')).json).toMatchObject({
    exit: 0,
    notExercised: [],
  })
  const unexercised = 'SE-2 not exercised: it needs logistics'
  expect((await ask('GET', '/verdict?exercised=CV-1,SE-2')).json).toMatchObject({
    passed: false,
    exit: 2,
    because: `No rule is broken, but ${unexercised}.`,
    notExercised: [unexercised],
  })
  expect(verdict.text).toMatch(/^verdicts {2}\d+ passed, 0 failed/)
})

test('once everything has converged the effects of the service are counted, for the verdict', async () => {
  await using harness = await openHarness({ channel: 'webhook', session: { automatic: true } })
  const { session } = harness
  let judged = 0
  const counted = { ...session, judge: () => (judged++, session.judge()) }
  const { wait } = await startClient(counted)
  await harness.order('TAKEOUT')
  expect(await wait({ timeout: '30s' })).toMatchObject({ met: true })
  expect(judged).toBe(1)
  await harness.order('TAKEOUT')
  expect(await wait({ timeout: '0s' })).toMatchObject({ met: false })
  expect(judged).toBe(1)
})

test('on a virtual clock that runs by itself, minutes of the session pass while a wait takes none', async () => {
  await using harness = await openHarness({ channel: 'webhook', session: { automatic: true } })
  const { wait } = await startClient(harness.session)
  const before = harness.session.clock.now()
  await harness.order('TAKEOUT')
  expect(await wait({ order: 'o1', status: 'CONCLUDED', timeout: '30s' })).toMatchObject({
    met: true,
  })
  expect(await wait({ timeout: '30s' })).toMatchObject({ met: true })
  expect(harness.session.clock.now() - before).toBeGreaterThan(10_000)
})

test('a wait that is not met says why, at once when it never will be', async () => {
  await using session = await openPaused('software-service')
  const { wait } = await startClient(session)
  const paused = expect.stringMatching(/^The clock is paused/) as string
  expect(await wait({ timeout: 0 })).toMatchObject({
    met: false,
    because: ['there is no order yet', paused],
  })
  await session.createOrder({ type: 'TAKEOUT' })
  expect(await wait({ order: 'o1', status: 'CONFIRMED', timeout: '30ms' })).toMatchObject({
    met: false,
    status: 'CREATED',
    because: ['the order is CREATED, not CONFIRMED', paused],
  })
  await session.setClock({ mode: 'real' })
  expect(await wait({ order: 'o1', status: 'CONFIRMED', timeout: '30ms' })).toMatchObject({
    met: false,
    because: [
      'the order is CREATED, not CONFIRMED',
      expect.stringMatching(/^Waiting for your service to connect …/),
    ],
  })
  // Longer than the test may take: it does not wait.
  expect(await wait({ order: 'o1', status: 'IN_DELIVERY', timeout: '5m' })).toMatchObject({
    met: false,
    because: ['the order will not be IN_DELIVERY: a TAKEOUT order is never IN_DELIVERY'],
  })
})

test('bad waits are refused with a reason', async () => {
  await using session = await openPaused()
  const { ask } = await startClient(session)
  const refusal = async (body: object) => {
    const { status, json } = await ask('POST', '/wait', body)
    return `${status} ${(json as { error: { message: string } }).error.message}`
  }
  expect(await refusal({ order: 'o9', status: 'CONFIRMED' })).toBe('404 there is no order o9')
  expect(await refusal({ order: 'o1' })).toMatch(/^400 .*say order and status, or neither/)
  expect(await refusal({ timeout: '1h' })).toMatch(/^400 .*at most 5m in one call/)
  expect(await refusal({ for: 'CONFIRMED' })).toMatch(/^400 .*for/)
})

test('a client that disconnects makes room for another; only so many may wait at once', async () => {
  await using session = await openPaused()
  let listeners = 0
  const { ask } = await startClient({
    ...session,
    subscribe(listener) {
      listeners++
      const unsubscribe = session.subscribe(listener)
      return () => {
        listeners--
        unsubscribe()
      }
    },
  })
  const gone = new AbortController()
  const waits = Array.from({ length: maxWaits }, () =>
    ask('POST', '/wait', { timeout: '5m' }, gone.signal).catch(() => 'disconnected'),
  )
  await expect.poll(() => listeners).toBe(maxWaits)
  expect(await ask('POST', '/wait', { timeout: 0 })).toMatchObject({
    status: 503,
    json: { error: { message: `${maxWaits} requests wait already` } },
  })
  gone.abort()
  expect(new Set(await Promise.all(waits))).toEqual(new Set(['disconnected']))
  await expect.poll(() => listeners).toBe(0)
  expect((await ask('POST', '/wait', { timeout: 0 })).status).toBe(200)
})

test('a wait is answered when the session is stopped', async () => {
  await using session = await openPaused()
  const { promise: isWaiting, resolve: begin } = Promise.withResolvers<void>()
  const { wait, control } = await startClient({
    ...session,
    subscribe(listener) {
      begin()
      return session.subscribe(listener)
    },
  })
  const waited = wait({ timeout: '5m' })
  await isWaiting
  await control.close()
  expect(await waited).toMatchObject({
    met: false,
    because: ['there is no order yet', 'The session was stopped.'],
  })
})

test('the verdict does not pass for a service that broke a rule', async () => {
  await using harness = await openHarness({ defects: ['forgets-event-ids'], delivers: true })
  harness.session.faults.add({ 'duplicate-late': { event: 'CONFIRMED' } })
  await harness.order('DELIVERY')
  await harness.pass(120_000)
  const broken = await verdictOf(harness.session)
  expect(broken).toMatchObject({ passed: false, exit: 1 })
  expect(broken.because).toMatch(/^\d rules? (is|are) broken\.$/)
  expect(broken.broken[0]).toMatchObject({ id: 'SE-1', outcome: 'failed' })
  expect(broken.text).toContain('fix: ')
})

test('the verdict does not pass where nothing was judged: no service, one that never came, an open rule, no order since a reset', async () => {
  await using alone = await openPaused()
  expect(await verdictOf(alone)).toMatchObject({ passed: false, exit: 2, text: '' })
  await using absent = await openPaused('software-service')
  expect(await verdictOf(absent)).toMatchObject({
    passed: false,
    exit: 3,
    because: 'Waiting for your service to connect …',
  })
  await using harness = await openHarness({ channel: 'webhook' })
  await harness.order('TAKEOUT')
  await harness.pass(1000)
  const early = await verdictOf(harness.session)
  expect(early).toMatchObject({ passed: false, exit: 2 })
  expect(early.because).toMatch(/^No rule is broken, but \d+ rules? (is|are) open: wait/)
  await harness.session.reset()
  expect(await verdictOf(harness.session)).toMatchObject({
    passed: false,
    exit: 2,
    because: 'No rule was exercised: create an order, and wait, before asking.',
  })
})
