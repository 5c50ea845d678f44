/** Assertions about accounts on traces that are written by hand: what must not fail, and what must. */
import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { judgeCheck } from '../../judge/judge-checks.ts'
import type { Assertion } from '../../../core/rules/checks/check.ts'
import { checks } from '../../../core/rules/checks/catalogue.ts'
import { createTrace, type TraceData, type TraceNote } from '../../../core/rules/checks/trace.ts'
import {
  announces,
  outcomeDue,
  staysSame,
} from '../../../core/rules/checks/indoor/account-assertions.ts'
import { eventsOf, notedAccount } from '../../../core/rules/checks/indoor/noted-accounts.ts'
import { isLegacyFree } from '../../../core/rules/checks/indoor/vocabulary.ts'

const host = 'http://service'

interface Made {
  readonly operation: Exchange['operation']
  readonly by: 'subject' | 'sparring'
  readonly path?: string
  readonly status?: number
  readonly request?: object
  readonly reply?: object
  readonly at?: number
}

const exchangeOf = (
  { operation, by, path = '/accounts', status = 200, request, reply, at }: Made,
  index: number,
): Exchange => ({
  seq: index + 1,
  startedAt: at ?? index * 10,
  tookMs: 5,
  from: { role: 'ordering-application', party: by },
  to: { role: 'software-service', party: by === 'subject' ? 'sparring' : 'subject' },
  ...(operation === undefined ? {} : { operation }),
  request: {
    method: request ? 'POST' : 'GET',
    url: host + path,
    headers: [],
    ...(request ? { body: JSON.stringify(request) } : {}),
  },
  reply: { status, headers: [], ...(reply ? { body: JSON.stringify(reply) } : {}) },
})

const note = (name: string, text: string): TraceNote => ({
  procedure: 'account-life',
  name,
  text,
  after: 0,
})

const traceOf = (made: readonly Made[], more: Partial<TraceData> = {}) =>
  createTrace({
    role: 'software-service',
    speaks: 'v2',
    capabilities: ['indoor'],
    exchanges: made.map(exchangeOf),
    steps: {},
    notes: [
      note('account', JSON.stringify({ label: 'life', operationMode: 'TABLE', identifier: '7' })),
      note('order of life', 'o1'),
    ],
    skipped: {},
    ...more,
  })

const outcomeOf = (assertion: Assertion, trace: ReturnType<typeof createTrace>) =>
  judgeCheck(
    {
      clauses: ['IND'],
      roles: ['software-service'],
      procedures: [],
      assertion,
      remedy: '',
    },
    trace,
  ).outcome

const event = (eventType: string, names: object): Made => ({
  operation: 'receiveAccountEvent',
  by: 'subject',
  path: '/webhooks/accounts',
  status: 204,
  request: { eventId: `${eventType}-${JSON.stringify(names)}`, eventType, ...names },
})

describe('the account that an event is about', () => {
  const about = (names: object, sure: 'surely' | 'perhaps') => {
    const trace = traceOf([event('ACCOUNT_CLOSED', names)])
    const account = notedAccount(trace, 'account-life', 'life')
    return account && eventsOf(trace, account, 'ACCOUNT_CLOSED', sure).length
  }

  test.each([
    ['its key', { operationMode: 'TABLE', identifier: '7' }, 1, 1],
    ['one of its orders', { orderId: 'o1' }, 1, 1],
    ['another key', { operationMode: 'TABLE', identifier: '8' }, 0, 0],
    ['the same identifier in another mode', { operationMode: 'TAB', identifier: '7' }, 0, 0],
    ['nothing, which the documents allow', {}, 0, 1],
  ])('an event that names %s', (_, names, surely, perhaps) => {
    expect([about(names, 'surely'), about(names, 'perhaps')]).toEqual([surely, perhaps])
  })

  test('a repetition of an event counts once', () => {
    const once = event('ACCOUNT_CLOSED', { identifier: '7' })
    const trace = traceOf([once, once])
    const account = notedAccount(trace, 'account-life', 'life')
    expect(account && eventsOf(trace, account, 'ACCOUNT_CLOSED')).toHaveLength(1)
  })
})

test('each accepted call needs an event of its own, and a refused one needs none', () => {
  const pay = (status: number): Made => ({
    operation: 'createPayment',
    by: 'sparring',
    path: '/accounts/payments',
    status,
    request: {},
  })
  const steps = { 1: 'account-life/pay-in-use', 2: 'account-life/pay-locked' }
  const assertion = announces(
    'account-life',
    'life',
    ['pay-in-use', 'pay-locked'],
    'PAYMENT_CREATED',
  )
  const paid = event('PAYMENT_CREATED', { identifier: '7', paymentId: 'p1' })
  const again = event('PAYMENT_CREATED', { identifier: '7', paymentId: 'p2' })
  expect(outcomeOf(assertion, traceOf([pay(200), pay(200), paid, again], { steps }))).toBe('passed')
  expect(outcomeOf(assertion, traceOf([pay(200), pay(200), paid], { steps }))).toBe('failed')
  expect(outcomeOf(assertion, traceOf([pay(200), pay(409), paid], { steps }))).toBe('passed')
})

test('an account that was changed in spite of a refusal is found, and a new lastEvent is no change', () => {
  const read = (status: string, lastEvent: string): Made => ({
    operation: 'getAccount',
    by: 'sparring',
    reply: { identifier: '7', status, lastEvent, items: [{ itemId: 'i', quantity: 1 }] },
  })
  const steps = { 1: 'account-life/a', 2: 'account-life/b' }
  const assertion = staysSame('account-life/a', 'account-life/b', 'its lock')
  const same = [read('IN_PAYMENT', 'ACCOUNT_PRE_CLOSED'), read('IN_PAYMENT', 'PAYMENT_CREATED')]
  expect(outcomeOf(assertion, traceOf(same, { steps }))).toBe('passed')
  const moved = [read('IN_PAYMENT', 'ACCOUNT_PRE_CLOSED'), read('IN_USE', 'ACCOUNT_PRE_CLOSED')]
  expect(outcomeOf(assertion, traceOf(moved, { steps }))).toBe('failed')
})

test('legacy labels are found as values of labels, and not in free texts', () => {
  expect(isLegacyFree({ items: [{ fulfillment: { operationMode: 'MESA' } }] })).toContain('MESA')
  expect(isLegacyFree({ notes: 'MESA', name: 'LEVAR', operationMode: 'TABLE' })).toBeUndefined()
})

describe('a clause passes only for the occasions that were made', () => {
  const outcomesOf = (
    clause: string,
    role: TraceData['role'],
    trace: ReturnType<typeof createTrace>,
  ) =>
    checks
      .filter(({ clauses, roles }) => clauses.includes(clause) && roles.includes(role))
      .map((check) => judgeCheck(check, trace).outcome)
  const call = (operation: Made['operation'], status: number, reply?: object): Made => ({
    operation,
    by: 'sparring',
    path: `/accounts/${operation}`,
    status,
    request: { operationMode: 'TABLE', identifier: '7' },
    ...(reply ? { reply } : {}),
  })
  const life = (...names: readonly string[]) =>
    Object.fromEntries(names.map((name, index) => [index + 1, `account-life/${name}`]))

  test('[IND-PRM-07] [IND-TRA-04] all closes: in use, paid or not, and after the pre-close', () => {
    const closes = [call('closeAccount', 409), call('closeAccount', 202), call('closeAccount', 409)]
    const steps = life('close-in-use', 'close')
    const both = traceOf(closes, { steps: { ...steps, 3: 'account-opening/close-paid' } })
    const one = traceOf(closes.slice(0, 2), { steps })
    expect(outcomesOf('IND-PRM-07', 'software-service', both)).toEqual(['passed'])
    expect(outcomesOf('IND-PRM-07', 'software-service', one)).toEqual(['skipped'])
    expect(outcomesOf('IND-TRA-04', 'software-service', one)).not.toEqual(['passed'])
    const wrong = traceOf([call('closeAccount', 202)], { steps: life('close-in-use') })
    expect(outcomesOf('IND-PRM-07', 'software-service', wrong)).toEqual(['failed'])
  })

  test('[IND-OPS-09] a list after the second payment', () => {
    const [first, second] = [{ paymentId: 'p1' }, { paymentId: 'p2' }]
    const steps = life(
      'read-in-use',
      'pay-in-use',
      'list-payments',
      'pay-locked',
      'list-payments-again',
    )
    const account = { operationMode: 'TABLE', identifier: '7', status: 'IN_USE', items: [] }
    const made = (again: readonly object[]) => [
      call('getAccount', 200, account),
      call('createPayment', 200, first),
      call('listAccountPayments', 200, { payments: [first] }),
      call('createPayment', 200, second),
      call('listAccountPayments', 200, { payments: again }),
    ]
    const outcomes = (all: readonly Made[]) =>
      outcomesOf('IND-OPS-09', 'software-service', traceOf(all, { steps }))
    expect(outcomes(made([first, second]))).toEqual(['passed'])
    expect(outcomes(made([second]))).toEqual(['failed'])
    expect(outcomes(made([first, second]).slice(0, 3))).toEqual(['skipped'])
  })

  describe('[IND-OPS-08] a payment of ours', () => {
    const payment = (paymentId: string, amount = 10) => ({ paymentId, amount })
    const pay = (status: number, id = 'p1') => ({
      ...call('createPayment', status, payment(id)),
      request: { operationMode: 'TABLE', identifier: '7', amount: 10 },
    })
    const outcomes = (...made: readonly (readonly [step: string, made: Made])[]) =>
      outcomesOf(
        'IND-OPS-08',
        'software-service',
        traceOf(
          made.map(([, each]) => each),
          { steps: Object.fromEntries(made.map(([step], index) => [index + 1, step])) },
        ),
      )

    test('is listed once', () => {
      const listed = (paid: Made, ...payments: readonly object[]) =>
        outcomes(
          ['account-life/pay-in-use', paid],
          ['account-life/list-payments-again', call('listAccountPayments', 200, { payments })],
        )
      expect(listed(pay(200), payment('p1'))).toEqual(['passed'])
      expect(listed(pay(200), payment('p1'), payment('p2'))).toEqual(['failed'])
      expect(listed(pay(200), payment('p1', 4), payment('p2', 6))).toEqual(['passed'])
      expect(listed(pay(200), payment('p1'), payment('p2', 0))).toEqual(['passed'])
    })

    test('that comes again under its X-Request-Id is the same one, by advice', () => {
      const repeated = (again: Made) =>
        outcomes(['account-fiscal/pay-first', pay(200)], ['account-fiscal/pay-repeated', again])
      expect(repeated(pay(200))).toEqual(['passed'])
      expect(repeated(pay(200, 'p2'))).toEqual(['warning'])
      expect(repeated(pay(409))).toEqual(['passed'])
    })
  })

  test('[IND-RUL-08] a payment alone does not show that totals follow', () => {
    const read = (paid: number) =>
      call('getAccount', 200, { status: 'IN_USE', items: [], totals: { paid, due: 40 - paid } })
    const steps = life('read-in-use', 'pay-in-use', 'read-paid')
    const outcomes = (paid: number) =>
      outcomesOf(
        'IND-RUL-08',
        'software-service',
        traceOf([read(0), call('createPayment', 200), read(paid)], { steps }),
      )
    expect(outcomes(10)).toEqual(['skipped'])
    expect(outcomes(0)).toEqual(['failed'])
  })

  test.each([
    ['that are those of what it lists', { itemsSubtotal: 30, paid: 10 }, 'skipped'],
    ['of which one is not that of its items', { itemsSubtotal: 45, paid: 10 }, 'warning'],
    ['of which one is not that of its payments', { itemsSubtotal: 30, paid: 20 }, 'warning'],
    ['without its discount', { itemsSubtotal: 28, paid: 10 }, 'skipped'],
    ['with more due than there is', { itemsSubtotal: 30, paid: 10, due: 99 }, 'skipped'],
    ['with options of its own price', { itemsSubtotal: 45, paid: 10 }, 'skipped', [{ name: 'x' }]],
  ])('[IND-RUL-08] sums %s', (_, totals, outcome, options: object[] = []) => {
    const items = [
      { itemId: 'a', quantity: 1, totalPrice: 30, discount: 2, options },
      { itemId: 'b', quantity: 1, totalPrice: 15, status: 'CANCELLED' },
    ]
    const shown = { status: 'IN_USE', items, payments: [{ amount: 10 }], totals }
    const trace = traceOf([call('getAccount', 200, shown)])
    expect(outcomesOf('IND-RUL-08', 'software-service', trace)).toEqual([outcome])
  })

  describe('the outcome of a fiscal document', () => {
    const request = (status: number) => call('requestFiscalDocument', status)
    const list = (...states: readonly string[]) =>
      call('listAccountFiscalDocuments', 200, {
        documents: states.map((documentStatus, index) => ({ documentId: index, documentStatus })),
      })
    const read = call('getAccount', 200, { status: 'IN_USE', items: [] })
    const outcomes = (clause: string, ...made: readonly Made[]) =>
      outcomesOf(
        clause,
        'software-service',
        traceOf(made, {
          steps: {
            1: 'fiscal-failure/request',
            [made.length - 1]: 'fiscal-failure/list-documents',
            [made.length]: 'fiscal-failure/read-outcome',
          },
          notes: [
            note('account', '{"label":"failed","operationMode":"TABLE","identifier":"7"}'),
            note(outcomeDue, '1'),
          ].map((each) => ({ ...each, procedure: 'fiscal-failure' })),
        }),
      )
    const own = { operationMode: 'TABLE', identifier: '7' }
    const [error, issued] = [event('FISCAL_ERROR', own), event('FISCAL_ISSUED', own)]
    const another = event('FISCAL_ISSUED', { ...own, identifier: '8' })

    test('[IND-EVT-10] is judged of an issuance that failed, and of no other', () => {
      const judged = (...made: readonly Made[]) =>
        outcomes('IND-EVT-10', request(202), ...made, read)[0]
      expect(judged(error, list('ERROR'))).toBe('passed')
      expect(judged(list('ERROR'))).toBe('failed')
      expect(judged(list())).toBe('failed')
      expect(judged(another, list('ERROR'))).toBe('failed')
      expect(judged(list('PENDING'))).toBe('skipped')
      expect(judged(another, list('PENDING'))).toBe('skipped')
      expect(judged(issued, list('ISSUED'))).toBe('skipped')
      expect(judged(issued, list('PENDING'))).toBe('skipped')
      expect(outcomes('IND-EVT-10', request(422), list(), read)).toEqual(['skipped'])
    })

    test('[IND-OPS-10] [IND-RUL-06] is not that of another account', () => {
      const judged = (...made: readonly Made[]) =>
        outcomes('IND-RUL-06', request(202), ...made, list(), read)
      expect(judged(error)).toEqual(['passed'])
      expect(judged(issued)).toEqual(['passed'])
      expect(judged(event('FISCAL_ISSUED', {}))).toEqual(['passed'])
      expect(judged(another)).toEqual(['failed'])
      expect(judged()).toEqual(['failed'])
    })
  })

  describe('events as the host sends them', () => {
    const outcomes = (clause: string, procedure: string, step: string, ...made: readonly Made[]) =>
      outcomesOf(
        clause,
        'software-service',
        traceOf(made, {
          steps: { [made.length]: `${procedure}/${step}` },
          notes: ['life', 'unheard'].map((label) => ({
            ...note('account', JSON.stringify({ label, operationMode: 'TABLE', identifier: '7' })),
            procedure,
          })),
        }),
      )
    const own = { operationMode: 'TABLE', identifier: '7' }
    const at = (second: number, names: object) => ({
      ...names,
      occurredAt: `2026-01-01T12:00:0${second}Z`,
    })
    const read = (lastEvent: string, status: string) =>
      call('getAccount', 200, { ...own, lastEvent, status, items: [] })

    test('[IND-ACC-03] an event that names no account is the last one of none', () => {
      const judged = (...made: readonly Made[]) =>
        outcomes(
          'IND-ACC-03',
          'account-life',
          'read-end',
          ...made,
          read('ACCOUNT_CLOSED', 'CLOSED'),
        )
      const [added, closed] = [
        event('ACCOUNT_ITEM_ADDED', at(1, own)),
        event('ACCOUNT_CLOSED', at(2, own)),
      ]
      expect(judged(added, closed)).toEqual(['passed'])
      expect(judged(added)).toEqual(['failed'])
      expect(judged(added, event('ACCOUNT_CLOSED', at(2, {})))).toEqual(['passed'])
      expect(judged(event('PAYMENT_CREATED', at(0, {})), added)).toEqual(['failed'])
    })

    test('[IND-EVR-04] the last event is judged of a pre-close whose event was refused', () => {
      const judged = (lastEvent: string, ...made: readonly Made[]) => {
        const last = read(lastEvent, 'IN_PAYMENT')
        return outcomes('IND-EVR-04', 'lost-account-event', 'read-last-event', ...made, last)
      }
      const refused = { ...event('ACCOUNT_PRE_CLOSED', own), status: 503 }
      expect(judged('ACCOUNT_PRE_CLOSED', refused)).toEqual(['passed'])
      expect(judged('ACCOUNT_OPENED', refused)).toEqual(['failed'])
      expect(judged('ACCOUNT_OPENED')).toEqual(['skipped'])
      expect(
        judged('ACCOUNT_OPENED', event('ACCOUNT_PRE_CLOSED', { ...own, identifier: '8' })),
      ).toEqual(['skipped'])
    })

    test('[IND-EVT-08] an unlock that is announced twice is no unlock that was not made', () => {
      const problems = (...made: readonly Made[]) =>
        checks
          .filter(({ clauses }) => clauses.includes('IND-EVT-08'))
          .flatMap(({ assertion }) => [...assertion(traceOf(made))])
          .flatMap(({ problem }) => problem ?? [])
      const [first, again] = [event('ACCOUNT_UNLOCKED', own), event('ACCOUNT_UNLOCKED', at(1, own))]
      const unlock = call('unlockAccount', 202)
      expect(problems(unlock, first, first)).toEqual([])
      expect(problems(unlock, first, again)).toEqual([
        'it sent ACCOUNT_UNLOCKED more often than accounts were unlocked',
      ])
      expect(problems(first)).toEqual(['it sent ACCOUNT_UNLOCKED although no account was unlocked'])
    })
  })

  describe('a kiosk', () => {
    const taken = (eventType: string, status = 204): Made => ({
      operation: 'receiveAccountEvent',
      by: 'sparring',
      path: '/webhooks/accounts',
      status,
      request: { eventId: eventType, eventType },
    })
    const asked: Made = { operation: 'getAccount', by: 'subject' }
    const ordered: Made = {
      operation: 'receiveOrderEvent',
      by: 'subject',
      path: '/webhooks/orders',
      request: { eventId: 'e', eventType: 'CREATED', orderId: 'o1' },
    }
    const outcomes = (clause: string, ...made: readonly Made[]) =>
      outcomesOf(clause, 'ordering-application', traceOf(made, { role: 'ordering-application' }))

    test('[IND-GEN-04] [IND-OPS-12] without a guest it has taken events, and called nothing', () => {
      expect(outcomes('IND-GEN-04', taken('ACCOUNT_OPENED'))).toEqual(['skipped'])
      expect(outcomes('IND-OPS-12', taken('ACCOUNT_OPENED'))).toEqual(['passed'])
      expect(outcomes('IND-GEN-04', taken('ACCOUNT_OPENED'), asked)).toEqual(['passed'])
      expect(outcomes('IND-OPS-12', taken('ACCOUNT_OPENED', 500))).toEqual(['failed'])
    })

    test('[IND-GEN-09] [IND-TEN-02] paths of another host that has accounts are no account calls', () => {
      const create: Made = {
        operation: undefined,
        by: 'subject',
        path: '/crm/accounts',
        request: {},
      }
      const at = (role: 'software-service' | 'ordering-application') => {
        const exchanges = [create].map(exchangeOf).map((each) => ({
          ...each,
          to: { role, party: 'sparring' as const },
        }))
        const trace = traceOf([], { role: 'ordering-application', exchanges })
        return ['IND-GEN-09', 'IND-TEN-02'].flatMap((clause) =>
          outcomesOf(clause, 'ordering-application', trace),
        )
      }
      expect(at('software-service')).toEqual(['failed', 'failed'])
      expect(at('ordering-application')).toEqual(['skipped', 'skipped'])
    })

    test('[IND-OPS-08] a call that is refused as invalid fails; one that came too late is a notice', () => {
      const pay = (status: number): Made => ({
        operation: 'createPayment',
        by: 'subject',
        status,
        request: {},
      })
      expect(outcomes('IND-OPS-08', pay(400))).toEqual(['failed'])
      expect(outcomes('IND-OPS-08', pay(422))).toEqual(['warning'])
      expect(outcomes('IND-OPS-08', pay(409))).toEqual(['passed'])
    })

    test('[IND-EVR-05] [IND-GEN-05] nothing is shown before an account of it was closed', () => {
      const opened = [ordered, taken('ACCOUNT_OPENED')]
      expect(outcomes('IND-EVR-05', ...opened)).toEqual(['skipped'])
      expect(outcomes('IND-EVR-05', ...opened, taken('ACCOUNT_CLOSED'))).toEqual(['passed'])
      const wrong = { ...ordered, request: { eventId: 'f', eventType: 'ACCOUNT_OPENED' } }
      expect(outcomes('IND-EVR-05', wrong)).toEqual(['failed'])
      expect(outcomes('IND-GEN-05', ...opened)).toEqual(['skipped'])
    })
  })
})
