/** Near misses of growing pauses after 503: what is a backoff, and what is certainly none. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { judgeCheck } from '../../judge/judge-checks.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import { clientRetryChecks } from '../../../core/rules/checks/transport/client-retries.ts'
import { messageChecks } from '../../../core/rules/checks/transport/messages.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'

/** The outcome of the check of a clause on what was sent in one procedure. */
const outcomeAt = (clause: string, procedure: string, exchanges: readonly Exchange[]) =>
  resultAt(clause, procedure, exchanges).outcome

function resultAt(clause: string, procedure: string, exchanges: readonly Exchange[]) {
  const check = [...clientRetryChecks, ...messageChecks].find((each) =>
    each.clauses.includes(clause),
  )
  if (!check) throw new Error(`there is no check of ${clause}`)
  const note = (name: string, after: number) => ({ procedure, name, text: '', after })
  const trace = createTrace({
    role: 'software-service',
    speaks: 'v2',
    capabilities: ['orders'],
    exchanges,
    steps: {},
    notes: [note('begins', 0), note('ends', exchanges.length)],
    skipped: {},
  })
  return judgeCheck(check, trace)
}

/** Calls that fail twice and then succeed, each with these pauses between its attempts. */
function outcomeOf(pauses: readonly (readonly [first: number, second: number])[]): string {
  let seq = 0
  const exchanges = pauses.flatMap(([first, second], call) => {
    const begin = call * 60_000
    return [begin, begin + first, begin + first + second].map((startedAt, attempt) =>
      sampleExchange(++seq, {
        startedAt,
        tookMs: 0,
        operation: 'confirmOrder',
        request: { method: 'POST', url: `http://x/orders/${call}/confirm`, headers: [] },
        reply: { status: attempt < 2 ? 503 : 202, headers: [], body: '' },
      }),
    )
  })
  return outcomeAt('TRN-STA-12', 'unavailable', exchanges)
}

test.each([
  ['doubled', [[200, 400]], 'passed'],
  [
    'half as long again, with what the machine adds',
    [
      [250, 350],
      [240, 360],
    ],
    'passed',
  ],
  [
    'random within growing bounds, once shorter',
    [
      [180, 170],
      [90, 390],
    ],
    'passed',
  ],
  ['equal, of one call: it may be chance', [[1000, 1000]], 'warning'],
  [
    'equal, of two calls',
    [
      [1000, 1000],
      [1010, 990],
    ],
    'failed',
  ],
  [
    'equal on a busy machine',
    [
      [321, 279],
      [217, 193],
    ],
    'failed',
  ],
  ['two of 50 ms', [[50, 50]], 'failed'],
] as const)('[TRN-STA-12] pauses that are %s: %j %s', (_, pauses, outcome) => {
  expect(outcomeOf(pauses)).toBe(outcome)
})

/** A call that is answered 401, a token unless its `token` stays, and the next call of this operation. */
function outcomesAfter401(
  path: string,
  ids: readonly string[],
  bodies: readonly string[] = ['', ''],
  token = 't2',
) {
  const isRead = path.endsWith('polling')
  const operation = isRead ? 'pollingEvents' : bodies[0] ? 'acknowledgeEvents' : 'confirmOrder'
  const method = isRead ? 'GET' : 'POST'
  const exchanges = [0, 1].map((index) => {
    const id = ids[index] ?? ''
    const authorization = `Bearer ${index === 0 ? 't1' : token}`
    const headers: [string, string][] = [
      ['X-Request-Id', id],
      ['Authorization', authorization],
    ]
    const reply = { status: index === 0 ? 401 : 202, headers: [], body: '' }
    const request = { method, url: `http://x${path}`, headers, body: bodies[index] ?? '' }
    return sampleExchange(index + 1, { operation, request, reply })
  })
  return ['AUT-TOK-04', 'TRN-HDR-04'].map((clause) => outcomeAt(clause, 'revoked-token', exchanges))
}

const [same, changed] = [
  ['one', 'one'],
  ['one', 'two'],
] as const

test.each([
  ['with a new token and the same id', ['/orders/1/confirm', same], ['passed', 'passed']],
  ['with a new token and another id', ['/orders/1/confirm', changed], ['passed', 'warning']],
  ['with the old token', ['/orders/1/confirm', same, ['', ''], 't1'], ['failed', 'passed']],
  ['as the next poll', ['/events:polling', changed], ['passed', 'passed']],
  [
    'as an acknowledgment of another event',
    ['/events/acknowledgment', changed, ['["a"]', '["b"]']],
    ['passed', 'passed'],
  ],
] as const)('[AUT-TOK-04] [TRN-HDR-04] a call after 401 %s', (_, args, outcomes) => {
  const [path, ids, bodies, token]: readonly [
    string,
    readonly string[],
    (readonly string[])?,
    string?,
  ] = args
  expect(outcomesAfter401(path, ids, bodies, token)).toEqual(outcomes)
})

/** A delivery event that is answered 503, and the next one; each with its ids and its status. */
function outcomesAfter503(
  ...sent: readonly (readonly [request: string, event: string, is?: string])[]
) {
  const exchanges = sent.map(([requestId, eventId, status = 'ASSIGNED'], index) =>
    sampleExchange(index + 1, {
      startedAt: index * 1000,
      operation: 'receiveDeliveryEvent',
      request: {
        method: 'POST',
        url: 'http://x/webhooks/delivery',
        headers: [['X-Request-Id', requestId]],
        body: JSON.stringify({ eventId, eventType: 'ACCEPTED', orderId: 'o1', status }),
      },
      reply: { status: index === 0 ? 503 : 204, headers: [], body: '' },
    }),
  )
  return ['TRN-STA-12', 'TRN-HDR-04'].map((clause) => outcomeAt(clause, 'unavailable', exchanges))
}

test.each([
  [
    'with both ids',
    [
      ['r1', 'e1'],
      ['r1', 'e1'],
    ],
    ['passed', 'passed'],
  ],
  [
    'with another eventId',
    [
      ['r1', 'e1'],
      ['r1', 'e2'],
    ],
    ['passed', 'warning'],
  ],
  [
    'with another X-Request-Id',
    [
      ['r1', 'e1'],
      ['r2', 'e1'],
    ],
    ['warning', 'warning'],
  ],
  [
    'and another event comes next',
    [
      ['r1', 'e1'],
      ['r2', 'e2'],
    ],
    ['failed', 'passed'],
  ],
  [
    'and one of another status comes under its X-Request-Id',
    [
      ['r1', 'e1'],
      ['r1', 'e2', 'IN_TRANSIT'],
    ],
    ['failed', 'passed'],
  ],
] as const)('[TRN-STA-12] [TRN-HDR-04] an event after 503 %s', (_, sent, outcomes) => {
  expect(outcomesAfter503(...sent)).toEqual(outcomes)
})

/** A call that is answered 429 or 500, and calls of the same operation behind it, 100 ms each. */
const outcomesOf = (
  operation: NonNullable<Exchange['operation']>,
  path: string,
  bodies: readonly unknown[],
) =>
  (['TRN-STA-10', 'TRN-STA-11'] as const).map((clause) => {
    const [procedure, status] =
      clause === 'TRN-STA-10' ? (['rate-limited', 429] as const) : (['server-error', 500] as const)
    const exchanges = bodies.map((body, index) =>
      sampleExchange(index + 1, {
        startedAt: index * 100,
        tookMs: 0,
        operation,
        request: {
          method: 'POST',
          url: `http://x${path}`,
          headers: [],
          body: JSON.stringify(body),
        },
        reply: {
          status: index === 0 ? status : 202,
          headers: [['retry-after', '2']],
          body: '',
        },
      }),
    )
    return outcomeAt(clause, procedure, exchanges)
  })

const early = ['failed', 'passed']
const never = ['failed', 'failed']
const [a, b, c] = [{ id: 'a', source: 'web' }, { id: 'b' }, { id: 'c' }]

test.each([
  ['the same wrapped order', 'ingestOrdersForCRM', [{ order: a }, { order: a }], early],
  ['another wrapped order', 'ingestOrdersForCRM', [{ order: a }, { order: b }], never],
  ['another wrapped customer', 'ingestCustomer', [{ customer: a }, { customer: b }], never],
  ['another wrapped lead', 'ingestLead', [{ lead: a }, { lead: b }], never],
  ['another wrapped review', 'createReviews', [{ review: a }, { review: b }], never],
  ['the bare record that was wrapped', 'upsertLeads', [{ lead: a }, a], early],
  [
    'the record with more that is known',
    'upsertLeads',
    [{ lead: a }, { lead: { id: 'a' } }],
    early,
  ],
  ['each record of the batch alone', 'upsertLeads', [{ leads: [a, b] }, [b], [a]], early],
  ['the record within a batch', 'upsertLeads', [[a], { items: [b, a] }], early],
  ['a batch of others', 'upsertLeads', [[a, b], [c]], never],
  ['a record without an id again', 'createReviews', [{ rating: 5 }, { rating: 5 }], early],
  ['another record without an id', 'createReviews', [{ rating: 5 }, { rating: 4 }], never],
  ['another program', 'upsertLoyaltyPrograms', [{ items: [a] }, { items: [b] }], never],
  [
    'a redemption of another reward',
    'createLoyaltyRedemption',
    [
      { orderId: 'o1', rewardId: 'r1' },
      { orderId: 'o1', rewardId: 'r2' },
    ],
    never,
  ],
  [
    'a payment of the same account',
    'createPayment',
    [
      { identifier: '7', amount: 10 },
      { identifier: '7', amount: 20 },
    ],
    never,
  ],
  [
    'the same payment at another time',
    'createPayment',
    [
      { identifier: '7', at: '2026-01-01T12:00:00Z' },
      { identifier: '7', at: '2026-01-01T12:00:01Z' },
    ],
    early,
  ],
  ['another account', 'preCloseAccount', [{ identifier: '7' }, { identifier: '8' }], never],
  ['the order of another delivery', 'createDelivery', [{ orderId: 'a' }, { orderId: 'b' }], never],
  [
    'the delivery with other words',
    'createDelivery',
    [{ orderId: 'a' }, { orderId: 'a', observation: 'at the door' }],
    early,
  ],
  [
    'another delivery event',
    'receiveDeliveryEvent',
    [{ orderId: 'a', n: 1 }, { orderId: 'a' }],
    never,
  ],
  ['the confirmation with other words', 'confirmOrder', [{ reason: 'x' }, {}], early],
  [
    'a coupon for another order',
    'useLoyaltyCoupon',
    [{ relatedOrderId: 'o1' }, { relatedOrderId: 'o2' }],
    never,
  ],
] as const)(
  '[TRN-STA-10] [TRN-STA-11] after a call that failed comes %s',
  (_, operation, bodies, outcomes) => {
    const results = outcomesOf(operation, '/x', bodies)
    // 429 asks for a pause, and the call comes within it: a call of another subject does not break it.
    expect(results).toEqual(outcomes)
  },
)
