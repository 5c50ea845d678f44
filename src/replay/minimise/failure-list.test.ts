/** The failures of a replay: what counts as one, in which order they are listed, and which is chosen. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../test/support/sample-exchange.ts'
import { defaultRule } from '../difference/rule-book.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { Standing } from '../../core/traffic/recording/standing.ts'
import { listFailures, worstFailure } from './failure-list.ts'
import type { ReplayedExchange } from '../../core/traffic/recording/replay-report.ts'
import { isSameFailure } from './failure-signature.ts'

const subject = { role: 'software-service', party: 'subject' } as const
const partner = { role: 'ordering-application', party: 'sparring' } as const

/** A replay of these exchanges, in the order of time. */
const report = (...exchanges: readonly ReplayedExchange[]) => ({
  exchanges,
  failedRules: [],
  map: [],
})

const paired = (
  recorded: Exchange,
  live: Partial<Exchange> = {},
  more: Partial<ReplayedExchange> = {},
): ReplayedExchange => ({
  standing: 'same' satisfies Standing,
  recorded: { ...recorded, recordId: `r${recorded.seq}` },
  live: { ...recorded, ...live },
  differences: [],
  ...more,
})

/** A webhook about an order. */
const event = (
  seq: number,
  eventType: string,
  status = 204,
  { orderId = 'o1', body }: { orderId?: string; body?: string } = {},
): Exchange =>
  sampleExchange(seq, {
    from: partner,
    to: subject,
    operation: 'receiveOrderEvent',
    params: {},
    orderId,
    eventIds: [`e-${orderId}-${eventType}`],
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:3000/webhooks/orders',
      headers: [],
      body: JSON.stringify({ eventId: `e-${orderId}-${eventType}`, eventType, orderId }),
    },
    reply: { status, headers: [], ...(body === undefined ? {} : { body }) },
  })

/** A call of the service about an order. */
const call = (
  seq: number,
  operation: NonNullable<Exchange['operation']>,
  status = 202,
  orderId = 'o1',
): Exchange =>
  sampleExchange(seq, {
    operation,
    orderId,
    request: { method: 'POST', url: `http://127.0.0.1:7101/v2/orders/${orderId}`, headers: [] },
    reply: { status, headers: [] },
  })

const oops = JSON.stringify({
  error: 'ticket T-1042 of 7e2c7a52-04ff-4cb1-9a6b-0c8f38a1d3aa is closed',
})

test('an event that is rejected in every attempt is one failure, with its order, its state and its error', () => {
  const attempts = [4, 5, 6].map((seq) => event(seq, 'CONFIRMED', 500, { body: oops }))
  const [failure, ...others] = listFailures(
    report(
      paired(event(1, 'CREATED')),
      paired(event(2, 'CANCELLED')),
      ...attempts.map((each) => paired(each)),
    ),
  )
  expect(others).toEqual([])
  expect(failure).toMatchObject({
    signature: {
      kind: 'answer',
      operation: 'receiveOrderEvent',
      by: 'subject',
      event: 'CONFIRMED',
      status: 500,
      error: 'ticket * of * is closed',
      order: 'o1',
      state: 'CANCELLED',
    },
    rank: 'rejected with 5xx then and now',
    count: 3,
    recorded: 3,
    text: 'receiveOrderEvent CONFIRMED of order o1 is answered 500 (ticket * of * is closed), after CANCELLED',
  })
  expect(failure?.places.map(({ number }) => number)).toEqual([4, 5, 6])
})

test('another error, state or order is another failure, another status of the class is not', () => {
  const signature = (exchanges: readonly Exchange[]) =>
    listFailures(report(...exchanges.map((each) => paired(each))))[0]!.signature
  const base = signature([event(1, 'CREATED'), event(2, 'CONFIRMED', 500, { body: oops })])
  const same = signature([event(1, 'CREATED'), event(2, 'CONFIRMED', 503, { body: oops })])
  expect(isSameFailure(base, same)).toBe(true)
  for (const other of [
    [event(1, 'CREATED'), event(2, 'CONFIRMED', 500, { body: '{"error":"disk full"}' })],
    [event(1, 'CANCELLED'), event(2, 'CONFIRMED', 500, { body: oops })],
    [event(2, 'CONFIRMED', 500, { body: oops })],
    [event(1, 'CREATED'), event(2, 'CONFIRMED', 422, { body: oops })],
    [
      event(1, 'CREATED', 204, { orderId: 'o2' }),
      event(2, 'CONFIRMED', 500, { body: oops, orderId: 'o2' }),
    ],
  ])
    expect(isSameFailure(base, signature(other))).toBe(false)
})

test('what failed when it was recorded and does not fail now is no failure', () => {
  const wasDown = paired(event(1, 'CREATED', 503), { reply: { status: 204, headers: [] } })
  const changed = { ...wasDown, standing: 'changed' } as const
  expect(listFailures(report(changed, paired(call(2, 'confirmOrder'))))).toEqual([])
})

test('a call that was refused when it was recorded, and is not made any more, is no failure', () => {
  const { live: _, ...refused } = paired(call(2, 'dispatchOrder', 409), {}, { standing: 'missing' })
  expect(listFailures(report(paired(event(1, 'CANCELLED')), refused))).toEqual([])
})

test('a call that the recording repeats, and that is made once now, is listed and not chosen', () => {
  const { live: _, ...again } = paired(call(3, 'confirmOrder'), {}, { standing: 'missing' })
  const once = paired(call(2, 'confirmOrder'))
  const failures = listFailures(report(paired(event(1, 'CREATED')), once, again))
  expect(failures.map(({ rank }) => rank)).toEqual(['not repeated now'])
  expect(worstFailure(failures)).toBeUndefined()
  // Of a call that is not made at all the service is to be asked.
  const missing = listFailures(report(paired(event(1, 'CREATED')), again))
  expect(missing.map(({ rank }) => rank)).toContain('call')
})

test('what was rejected when it was recorded, and is accepted now, is listed and not chosen', () => {
  const accepted = paired(
    event(1, 'CREATED', 422),
    { reply: { status: 204, headers: [] } },
    { standing: 'changed' },
  )
  const failures = listFailures(report(accepted, paired(call(2, 'confirmOrder'))))
  expect(failures.map(({ rank }) => rank)).toEqual(['accepted now'])
  expect(worstFailure(failures)).toBeUndefined()
})

test('a rejection for want of an answer that the recording does not have is listed and not chosen', () => {
  const { live: extra } = paired(call(2, 'confirmOrder', 501))
  const failures = listFailures(
    report(
      paired(event(1, 'CREATED', 422), {
        reply: { status: 500, headers: [] },
        startedAt: extra!.startedAt - 1,
        tookMs: 100,
      }),
      { standing: 'noise', strategy: 'miss', live: extra!, differences: [] },
    ),
  )
  expect(failures.map(({ rank }) => rank)).toEqual(['without an answer of ours'])
  expect(worstFailure(failures)).toBeUndefined()
})

const difference = (where: string, recorded: unknown, live: unknown): ReplayedExchange =>
  paired(
    call(3, 'getOrder', 200),
    {},
    {
      standing: 'changed',
      differences: [
        { side: 'reply', where, kind: 'value', recorded, live, rule: defaultRule, accepted: false },
      ],
    },
  )

test.each([
  ['an instant', '2026-01-01T10:00:00Z', '2026-01-01T10:00:07Z'],
  ['a numbered name', 'T-1001', 'T-1377'],
  ['an epoch', 1_767_261_600, 1_767_261_999],
])('%s that differs is listed, and not chosen', (_what, recorded, live) => {
  const failures = listFailures(report(difference('/body/at', recorded, live)))
  expect(failures).toHaveLength(1)
  expect(worstFailure(failures)).toBeUndefined()
})

test('a rejection then and now comes before a failed rule, and that before a changed value', () => {
  const failures = listFailures({
    ...report(
      difference('/body/total', 10, 12),
      paired(event(5, 'CREATED', 500)),
      paired(call(6, 'confirmOrder', 422)),
    ),
    failedRules: [{ invariant: 'SE-1', because: 'it called', orderId: 'o1' }],
  })
  expect(failures.map(({ rank }) => rank)).toEqual([
    'rejected with 5xx then and now',
    'invariant',
    'refused by the partner',
    'value',
  ])
})

test('a call that is made again after its success, and one after the order was cancelled, are failures', () => {
  const failures = listFailures(
    report(
      ...[
        event(1, 'CREATED'),
        call(2, 'confirmOrder'),
        call(3, 'confirmOrder'),
        event(4, 'CANCELLED'),
        call(5, 'dispatchOrder'),
      ].map((each) => paired(each)),
    ),
  )
  expect(failures.map(({ text }) => text)).toEqual([
    'confirmOrder of order o1 is made again after it succeeded',
    'order o1 is CANCELLED, and the service still makes dispatchOrder',
  ])
})

test('an order that the service leaves unfinished is listed, one that it goes on with is not', () => {
  const failures = listFailures(
    report(
      ...[
        event(1, 'CONFIRMED'),
        event(2, 'CONCLUDED', 204, { orderId: 'o2' }),
        event(3, 'CREATED', 204, { orderId: 'o3' }),
        call(4, 'confirmOrder', 202, 'o3'),
      ].map((each) => paired(each)),
    ),
  )
  expect(failures.map(({ text }) => text)).toEqual(['order o1 is left at CONFIRMED'])
})

const textsOf = (...exchanges: readonly Exchange[]): readonly string[] =>
  listFailures(report(...exchanges.map((each) => paired(each)))).map(({ text }) => text)

test('[ORD-EVR-04] an event that comes late does not take its order back', () => {
  expect(textsOf(event(1, 'CANCELLED'), event(2, 'CONFIRMED'))).toEqual([])
  expect(textsOf(event(1, 'CONCLUDED'), event(2, 'DELIVERED'))).toEqual([])
  expect(textsOf(event(1, 'PREPARING'), event(2, 'CONFIRMED'))).toEqual([
    'order o1 is left at PREPARING',
  ])
  expect(
    textsOf(event(1, 'CANCELLED'), event(2, 'CONFIRMED'), call(3, 'setOrderPreparing')),
  ).toEqual(['order o1 is CANCELLED, and the service still makes setOrderPreparing'])
})

test('a call before the order was cancelled is no failure', () => {
  expect(textsOf(event(1, 'CREATED'), call(2, 'confirmOrder'), event(3, 'CANCELLED'))).toEqual([])
})

test.each([401, 403, 407, 429])(
  'a call spoilt by a fault of ours, and one without access (%i), are not chosen',
  (status) => {
    const fault = 'corrupt on req(receiveOrderEvent,o1)'
    const spoilt = paired(event(1, 'CREATED', 400), { fault })
    const refused = paired(event(2, 'CREATED', status, { orderId: 'o2' }))
    expect(worstFailure(listFailures(report(spoilt, refused)))).toBeUndefined()
    expect(
      worstFailure(listFailures(report(spoilt, paired(event(2, 'CREATED', 408))))),
    ).toBeDefined()
  },
)

test('a failed rule of timing is chosen after other rules: the pace of a replay is not that of the recording', () => {
  const failedRules = [
    { invariant: 'PO-2', because: 'polled too often', isTiming: true },
    { invariant: 'SE-1', because: 'two deliveries', orderId: 'o1' },
  ] as const
  const exchanges = [paired(call(1, 'confirmOrder'))]
  const ranks = listFailures({ exchanges, failedRules, map: [] }).map(({ text, rank }) => [
    text,
    rank,
  ])
  expect(ranks).toEqual([
    ['rule SE-1 fails for order o1', 'invariant'],
    ['rule PO-2 fails', 'timing invariant'],
  ])
})

test('one of two problems that is missing is another failure than both of them', () => {
  const missing = (...where: readonly string[]) =>
    listFailures(
      report(
        paired(
          call(1, 'getDelivery'),
          {},
          {
            standing: 'changed',
            differences: where.map((each) => ({
              side: 'reply',
              where: each,
              kind: 'missing',
              rule: defaultRule,
              accepted: false,
            })),
          },
        ),
      ),
    )[0]!.signature
  const [one, both] = [missing('/problems/1'), missing('/problems/0', '/problems/1')]
  expect(one).toMatchObject({ change: 'missing 1', exchange: 'r1' })
  expect(isSameFailure(one, both)).toBe(false)
  expect(isSameFailure(one, missing('/problems/0'))).toBe(true)
})
