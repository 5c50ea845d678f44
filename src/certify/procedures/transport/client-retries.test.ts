/** Near misses of growing pauses after 503: what is a backoff, and what is certainly none. */
import { expect, test } from 'vitest'
import { sampleExchange } from '../../../../test/support/sample-exchange.ts'
import { judgeCheck } from '../../judge/judge-checks.ts'
import { createTrace } from '../../../core/rules/checks/trace.ts'
import { clientRetryChecks } from '../../../core/rules/checks/transport/client-retries.ts'
import { messageChecks } from '../../../core/rules/checks/transport/messages.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'

/** The outcome of the check of a clause on what was sent in one procedure. */
function outcomeAt(clause: string, procedure: string, exchanges: readonly Exchange[]) {
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
  return judgeCheck(check, trace).outcome
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
