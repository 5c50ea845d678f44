// @module-tag slow
/** Decisions and anomalies of the partner, derived from recorded sessions. */
import { expect, test } from 'vitest'
import { cancelled, denied, lineCancelled, placed } from '../../../test/support/order-stories.ts'
import { recordHarness } from '../../../test/support/recorded-session.ts'
import type { PartnerDecisions } from '../../core/scenario/decision.ts'
import { decisionsOf } from './decisions.ts'
import { stepsOf } from './steps-of.ts'

const laterEvents = ['CONFIRMED', 'PREPARING', 'READY_FOR_PICKUP', 'DELIVERED', 'CONCLUDED']

const kinds = ({ decisions }: PartnerDecisions) => decisions.map(({ what }) => what.kind)
const faultsIn = ({ anomalies }: PartnerDecisions) => anomalies.map(({ spec }) => spec)

test('an order without faults yields one decision, its placement', async () => {
  const { content } = await recordHarness({}, placed('DELIVERY', 90_000))
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

test.each([
  ['webhook', []],
  ['polling', ['pollingEvents']],
] as const)(
  'an idle poll at the beginning is waited for of a service by %s: %j',
  async (channel, calls) => {
    const { content } = await recordHarness({ channel }, placed('TAKEOUT', 90_000))
    const [first] = content.exchanges
    if (!first) throw new Error('nothing was recorded')
    const poll = {
      ...first,
      seq: 0,
      recordId: 'idle',
      startedAt: first.startedAt - 1000,
      from: { role: 'software-service', party: 'subject' },
      to: { role: 'ordering-application', party: 'sparring' },
      operation: 'pollingEvents',
      request: { method: 'GET', url: 'http://localhost/events:polling', headers: [] },
      reply: { status: 204, headers: [] },
    } as const
    const { decisions } = decisionsOf({ ...content, exchanges: [poll, ...content.exchanges] })
    const after = decisions.flatMap(({ after: all }) => all)
    expect(after.flatMap((each) => (each.kind === 'call' ? each.call : []))).toEqual(calls)
  },
)

test('an order whose first webhook ended the service is placed again', async () => {
  const { content } = await recordHarness({ channel: 'webhook' }, placed('TAKEOUT', 90_000))
  const fatal = content.exchanges.find(({ operation }) => operation === 'receiveOrderEvent')
  if (!fatal) throw new Error('no webhook was recorded')
  const { reply: _reply, ...request } = fatal
  const failure = { code: 'ECONNRESET', message: 'socket hang up' }
  const decisions = decisionsOf({ ...content, exchanges: [{ ...request, failure }] })
  expect(kinds(decisions)).toEqual(['create'])
  expect(decisions.orders).toMatchObject([{ slot: 'o1', acknowledged: false }])
  expect(decisions.warnings.join()).not.toContain('no order')
})

test.each([
  [
    'CREATED is pushed, and the rest is polled',
    (event: string, channel: string) => (event === 'CREATED') === (channel === 'webhook'),
    [['polling', 'CREATED'], ...laterEvents.map((event) => ['webhook', event])],
  ],
  ['both channels carry each', () => true, []],
] as const)('a partner with two channels: %s', async (_, isCarried, dropped) => {
  const { content } = await recordHarness(
    {
      channel: 'both',
      faults: ['polling', 'webhook'].flatMap((channel) =>
        ['CREATED', ...laterEvents]
          .filter((event) => !isCarried(event, channel))
          .map((event) => ({ drop: { event, channel, even: 'revealing' } })),
      ),
    },
    placed('TAKEOUT', 90_000),
  )
  const decisions = decisionsOf(content)
  expect(decisions.channel).toBe('both')
  expect(faultsIn(decisions)).toEqual(
    dropped.map(([channel, event]) => ({
      drop: { event, channel, ...(event === 'CREATED' ? { even: 'revealing' } : {}) },
    })),
  )
})

test('[ORD-TRA-09] a cancellation by the consumer keeps its code and its preconditions', async () => {
  const metadata = { code: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'changed' }
  const story = cancelled({ afterMs: 3000, restMs: 60_000, metadata })
  const { content } = await recordHarness({}, story)
  const { decisions } = decisionsOf(content)
  const cancellation = decisions.find(({ what }) => what.kind === 'move')
  expect(cancellation).toMatchObject({
    slot: 'o1',
    what: { move: 'cancel', code: 'CONSUMER_CANCELLATION_REQUESTED', reason: 'changed' },
  })
  expect(cancellation?.after.map(({ kind }) => kind)).toContain('status')
})

test('[ORD-CAN-05] a denied cancellation request yields the request and the answer', async () => {
  const { content } = await recordHarness({}, denied)
  const decisions = decisionsOf(content)
  expect(kinds(decisions)).toEqual(['create', 'ask', 'omit', 'answer'])
  expect(decisions.decisions.at(-1)?.what).toEqual({ kind: 'answer', answer: 'deny' })
  expect(decisions.warnings.join()).toContain('asked to cancel o1')
})

test('[ORD-ITM-01] a cancelled line yields its number, its quantity and its reason, once it is confirmed', async () => {
  const { content } = await recordHarness({}, lineCancelled)
  const decided = decisionsOf(content)
  const cancellation = { kind: 'cancel-item', line: 2, quantity: 1, code: 'UNAVAILABLE_ITEM' }
  expect(decided.decisions.map(({ what }) => what)).toEqual([{ kind: 'create' }, cancellation])
  const { steps } = stepsOf(decided, { timing: 'asap' })
  expect(steps).toContainEqual({
    'cancel-item': { order: 'o1', line: 2, quantity: 1, code: 'UNAVAILABLE_ITEM' },
  })
  // A part of it that shows no confirmation waits for one: no line is cancelled before.
  const isKept = ({ request, reply }: (typeof content.exchanges)[number]) =>
    !`${request.url} ${reply?.body ?? ''}`.includes('CONFIRMED')
  const cut = decisionsOf({ ...content, exchanges: content.exchanges.filter(isKept) })
  const alone = cut.decisions.find(({ what }) => what.kind === 'cancel-item')
  expect(alone?.after.some((each) => each.kind === 'status' && each.status !== 'CREATED')).toBe(
    true,
  )
})

test('a pause is as long as recorded, and no longer than the longest that is allowed', async () => {
  const { content } = await recordHarness({}, cancelled({ afterMs: 9000, restMs: 1000 }))
  const pauses = (maxGapMs?: number): readonly unknown[] =>
    stepsOf(decisionsOf(content), { timing: 'original', maxGapMs }).steps.flatMap(
      ({ advance }) => advance ?? [],
    )
  expect(pauses()).not.toEqual(pauses(500))
  expect(pauses(500)).toEqual(pauses().map(() => '500ms'))
  expect(pauses(3_600_000)).toEqual(pauses())
})

type FaultParts = Readonly<Record<string, unknown>>

/** The fault that is injected, and what of it is found otherwise; undefined: not at all. */
const oddities: readonly (readonly [
  title: string,
  fault: Readonly<Record<string, FaultParts>>,
  changed: FaultParts,
  channel?: 'webhook',
])[] = [
  ['duplicate', { duplicate: { event: 'CREATED' } }, {}],
  ['behind later ones', { reorder: { event: 'CONFIRMED' } }, {}],
  ['late', { delay: { event: 'CONFIRMED', by: '8s' } }, { by: 8000 }],
  [
    'again after its acknowledgment',
    { 'duplicate-late': { event: 'CREATED' } },
    { when: 'acknowledged' },
  ],
  [
    'again behind later ones',
    { 'duplicate-late': { event: 'CREATED', when: 'later-events', k: 2 } },
    {},
    'webhook',
  ],
  ['503 twice, then an answer', { fail: { operation: 'confirmOrder', burst: 2 } }, {}],
  [
    '503 although it took effect',
    { fail: { operation: 'confirmOrder', burst: 1, effect: 'after' } },
    {},
  ],
  ['never answered', { hang: { operation: 'confirmOrder', burst: 1 } }, {}],
  ['reset', { reset: { operation: 'confirmOrder', burst: 1 } }, {}],
  [
    '429 with its pause',
    { 'rate-limit': { operation: 'confirmOrder', burst: 1, by: '3s' } },
    { by: 3000 },
  ],
  [
    '401 that takes a new token',
    { unauthorized: { operation: 'confirmOrder', burst: 1, revoke: true } },
    {},
  ],
  [
    'a late answer',
    { 'slow-response': { operation: 'getOrder', limit: 1, by: '3s' } },
    { by: 3000, burst: 1, limit: undefined },
  ],
  ['an effect long after its 202', { 'slow-effect': { trigger: 'confirm' } }, { by: 5000 }],
  [
    'the answer to a webhook is lost',
    { 'drop-response': { operation: 'receiveOrderEvent', event: 'CONFIRMED', limit: 1 } },
    { burst: 1, limit: undefined },
    'webhook',
  ],
]

const anomalies = oddities.map(([title, fault, changed, channel = 'polling' as const]) => ({
  title,
  fault,
  changed,
  options: { channel, faults: [fault as never] },
}))

test.each(anomalies)(
  'an anomaly is mapped back to the injected fault: $title',
  async ({ fault, changed, options }) => {
    const { content } = await recordHarness(options, placed('TAKEOUT', 90_000))
    const found = Object.entries(fault).map(([kind, parts]) => ({
      [kind]: { ...parts, order: 'o1', ...changed },
    }))
    expect(faultsIn(decisionsOf(content))).toEqual(found)
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
  const found = faultsIn(decisionsOf(content))
  expect(found).toEqual([
    { 'slow-effect': { trigger: 'confirm', order: 'o2', by: expect.any(Number) } },
  ])
  const [late] = found as readonly { readonly 'slow-effect'?: { readonly by?: number } }[]
  const waited = late?.['slow-effect']?.by ?? 0
  expect(waited).toBeGreaterThan(2000)
  expect(waited).toBeLessThan(5000)
})

test('a dropped CANCELLED is derived from a status read', async () => {
  const { content } = await recordHarness(
    { faults: [{ drop: { event: 'CANCELLED' } }] },
    cancelled({ afterMs: 3000, restMs: 60_000 }),
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
  const cancellation = decisionsOf(content).decisions.find(({ what }) => what.kind === 'move')
  expect(cancellation?.after.at(-1)).toMatchObject({ kind: 'status', status: 'PREPARING' })
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
  const story = cancelled({ afterMs: 4000, restMs: 60_000 })
  const { content } = await recordHarness({ wall: true }, story)
  const decisions = decisionsOf(content)
  expect(kinds(decisions)).toEqual(['create', 'move'])
  // A call refused because of the decision is no precondition of it.
  expect(JSON.stringify(decisions.decisions[1]?.after)).not.toContain('tries')
  expect((decisions.decisions[1]?.at ?? 0) - (decisions.decisions[0]?.at ?? 0)).toBe(4000)
  expect(faultsIn(decisions)).toEqual([])
})
