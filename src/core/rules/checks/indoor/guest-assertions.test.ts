/** What an Ordering Application calls about an account whose status it knows: near misses included. */
import { describe, expect, test } from 'vitest'
import { sampleExchange } from '../../../../../test/support/sample-exchange.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { checks } from '../catalogue.ts'
import { ClauseJudge } from '../clause-judge.ts'

const kiosk = { role: 'ordering-application', party: 'subject' } as const
const pos = { role: 'software-service', party: 'sparring' } as const
const key = { operationMode: 'TABLE', identifier: '7' }
const account = { accountId: 'a1', ...key }

const event = (seq: number, eventType: string, more: object = {}): Exchange =>
  sampleExchange(seq, {
    startedAt: 1000 * seq,
    from: pos,
    to: kiosk,
    operation: 'receiveAccountEvent',
    request: {
      method: 'POST',
      url: 'http://kiosk/webhooks/accounts',
      headers: [],
      body: JSON.stringify({ eventId: `e${seq}`, eventType, ...account, ...more }),
    },
    reply: { status: 204, headers: [] },
  })

const call = (
  seq: number,
  operation: NonNullable<Exchange['operation']>,
  status: number,
  names: object = { accountId: 'a1' },
): Exchange =>
  sampleExchange(seq, {
    startedAt: 1000 * seq,
    from: kiosk,
    to: pos,
    operation,
    request: {
      method: 'POST',
      url: `http://pos/accounts/${operation}`,
      headers: [],
      body: JSON.stringify(names),
    },
    reply: { status, headers: [], body: '{}' },
  })

/** The advice of a session. */
function advised(...exchanges: readonly Exchange[]): readonly string[] {
  const judge = new ClauseJudge({
    checks: checks.filter(({ clauses }) => clauses.some((each) => each.startsWith('IND-PRM'))),
    role: 'ordering-application',
    speaks: 'v2',
    dialect: undefined,
    onBug(error) {
      throw error
    },
  })
  for (const exchange of exchanges) judge.exchange(exchange, { began: 1000 * exchange.seq })
  return judge
    .verdicts()
    .flatMap(({ findings }) => findings)
    .map(({ advice: isAdvice, because }) => `${isAdvice ? 'advice' : 'failure'}: ${because}`)
}

const advice = (operation: string, status: string) => [
  expect.stringMatching(
    new RegExp(`^advice: .*calls ${operation} although the account that it knows is ${status}`),
  ),
]

describe('a call that the status of an account does not allow is advised against', () => {
  test.each([
    ['[IND-PRM-02]', 'ACCOUNT_PRE_CLOSED', 'cancelAccountItem', 'IN_PAYMENT'],
    ['[IND-PRM-03]', 'ACCOUNT_PRE_CLOSED', 'transferAccountContent', 'IN_PAYMENT'],
    ['[IND-PRM-04]', 'ACCOUNT_CLOSED', 'createPayment', 'CLOSED'],
    ['[IND-PRM-05]', 'ACCOUNT_CLOSED', 'preCloseAccount', 'CLOSED'],
    ['[IND-PRM-06]', 'ACCOUNT_CLOSED', 'unlockAccount', 'CLOSED'],
    ['[IND-PRM-07]', 'ACCOUNT_OPENED', 'closeAccount', 'IN_USE'],
  ] as const)('%s after %s: %s', (_, type, operation, status) => {
    expect(advised(event(1, type), call(2, operation, 409))).toEqual(advice(operation, status))
  })

  test('[IND-PRM-04] after a close of its own, and by the key of the account', () => {
    const calls = [call(1, 'closeAccount', 202), call(2, 'createPayment', 409)]
    expect(advised(...calls)).toEqual(advice('createPayment', 'CLOSED'))
    expect(advised(event(1, 'ACCOUNT_CLOSED'), call(2, 'createPayment', 409, key))).toEqual(
      advice('createPayment', 'CLOSED'),
    )
  })
})

describe('no advice is given', () => {
  const closed = event(1, 'ACCOUNT_CLOSED')
  const pay = (status: number, names?: object) => call(2, 'createPayment', status, names)
  const late = (ms: number) => ({ ...closed, startedAt: pay(409).startedAt + ms, tookMs: 5 })
  test.each<readonly [string, readonly Exchange[]]>([
    ['where the host takes a call by the key', [closed, pay(201, key)]],
    ['of a call whose outcome is not known', [closed, pay(503)]],
    ['of a call that lacks its token', [closed, pay(401)]],
    ['of another account', [closed, pay(409, { accountId: 'a2' })]],
    [
      'of an event that the client refused',
      [{ ...closed, reply: { status: 500, headers: [] } }, pay(409)],
    ],
    ['of an event that is on its way', [late(0), pay(409)]],
    ['of an event that has just come', [late(-100), pay(409)]],
    [
      'of a close after its own lock',
      [event(1, 'ACCOUNT_OPENED'), call(2, 'preCloseAccount', 202), call(3, 'closeAccount', 409)],
    ],
    [
      'of an older event that comes late',
      [
        event(1, 'ACCOUNT_UNLOCKED', { occurredAt: '2026-01-01T00:00:09Z' }),
        event(2, 'ACCOUNT_PRE_CLOSED', { occurredAt: '2026-01-01T00:00:05Z' }),
        call(3, 'cancelAccountItem', 409),
      ],
    ],
  ])('%s', (_, exchanges) => {
    expect(advised(...exchanges)).toEqual([])
  })
})
