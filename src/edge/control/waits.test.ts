/** Waiting and the verdict over the control API, for services in any language. */
import { afterEach, expect, test } from 'vitest'
import { openHarness } from '../../../test/support/in-process-harness.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import { openSession } from '../../session/open-session.ts'
import type { SessionVerdict } from '../../views/session-verdict.ts'
import { startControl } from './control.ts'
import type { WaitResult } from './wait-until.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function client(session: SessionApi) {
  const control = await startControl({ session, host: '127.0.0.1', port: 0 })
  open.push(() => control.close())
  return async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${control.url}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, json: (await answer.json()) as unknown }
  }
}

test('a wait ends when the order has its status, and when everything has converged', async () => {
  await using harness = await openHarness({ channel: 'webhook' })
  const ask = await client(harness.session)
  await harness.order('TAKEOUT')
  const waits = [
    ask('POST', '/wait', { order: 'o1', status: 'CONFIRMED', timeout: '30s' }),
    ask('POST', '/wait', { timeout: '30s' }),
  ]
  // The virtual clock of the harness goes on only when it is told to.
  await harness.pass(120_000)
  const [status, converged] = await Promise.all(waits)
  // Whichever status it has by then: it has been CONFIRMED.
  expect(status).toMatchObject({ status: 200, json: { met: true, because: [] } })
  expect((status?.json as WaitResult).status).toMatch(/^[A-Z_]+$/)
  expect(converged).toMatchObject({ status: 200, json: { met: true, because: [] } })
  const verdict = (await ask('GET', '/verdict')).json as SessionVerdict
  expect(verdict).toMatchObject({
    passed: true,
    exit: 0,
    because: 'No rule is broken.',
    broken: [],
  })
  expect(verdict.counts.passed).toBeGreaterThan(5)
  expect(verdict.text).toMatch(/^verdicts {2}\d+ passed, 0 failed/)
})

test('a wait that is not met says why, at once when it never will be', async () => {
  await using session = await openSession({
    as: 'software-service',
    clock: 'stepped',
    listen: false,
  })
  const ask = await client(session)
  const none = (await ask('POST', '/wait', { timeout: 0 })).json as WaitResult
  expect(none).toMatchObject({ met: false, because: ['there is no order yet', expect.any(String)] })
  await session.createOrder({ type: 'TAKEOUT' })
  const wait = async (body: object): Promise<WaitResult> =>
    (await ask('POST', '/wait', body)).json as WaitResult
  expect(await wait({ order: 'o1', status: 'CONFIRMED', timeout: '50ms' })).toMatchObject({
    met: false,
    status: 'CREATED',
    because: [
      'the order is CREATED, not CONFIRMED',
      'the clock is paused: POST /clock {"mode": "real"} lets it run',
    ],
  })
  // Longer than the test may take: it does not wait.
  expect(await wait({ order: 'o1', status: 'IN_DELIVERY', timeout: '5m' })).toMatchObject({
    met: false,
    because: ['the order will not be IN_DELIVERY: a TAKEOUT order is never IN_DELIVERY'],
  })
})

test('bad waits are refused with a reason', async () => {
  await using session = await openSession({ clock: 'stepped', listen: false })
  const ask = await client(session)
  const refusal = async (body: object) => {
    const { status, json } = await ask('POST', '/wait', body)
    return `${status} ${(json as { error: { message: string } }).error.message}`
  }
  expect(await refusal({ order: 'o9', status: 'CONFIRMED' })).toBe('404 there is no order o9')
  expect(await refusal({ order: 'o1' })).toMatch(/^400 .*say order and status, or neither/)
  expect(await refusal({ timeout: '1h' })).toMatch(/^400 .*at most 5m in one call/)
  expect(await refusal({ for: 'CONFIRMED' })).toMatch(/^400 .*for/)
})

test('the verdict never passes for a service that broke a rule, was never there, or is not judged', async () => {
  await using harness = await openHarness({ defects: ['forgets-event-ids'], delivers: true })
  harness.session.faults.add({ 'duplicate-late': { event: 'CONFIRMED' } })
  await harness.order('DELIVERY')
  await harness.pass(120_000)
  const verdictOf = async (session: SessionApi): Promise<SessionVerdict> => {
    const ask = await client(session)
    return (await ask('GET', '/verdict')).json as SessionVerdict
  }
  const broken = await verdictOf(harness.session)
  expect(broken).toMatchObject({ passed: false, exit: 1 })
  expect(broken.broken[0]).toMatchObject({ id: 'SE-1', outcome: 'failed' })
  expect(broken.text).toContain('fix: ')

  await using absent = await openSession({
    as: 'software-service',
    clock: 'stepped',
    listen: false,
  })
  expect(await verdictOf(absent)).toMatchObject({
    passed: false,
    exit: 3,
    because: 'Waiting for your service to connect …',
  })
  await using alone = await openSession({ clock: 'stepped', listen: false })
  expect(await verdictOf(alone)).toMatchObject({ passed: false, exit: 2, text: '' })
})
