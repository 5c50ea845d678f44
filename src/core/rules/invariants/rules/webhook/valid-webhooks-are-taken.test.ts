/** What WH-5 holds against a service, and what it does not: the service is a function that answers webhooks. */
import { says } from '../../../../../../test/support/says.ts'
import { expect, test } from 'vitest'
import type { SessionOptions } from '../../../../session/options.ts'
import type { Session } from '../../../../session-api/session.ts'
import { openSession } from '../../../../session/open-session.ts'
import { createHostClient } from '../../../../../../test/support/host-client.ts'

interface Told {
  readonly eventType: string
  readonly orderId: string
}

interface Story {
  /** The status of its answer, or 0 for none. */
  readonly answers: (event: Told, session: Session) => number | Promise<number>
  readonly faults?: SessionOptions['faults']
  readonly afterwards?: (session: Session, orderId: string) => Promise<unknown>
}

/** The verdict about one order that is confirmed. */
async function verdictOn({ answers, faults = [], afterwards }: Story) {
  let session: Session | undefined
  const opened = await openSession({
    as: 'software-service',
    clock: 'virtual',
    automatic: false,
    handler: async (request) => {
      const event = (await request.json()) as Told
      const status = session ? await answers(event, session) : 503
      return status === 0
        ? Promise.reject(new TypeError('no route'))
        : new Response(null, { status })
    },
    listen: false,
    conduct: { manifest: 'trust', webhookAccess: 'signature' },
    capabilities: { indoor: false, customer: false, logistics: false },
    counterparts: { 'ordering-application': { channel: 'webhook' } },
    faults,
  })
  await using ended = opened
  session = ended
  const made = await ended.createOrder({ type: 'TAKEOUT' })
  if (!made.ok) throw new Error(made.error.message)
  const { orderId } = made.value
  await ended.advance(5000)
  await ended.submit({ kind: 'order.apply', orderId, trigger: 'confirm' })
  await afterwards?.(ended, orderId)
  await ended.advance(200_000)
  const verdict = (await ended.judge()).find(({ id }) => id === 'WH-5')
  return { outcome: verdict?.outcome, because: verdict?.findings.map(({ because }) => because) }
}

const only =
  (type: string, status: number) =>
  ({ eventType }: Told): number =>
    eventType === type ? status : 204

test('[ORD-OPS-03] an event that is turned away for good is held against the service, once', async () => {
  expect(await verdictOn({ answers: only('CONFIRMED', 422) })).toEqual({
    outcome: 'failed',
    because: [expect.stringMatching(says('webhook of CONFIRMED of o1 once', 'answered 422'))],
  })
  expect(await verdictOn({ answers: only('CREATED', 500) })).toEqual({
    outcome: 'failed',
    because: [expect.stringMatching(says('webhook of CREATED of o1 7 times', 'answered 500'))],
  })
})

test('[ORD-EVR-04] an event that CANCELLED overtook must be taken too', async () => {
  let isCancelled = false
  const { outcome } = await verdictOn({
    faults: [{ delay: { event: 'CONFIRMED', by: 20_000 } }],
    answers({ eventType }) {
      isCancelled ||= eventType === 'CANCELLED'
      return isCancelled && eventType === 'CONFIRMED' ? 500 : 204
    },
    afterwards: (session, orderId) =>
      session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' }),
  })
  expect(outcome).toBe('failed')
})

test('[ORD-OPS-03] an event that is refused is open until it is taken or given up', async () => {
  const outcomes: (string | undefined)[] = []
  const afterwards = async (session: Session) => {
    await session.advance(5000)
    outcomes.push((await session.judge()).find(({ id }) => id === 'WH-5')?.outcome)
  }
  let left = 3
  const late = ({ eventType }: Told): number => (eventType === 'CREATED' || left-- < 1 ? 204 : 409)
  outcomes.push((await verdictOn({ answers: late, afterwards })).outcome)
  outcomes.push((await verdictOn({ answers: only('CONFIRMED', 409), afterwards })).outcome)
  expect(outcomes).toEqual(['open', 'passed', 'open', 'failed'])
})

test('[ORD-OPS-03] an event that is taken in the end is not', async () => {
  let left = 5
  expect(await verdictOn({ answers: () => (left-- > 0 ? 503 : 204) })).toEqual({
    outcome: 'passed',
    because: [],
  })
})

test('a service that is not there turns nothing away', async () => {
  expect((await verdictOn({ answers: () => 0 })).outcome).toBe('not-exercised')
})

test.each<readonly [string, NonNullable<SessionOptions['faults']>[number], Told['eventType']]>([
  ['an event of a type that nobody knows', { 'unknown-event': {} }, ''],
  ['a forged webhook', { 'wrong-signature': { event: 'CONFIRMED' } }, 'CONFIRMED'],
  ['an event that a fault changed', { 'unknown-field': { event: 'CONFIRMED' } }, 'CONFIRMED'],
])('%s may be turned away', async (_what, fault, type) => {
  const usual = new Set(['CREATED', 'CONFIRMED'])
  const answers = ({ eventType }: Told): number =>
    eventType === type || !usual.has(eventType) ? 422 : 204
  expect(await verdictOn({ answers, faults: [fault] })).toEqual({ outcome: 'passed', because: [] })
})

test('[ORD-EVR-07] an event that the profile of the order forbids may be turned away', async () => {
  const forbidden = 'DISPATCHED'
  const verdict = await verdictOn({
    answers: only(forbidden, 422),
    afterwards: (session, orderId) =>
      session.submit({ kind: 'event.emit', orderId, eventType: forbidden, force: true }),
  })
  expect(verdict).toEqual({ outcome: 'passed', because: [] })
})

test('a service that cannot read the order, by a fault, may say so', async () => {
  const verdict = await verdictOn({
    faults: [{ fail: { operation: 'getOrder' } }],
    async answers({ eventType, orderId }, session) {
      if (eventType !== 'CONFIRMED') return 204
      const base = session.urls.get('ordering-application') ?? ''
      const { send } = createHostClient({ fetch: session.fetch, base })
      return (await send('GET', `/orders/${orderId}`)).status === 200 ? 204 : 503
    },
  })
  expect(verdict).toEqual({ outcome: 'passed', because: [] })
})
