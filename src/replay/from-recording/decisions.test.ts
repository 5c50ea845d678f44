/** Decisions and anomalies of the partner, derived from recorded sessions. */
import { expect, test } from 'vitest'
import { recordHarness } from '../../../test/support/recorded-session.ts'
import type { PartnerDecisions } from '../../core/scenario/decision.ts'
import { decisionsOf } from './decisions.ts'

const kinds = ({ decisions }: PartnerDecisions) => decisions.map(({ what }) => what.kind)
const faultsIn = ({ anomalies }: PartnerDecisions) => anomalies.map(({ spec }) => spec)

test('an order without faults yields one decision, its placement', async () => {
  const { content } = await recordHarness({}, async (harness) => {
    await harness.pass(2000)
    await harness.order('DELIVERY')
    await harness.pass(90_000)
  })
  const decisions = decisionsOf(content)
  expect(decisions).toMatchObject({ subject: 'software-service', channel: 'polling', warnings: [] })
  expect(kinds(decisions)).toEqual(['create'])
  expect(decisions.decisions[0]?.after).toMatchObject([{ kind: 'call', call: 'pollingEvents' }])
  expect(decisions.orders).toMatchObject([{ slot: 'o1', type: 'DELIVERY' }])
  expect(decisions.orders[0]?.statusHistory.at(-1)).toBe('CONCLUDED')
  expect(faultsIn(decisions)).toEqual([])
  const known = new Set(content.exchanges.map(({ recordId }) => recordId))
  expect(
    decisions.decisions.flatMap(({ recordIds }) => recordIds).every((id) => known.has(id)),
  ).toBe(true)
})

test('[ORD-TRA-09] a cancellation by the consumer keeps its code and its preconditions', async () => {
  const { content } = await recordHarness({}, async (harness) => {
    await harness.pass(2000)
    const orderId = await harness.order('DELIVERY')
    await harness.pass(3000)
    const metadata = { code: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'changed' }
    await harness.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel', metadata })
    await harness.pass(60_000)
  })
  const { decisions } = decisionsOf(content)
  const cancelled = decisions.find(({ what }) => what.kind === 'move')
  expect(cancelled).toMatchObject({
    slot: 'o1',
    what: { move: 'cancel', code: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'changed' },
  })
  expect(cancelled?.after.map(({ kind }) => kind)).toContain('status')
})

test('[ORD-CAN-05] a denied cancellation request yields the request and the answer', async () => {
  const { content } = await recordHarness({}, async (harness) => {
    await harness.pass(2000)
    const orderId = await harness.order('DELIVERY')
    await harness.pass(3000)
    void harness.requestCancellation(orderId)
    await harness.pass(300)
    await harness.session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' })
    await harness.pass(90_000)
  })
  const decisions = decisionsOf(content)
  expect(kinds(decisions)).toEqual(['create', 'ask', 'omit', 'answer'])
  expect(decisions.decisions.at(-1)?.what).toEqual({ kind: 'answer', answer: 'deny' })
  expect(decisions.warnings.join()).toContain('asked to cancel o1')
})

const oddities: readonly (readonly [
  title: string,
  given: object,
  found: object,
  channel?: 'webhook',
])[] = [
  [
    'duplicate',
    { duplicate: { event: 'CREATED' } },
    { duplicate: { event: 'CREATED', order: 'o1' } },
  ],
  [
    'behind later ones',
    { reorder: { event: 'CONFIRMED' } },
    { reorder: { event: 'CONFIRMED', order: 'o1' } },
  ],
  [
    'late',
    { delay: { event: 'CONFIRMED', by: '8s' } },
    { delay: { event: 'CONFIRMED', order: 'o1', by: 8000 } },
  ],
  [
    'again after its acknowledgment',
    { 'duplicate-late': { event: 'CREATED' } },
    { 'duplicate-late': { event: 'CREATED', order: 'o1', when: 'acknowledged' } },
  ],
  [
    'again behind later ones',
    { 'duplicate-late': { event: 'CREATED', when: 'later-events', k: 2 } },
    { 'duplicate-late': { event: 'CREATED', order: 'o1', when: 'later-events', k: 2 } },
    'webhook',
  ],
  [
    '503 twice, then an answer',
    { fail: { operation: 'confirmOrder', burst: 2 } },
    { fail: { operation: 'confirmOrder', order: 'o1', burst: 2 } },
  ],
  [
    '503 although it took effect',
    { fail: { operation: 'confirmOrder', burst: 1, effect: 'after' } },
    { fail: { operation: 'confirmOrder', order: 'o1', burst: 1, effect: 'after' } },
  ],
  [
    'never answered',
    { hang: { operation: 'confirmOrder', burst: 1 } },
    { hang: { operation: 'confirmOrder', order: 'o1', burst: 1 } },
  ],
  [
    'reset',
    { reset: { operation: 'confirmOrder', burst: 1 } },
    { reset: { operation: 'confirmOrder', order: 'o1', burst: 1 } },
  ],
  [
    '429 with its pause',
    { 'rate-limit': { operation: 'confirmOrder', burst: 1, by: '3s' } },
    { 'rate-limit': { operation: 'confirmOrder', order: 'o1', by: 3000, burst: 1 } },
  ],
  [
    '401 that takes a new token',
    { unauthorized: { operation: 'confirmOrder', burst: 1, revoke: true } },
    { unauthorized: { operation: 'confirmOrder', order: 'o1', revoke: true, burst: 1 } },
  ],
  [
    'a late answer',
    { 'slow-response': { operation: 'getOrder', limit: 1, by: '3s' } },
    { 'slow-response': { operation: 'getOrder', order: 'o1', by: 3000, burst: 1 } },
  ],
  [
    'an effect long after its 202',
    { 'slow-effect': { trigger: 'confirm' } },
    { 'slow-effect': { trigger: 'confirm', order: 'o1', by: 5000 } },
  ],
  [
    'the answer to a webhook is lost',
    { 'drop-response': { operation: 'receiveOrderEvent', event: 'CONFIRMED', limit: 1 } },
    { 'drop-response': { operation: 'receiveOrderEvent', order: 'o1', nth: 2 } },
    'webhook',
  ],
]

const named = oddities.map(([title, given, found, channel]) => ({ title, given, found, channel }))

test.each(named)(
  'an anomaly is mapped back to the injected fault: $title',
  async ({ given, found, channel }) => {
    const { content } = await recordHarness(
      { channel: channel ?? 'polling', faults: [given as never] },
      async (harness) => {
        await harness.pass(2000)
        await harness.order('TAKEOUT')
        await harness.pass(90_000)
      },
    )
    expect(faultsIn(decisionsOf(content))).toEqual([found])
  },
)

test('an effect that a cancellation overtook came too late for it', async () => {
  const { content } = await recordHarness(
    { channel: 'webhook', faults: [{ 'slow-effect': { trigger: 'confirm', order: 'o2' } }] },
    async (harness) => {
      await harness.order('TAKEOUT')
      await harness.pass(90_000)
      const orderId = await harness.order('TAKEOUT')
      await harness.pass(3000)
      await harness.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
      await harness.pass(90_000)
    },
  )
  const anomalies = faultsIn(decisionsOf(content))
  expect(anomalies).toEqual([
    { 'slow-effect': { trigger: 'confirm', order: 'o2', by: expect.any(Number) } },
  ])
  const [late] = anomalies as readonly { readonly 'slow-effect'?: { readonly by?: number } }[]
  const waited = late?.['slow-effect']?.by ?? 0
  expect(waited).toBeGreaterThan(2000)
  expect(waited).toBeLessThan(5000)
})

test('a dropped CANCELLED is derived from a status read', async () => {
  const { content } = await recordHarness(
    { faults: [{ drop: { event: 'CANCELLED' } }] },
    async (harness) => {
      await harness.pass(2000)
      const orderId = await harness.order('DELIVERY')
      await harness.pass(3000)
      await harness.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
      await harness.pass(60_000)
    },
  )
  const decisions = decisionsOf(content)
  expect(faultsIn(decisions)).toEqual([{ drop: { event: 'CANCELLED', order: 'o1' } }])
  expect(decisions.decisions.map(({ what }) => what)).toContainEqual({
    kind: 'move',
    move: 'cancel',
  })
})

test('a status seen only in a read is dated after the event of the same poll', async () => {
  const { content } = await recordHarness(
    { faults: [{ drop: { event: 'CANCELLED' } }] },
    async ({ pass, order, session }) => {
      await pass(2000)
      const orderId = await order('TAKEOUT')
      const statusOf = async () => (await session.look({ orderId })).order?.row.status
      while ((await statusOf()) !== 'PREPARING') await pass(20)
      await session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
      await pass(60_000)
    },
  )
  const cancelled = decisionsOf(content).decisions.find(({ what }) => what.kind === 'move')
  expect(cancelled?.after.at(-1)).toMatchObject({ kind: 'status', status: 'PREPARING' })
})

test('errors of polls belong to no order and become fault decisions with a time', async () => {
  const faults = [{ fail: { operation: 'pollingEvents', limit: 2 } }]
  const { content } = await recordHarness({ faults }, async (harness) => {
    await harness.order('TAKEOUT')
    await harness.pass(60_000)
  })
  expect(decisionsOf(content).decisions[0]?.what).toEqual({
    kind: 'fault',
    spec: { fail: { operation: 'pollingEvents', limit: 2 } },
  })
})

test('a recording of a virtual clock with wall times is dated by its events', async () => {
  const { content } = await recordHarness({ wall: true }, async (harness) => {
    await harness.pass(2000)
    const orderId = await harness.order('DELIVERY')
    await harness.pass(4000)
    await harness.session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    await harness.pass(60_000)
  })
  const decisions = decisionsOf(content)
  expect(kinds(decisions)).toEqual(['create', 'move'])
  // A call refused because of the decision is no precondition of it.
  expect(JSON.stringify(decisions.decisions[1]?.after)).not.toContain('tries')
  expect((decisions.decisions[1]?.at ?? 0) - (decisions.decisions[0]?.at ?? 0)).toBe(4000)
  expect(faultsIn(decisions)).toEqual([])
})
