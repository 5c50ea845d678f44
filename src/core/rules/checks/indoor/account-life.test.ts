/** The life of accounts on traffic that is written by hand: each mistake blames its clause, and what is lawful blames none. */
import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { checks } from '../catalogue.ts'
import { ClauseJudge } from '../clause-judge.ts'

const key = { operationMode: 'TABLE', identifier: '7' }
const named = { ...key, accountId: 'a1' }

interface Made {
  readonly operation: OperationId
  readonly by: 'subject' | 'sparring'
  readonly path: string
  readonly status: number
  readonly request?: object
  readonly reply?: unknown
  readonly more?: Partial<Exchange>
  /** Seconds since the message before; one when absent. */
  readonly after?: number
}

const call = (
  operation: OperationId,
  path: string,
  status: number,
  request: object = {},
): Made => ({
  operation,
  by: 'sparring',
  path: `/accounts${path}`,
  status,
  request: { ...named, ...request },
})
const pay = (status = 200, amount = 10): Made => ({
  ...call('createPayment', '/payments', status, { amount }),
  reply: { paymentId: `p${amount}`, amount },
})
const lock = (status = 202) => call('preCloseAccount', '/pre-close', status)
const unlock = (status = 202) => call('unlockAccount', '/unlock', status)
const close = (status = 202) => call('closeAccount', '/close', status)
const cancel = (status = 200, itemId = 'i1') =>
  call('cancelAccountItem', `/items/${itemId}/cancel`, status)
const move = (status = 200, itemIds = ['i1']) =>
  call('transferAccountContent', '/transfers', status, { itemIds, targetAccountId: 'a2' })

const line = (itemId: string, status = 'ACTIVE') => ({
  itemId,
  name: itemId,
  quantity: 1,
  unitPrice: 20,
  totalPrice: 20,
  status,
})
const read = (status: string, more: object = {}): Made => ({
  operation: 'getAccount',
  by: 'sparring',
  path: '/accounts?operationMode=TABLE&identifier=7&accountId=a1',
  status: 200,
  reply: {
    ...named,
    status,
    items: [line('i1'), line('i2')],
    totals: { paid: 0, due: 40 },
    ...more,
  },
})
const readOther = (status: string, more: object = {}): Made => ({
  ...read(status),
  path: '/accounts?operationMode=TABLE&identifier=8&accountId=a2',
  reply: {
    operationMode: 'TABLE',
    identifier: '8',
    accountId: 'a2',
    status,
    items: [line('j1')],
    totals: { paid: 0, due: 20 },
    ...more,
  },
})

let events = 0
const event = (eventType: string, more: object = {}): Made => ({
  operation: 'receiveAccountEvent',
  by: 'subject',
  path: '/webhooks/accounts',
  status: 204,
  request: { eventId: `e${++events}`, eventType, ...named, ...more },
})
const orderRead = (orderId: string): Made => ({
  operation: 'getOrder',
  by: 'subject',
  path: `/orders/${orderId}`,
  status: 200,
  reply: { id: orderId, fulfillment: { orderType: 'INDOOR', indoor: key } },
  more: { orderId },
})
/** Another message of the service, at which what did not come is reported. */
const later = (after = 30): Made => ({ ...event('FISCAL_ISSUED', { accountId: 'a9' }), after })
const end: Made = { ...readOther('IN_USE'), status: 404, after: 5 }

const failing = (made: Made, fault = 'error on rsp(x)'): Made => ({ ...made, more: { fault } })

/** The clauses that are blamed, and with `notice` those of which a notice is made. */
function blamed(...made: readonly Made[]): readonly string[] {
  const judge = new ClauseJudge({
    checks: checks.filter(({ clauses: [clause] }) => clause.startsWith('IND-')),
    role: 'software-service',
    speaks: 'v2',
    dialect: undefined,
    onBug(error) {
      throw error
    },
  })
  let at = 1_000_000
  for (const [index, each] of [...made, end].entries()) {
    const { operation, by, path, status, request, reply, more, after = 1 } = each
    at += after * 1000
    judge.exchange(
      {
        seq: index + 1,
        startedAt: at,
        tookMs: 5,
        from: { role: 'ordering-application', party: by },
        to: { role: 'software-service', party: by === 'subject' ? 'sparring' : 'subject' },
        operation,
        request: {
          method: request ? 'POST' : 'GET',
          url: `http://service${path}`,
          headers: [],
          ...(request ? { body: JSON.stringify(request) } : {}),
        },
        ...(status === 0
          ? {}
          : {
              reply: {
                status,
                headers: [],
                ...(reply === undefined ? {} : { body: JSON.stringify(reply) }),
              },
            }),
        ...more,
      },
      { began: at },
    )
  }
  return (
    judge
      .verdicts()
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id, violations }) => (violations > 0 ? id : `${id} notice`))
      // The reads of these tests have no lastEvent unless they are about it.
      .filter((id) => id !== 'IND-ACC-03' || made.some(({ reply }) => 'lastEvent' in Object(reply)))
  )
}

const lines = (...items: readonly object[]) => ({
  items,
  totals: { paid: 0, due: items.length * 20 },
})

describe('calls by the status of an account', () => {
  test.each([
    ['IND-PRM-04', 'a payment', 'CLOSED', pay],
    ['IND-PRM-05', 'a pre-close', 'CLOSED', lock],
    ['IND-PRM-06', 'an unlock', 'CLOSED', unlock],
    ['IND-PRM-02', 'the cancel of an item', 'CLOSED', cancel],
    ['IND-PRM-02', 'the cancel of an item', 'IN_PAYMENT', cancel],
    ['IND-PRM-03', 'a transfer', 'CLOSED', move],
    ['IND-PRM-03', 'a transfer', 'IN_PAYMENT', move],
    ['IND-PRM-07', 'a close', 'IN_USE', close],
  ])('[%s] %s is refused while it is %s', (clause, _, status, made) => {
    expect(blamed(read(status), made())).toEqual([clause])
    expect(blamed(read(status), made(409))).toEqual([])
  })

  test('what a status allows is taken', () => {
    const moves = [pay(), cancel(200), move(200, ['i2']), unlock()]
    for (const made of moves) expect(blamed(read('IN_USE'), made)).toEqual([])
    expect(blamed(read('IN_PAYMENT'), pay(), unlock())).toEqual([])
  })

  test('[IND-RUL-05] a transfer to an account that is locked is refused', () => {
    expect(blamed(readOther('IN_PAYMENT'), read('IN_USE'), move())).toEqual(['IND-RUL-05'])
    expect(blamed(readOther('IN_PAYMENT'), read('IN_USE'), move(409))).toEqual([])
  })

  test.each([
    ['IN_PAYMENT', lock],
    ['CLOSED', close],
  ])('[IND-RUL-04] what is repeated while it is %s is answered 202', (status, made) => {
    expect(blamed(read(status), made(409))).toEqual(['IND-RUL-04'])
    expect(blamed(read(status), made(202))).toEqual([])
    expect(blamed(read(status), made(401))).toEqual([])
  })

  test.each([
    ['an unlock between', [read('IN_PAYMENT'), unlock(), cancel()]],
    ['an unlock that our fault cut off', [read('IN_PAYMENT'), failing(unlock()), cancel()]],
    ['an unlock of which no answer came', [read('IN_PAYMENT'), unlock(0), cancel()]],
    [
      'an unlock at the till, of which an event tells',
      [read('IN_PAYMENT'), event('ACCOUNT_UNLOCKED'), cancel()],
    ],
    ['nothing known', [cancel(), pay(), close()]],
    ['a read that a fault has touched', [failing(read('CLOSED')), pay()]],
    ['a pre-close that is not done yet', [read('IN_USE'), lock(), cancel(409), read('IN_USE')]],
    ['the replay of a payment', [read('CLOSED'), { ...pay(), more: { attempt: 2 } }]],
    [
      'an unlock in flight meanwhile',
      [read('IN_PAYMENT'), { ...unlock(), more: { tookMs: 1500 } }, { ...cancel(), after: 0.5 }],
    ],
    [
      'the next account of the table, named by its key',
      [event('ACCOUNT_CLOSED'), orderRead('o2'), { ...pay(), request: { ...key, amount: 10 } }],
    ],
  ] satisfies readonly [string, Made[]][])('%s blames no status', (_, made) => {
    expect(blamed(...made)).toEqual([])
  })

  test('[IND-PRM-04] a key still names the account that was closed where no order has come', () => {
    expect(blamed(read('CLOSED'), { ...pay(), request: { ...key, amount: 1 } })).toEqual([
      'IND-PRM-04',
    ])
  })
})

describe('[IND-OPS-10] statuses of answers', () => {
  test.each([
    ['IND-OPS-10', call('requestFiscalDocument', '/fiscal', 200)],
    ['IND-OPS-03', lock(200)],
    ['IND-OPS-05', { ...close(200), request: { accountId: 'a3' } }],
    ['IND-OPS-08', { ...pay(201) }],
  ])('%s shows in a single message', (clause, made) => {
    expect(blamed(made)).toEqual([clause])
  })
})

describe('transitions', () => {
  test('[IND-TRA-04] an account that was closed is closed for good', () => {
    expect(blamed(read('CLOSED'), read('IN_USE'))).toEqual(['IND-TRA-04'])
    const next = { ...named, accountId: 'a5', status: 'IN_USE', items: [] }
    expect(blamed(read('CLOSED'), { ...read('IN_USE'), reply: next })).toEqual([])
  })

  test.each([
    ['IND-TRA-02', read('IN_USE'), lock()],
    ['IND-TRA-03', read('IN_PAYMENT'), unlock()],
    ['IND-TRA-04', read('IN_PAYMENT', lines()), close()],
  ])('[%s] an accepted call has its effect within ten seconds', (clause, before, made) => {
    expect(blamed(before, made, { ...before, after: 20 })).toEqual([clause])
    expect(blamed(before, made, { ...before, after: 2 })).toEqual([])
  })

  test('[IND-TRA-04] a close that leaves something due is a notice, since it may be a courtesy', () => {
    const closed = [read('IN_PAYMENT'), close(), read('CLOSED'), event('ACCOUNT_CLOSED')]
    expect(blamed(...closed)).toEqual(['IND-TRA-04 notice'])
    const paid = read('IN_PAYMENT', { totals: { paid: 40, due: 0 } })
    expect(blamed(paid, close(), read('CLOSED', { totals: { paid: 40, due: 0 } }))).toEqual([])
    const closed40 = read('CLOSED', { totals: { paid: 40, due: 0 } })
    expect(blamed(read('IN_PAYMENT'), pay(200, 40), close(), closed40)).toEqual([])
  })

  test('[IND-PRM-01] an account that stays locked takes no items', () => {
    const more = lines(line('i1'), line('i2'), line('i3'))
    expect(blamed(read('IN_PAYMENT'), read('IN_PAYMENT', more))).toEqual(['IND-PRM-01'])
    expect(
      blamed(read('IN_PAYMENT'), event('ACCOUNT_PRE_CLOSED'), read('IN_PAYMENT', more)),
    ).toEqual([])
    expect(blamed(read('IN_PAYMENT'), unlock(), lock(), read('IN_PAYMENT', more))).toEqual([])
  })

  test('[IND-RUL-03] what is closed stays as it is, and its items may become PAID', () => {
    expect(blamed(read('CLOSED'), read('CLOSED', lines(line('i1'))))).toEqual(['IND-RUL-03'])
    expect(blamed(read('CLOSED'), read('CLOSED', lines(line('i1', 'PAID'), line('i2'))))).toEqual(
      [],
    )
  })
})

describe('totals and items', () => {
  test('[IND-RUL-08] a payment shows in the paid total', () => {
    expect(blamed(read('IN_USE'), pay(), read('IN_USE'))).toEqual(['IND-RUL-08'])
    const paid = read('IN_USE', { totals: { paid: 10, due: 30 } })
    expect(blamed(read('IN_USE'), pay(), paid)).toEqual([])
    const silent = read('IN_USE', { totals: { due: 40 } })
    expect(blamed(silent, pay(), silent)).toEqual([])
    expect(blamed(read('IN_USE'), failing(pay()), read('IN_USE'))).toEqual([])
  })

  test('[IND-RUL-08] [IND-OPS-06] a cancelled item is shown as cancelled, and the total follows', () => {
    const items = [line('i1', 'CANCELLED'), line('i2')]
    const after = (due: number) => read('IN_USE', { items, totals: { paid: 0, due } })
    expect(blamed(read('IN_USE'), cancel(), after(20))).toEqual([])
    expect(blamed(read('IN_USE'), cancel(), after(40))).toEqual(['IND-RUL-08'])
    expect(blamed(read('IN_USE'), cancel(), read('IN_USE'))).toEqual(['IND-OPS-06'])
    const free = {
      ...read('IN_USE', {
        items: [{ itemId: 'i1', unitPrice: 0 }, line('i2')],
        totals: { paid: 0, due: 20 },
      }),
    }
    expect(blamed(free, cancel(), after(20))).toEqual([])
  })

  test('[IND-OPS-07] [IND-RUL-08] a transfer shows on both accounts', () => {
    const start = [read('IN_USE'), readOther('IN_USE'), move()]
    const left = read('IN_USE', lines(line('i2')))
    const got = readOther('IN_USE', lines(line('j1'), line('i1')))
    expect(blamed(...start, left, got)).toEqual([])
    expect(blamed(...start, read('IN_USE'), got)).toEqual(['IND-OPS-07'])
    expect(blamed(...start, left, readOther('IN_USE'))).toEqual(['IND-OPS-07'])
    const unsummed = { ...lines(line('j1'), line('i1')), totals: { paid: 0, due: 20 } }
    expect(blamed(...start, left, readOther('IN_USE', unsummed))).toEqual(['IND-RUL-08'])
    const kept = { ...lines(line('i2')), totals: { paid: 0, due: 40 } }
    expect(blamed(...start, read('IN_USE', kept), got)).toEqual(['IND-RUL-08'])
  })

  test('[IND-RUL-08] an order that is announced as added shows', () => {
    const added = [read('IN_USE'), orderRead('o2'), event('ACCOUNT_ITEM_ADDED', { orderId: 'o2' })]
    expect(blamed(...added, read('IN_USE'))).toEqual(['IND-RUL-08'])
    expect(blamed(...added, read('IN_USE', lines(line('i1'), line('i2'), line('i3'))))).toEqual([])
    const [before, order, news] = added
    if (before && order && news) expect(blamed(order, before, news, read('IN_USE'))).toEqual([])
  })

  test('[IND-OPS-09] the list of payments has each that was accepted', () => {
    const list = (...ids: readonly string[]): Made => ({
      operation: 'listAccountPayments',
      by: 'sparring',
      path: '/accounts/payments?accountId=a1',
      status: 200,
      reply: { payments: ids.map((paymentId) => ({ paymentId })) },
    })
    const paid = [read('IN_USE'), pay(200, 10), pay(200, 20)]
    expect(blamed(...paid, list('p10', 'p20'))).toEqual([])
    expect(blamed(...paid, list('p10'))).toEqual(['IND-OPS-09'])
    expect(blamed(...paid, list('p10', 'p10'))).toEqual(['IND-OPS-09'])
    expect(blamed(...paid, { ...list('p10'), reply: ['?'] })).toEqual([])
    expect(blamed(...paid, failing(pay(200, 30)), list('p10'))).toEqual([])
    expect(blamed(...paid, event('PAYMENT_UPDATED'), list('p10'))).toEqual([])
  })
})

describe('events', () => {
  test.each([
    ['IND-EVT-01', 'ACCOUNT_OPENED', {}],
    ['IND-RUL-04', 'ACCOUNT_CLOSED', {}],
    ['IND-EVT-05', 'PAYMENT_CREATED', { paymentId: 'p1' }],
  ])('[%s] %s comes once for each fact', (clause, type, more) => {
    const start = event('ACCOUNT_OPENED')
    const first = type === 'ACCOUNT_OPENED' ? start : event(type, more)
    expect(blamed(start, first, event(type, more))).toEqual([clause])
    expect(blamed(start, first, first)).toEqual([])
    if ('paymentId' in more)
      expect(blamed(start, first, event(type, { paymentId: 'p2' }))).toEqual([])
  })

  test('[IND-OPS-12] an event has an eventId', () => {
    expect(blamed(event('ACCOUNT_OPENED', { eventId: undefined }))).toEqual(['IND-OPS-12'])
  })

  test('[IND-EVR-05] an event of Orders is no account event', () => {
    expect(blamed(event('DELIVERED'))).toContain('IND-EVR-05')
  })

  const items = { items: [line('i1', 'CANCELLED'), line('i2')], totals: { paid: 0, due: 20 } }
  const changes = [
    ['IND-EVT-05', 'PAYMENT_CREATED', [read('IN_USE'), pay()]],
    ['IND-EVT-04', 'ACCOUNT_ITEM_CANCELLED', [read('IN_USE'), cancel(), read('IN_USE', items)]],
    ['IND-EVT-07', 'ACCOUNT_PRE_CLOSED', [read('IN_USE'), lock(), read('IN_PAYMENT')]],
    [
      'IND-EVT-11',
      'ACCOUNT_CLOSED',
      [read('IN_PAYMENT', lines()), close(), read('CLOSED', lines())],
    ],
    [
      'IND-OPS-10',
      'FISCAL_ISSUED',
      [read('IN_USE'), call('requestFiscalDocument', '/fiscal', 202)],
    ],
  ] as const

  test.each(changes)('[%s] %s comes after the change', (clause, type, made) => {
    expect(blamed(...made, event(type), later(200))).toEqual([])
    expect(blamed(...made, later(1), later(200))).toEqual([clause])
  })

  test.each(changes)(
    '[%s] %s is not missed where it may have come, or may still come',
    (_, type, made) => {
      expect(blamed(...made, later(1), later(1))).toEqual([])
      expect(blamed(...made, { ...end, after: 200 })).toEqual([])
      expect(blamed(...made, failing(event(type)), later(1), later(200))).toEqual([])
      expect(blamed(...made, { ...event(type), status: 503 }, later(1), later(200))).toEqual([])
      const nameless = event(type, {
        operationMode: undefined,
        identifier: undefined,
        accountId: undefined,
      })
      expect(blamed(...made, nameless, later(200))).toEqual([])
    },
  )

  test('[IND-EVT-02] an order that an account shows has its event', () => {
    const shows = (...ids: readonly string[]) =>
      read('IN_USE', { orders: ids.map((orderId) => ({ orderId })) })
    const added = [shows('o1'), orderRead('o2'), shows('o1', 'o2')]
    expect(blamed(...added, later(1), later())).toEqual(['IND-EVT-02'])
    expect(blamed(...added, event('ACCOUNT_ITEM_ADDED'), later())).toEqual([])
  })

  test('[IND-ACC-03] lastEvent follows the events', () => {
    const news = [
      event('ACCOUNT_OPENED', { occurredAt: '2026-01-05T15:00:00Z' }),
      {
        ...event('PAYMENT_CREATED', { paymentId: 'p1', occurredAt: '2026-01-05T15:00:10Z' }),
        after: 10,
      },
    ]
    const shows = (lastEvent: string) => ({ ...read('IN_USE', { lastEvent }), after: 5 })
    expect(blamed(...news, shows('PAYMENT_CREATED'), later(1), later())).toEqual([])
    expect(blamed(...news, shows('ACCOUNT_OPENED'), later(1), later())).toEqual(['IND-ACC-03'])
    const next = event('ACCOUNT_PRE_CLOSED')
    expect(blamed(...news, shows('ACCOUNT_PRE_CLOSED'), next, later())).toEqual([])
    expect(blamed(...news, shows('ACCOUNT_UNLOCKED'), later(1), later())).toEqual([])
    // The older one was delivered last.
    expect(blamed(...news.toReversed(), shows('PAYMENT_CREATED'), later(1), later())).toEqual([])
  })
})

test('no more than a bounded number of accounts is remembered, and the oldest is forgotten', () => {
  const others = Array.from({ length: 600 }, (_, index): Made => {
    const accountId = `b${index}`
    const reply = { ...named, identifier: accountId, accountId, status: 'CLOSED' }
    return { ...read('CLOSED'), path: `/accounts?accountId=${accountId}`, reply }
  })
  expect(blamed(read('CLOSED'), ...others, pay())).toEqual([])
})

describe('[IND-EVT-05] a payment that is listed', () => {
  const opened = event('ACCOUNT_OPENED')
  const paid = (paymentId: string, more: object = {}) =>
    event('PAYMENT_CREATED', { paymentId, ...more })
  const list = (...entries: readonly object[]): Made => ({
    ...call('listAccountPayments', '/payments', 200),
    reply: { payments: entries },
  })
  const [p10, twin] = [
    { paymentId: 'p10', amount: 10 },
    { paymentId: 'twin', amount: 10 },
  ]
  const once = [opened, read('IN_USE'), pay(), paid('p10')]

  test('was announced, also in a list of the account itself', () => {
    expect(blamed(...once, list(p10, twin), later(), later(1))).toEqual(['IND-EVT-05'])
    const shown = read('IN_USE', { payments: [p10, twin], totals: { paid: 20, due: 20 } })
    expect(blamed(...once, shown, later(), shown, later(), later(1))).toEqual(['IND-EVT-05'])
  })

  test.each<[string, readonly Made[]]>([
    ['as it was accepted', [...once, list(p10)]],
    ['and was made at the till', [...once, paid('twin'), list(p10, twin)]],
    ['before its event comes', [...once, list(p10, twin), paid('twin')]],
    ['and announced without its id', [...once, list(p10, twin), event('PAYMENT_CREATED')]],
    ['and updated since', [...once, list(p10, twin), event('PAYMENT_UPDATED', twin)]],
    [
      'and announced for the account that it was moved from',
      [...once, paid('twin', { accountId: 'a2' }), list(p10, twin)],
    ],
    ['and has failed, as its status says', [...once, list(p10, { ...twin, status: 'FAILED' })]],
    ['and was refunded', [...once, list(p10, { ...twin, amount: -10 })]],
    ['of an account from before', [...once.slice(1), list(p10, twin)]],
    ['under other ids than events have', [...once.slice(0, 3), paid('x'), list(p10, twin)]],
    ['after an event that was lost', [...once, failing(event('OTHER')), list(p10, twin)]],
    [
      'after a payment of which no answer came',
      [...once, { ...pay(0), reply: undefined }, list(p10, twin)],
    ],
  ])('%s, is none to blame', (_, made) => {
    expect(blamed(...made, later(), later(1))).toEqual([])
  })

  test('[IND-OPS-09] stands in the list once', () => {
    expect(blamed(...once, list(p10, p10))).toEqual(['IND-OPS-09'])
    expect(blamed(...once, paid('twin'), list(p10, twin))).toEqual([])
    expect(blamed(...once, list({ ...p10, id: 'p10' }))).toEqual([])
  })
})
