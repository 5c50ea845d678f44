/** What a session says of the customers and loyalty accounts of a CRM, clause by clause, and what it does not say. */
import { expect, test } from 'vitest'
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { Exchange } from '../../../traffic/exchange.ts'
import { customerChecks } from '../catalogue.ts'
import { ClauseJudge } from '../clause-judge.ts'

const seconds = 1000
const crm = { role: 'crm', party: 'subject' } as const
const application = { role: 'ordering-application', party: 'sparring' } as const

type Parts = Partial<Omit<Exchange, 'request' | 'reply' | 'operation'>> & {
  readonly path?: string
  readonly body?: unknown
  readonly status?: number
  readonly shows?: unknown
}

/** Traffic with a CRM: each message begins at its second, and takes a tenth of one unless it says otherwise. */
class Traffic {
  readonly #exchanges: Exchange[] = []

  #add(at: number, operation: OperationId, isCall: boolean, parts: Parts): this {
    const { path = '/x', body, status = 202, shows, ...rest } = parts
    this.#exchanges.push({
      seq: this.#exchanges.length + 1,
      startedAt: at * seconds,
      tookMs: 100,
      from: isCall ? crm : application,
      to: isCall ? application : crm,
      operation,
      request: {
        method: 'POST',
        url: `http://crm.test${path}`,
        headers: [
          ['content-type', 'application/json'],
          ['authorization', 'Bearer x'],
        ],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      reply: {
        status,
        headers: [['content-type', 'application/json']],
        ...(shows === undefined ? {} : { body: JSON.stringify(shows) }),
      },
      ...rest,
    })
    return this
  }

  calls(at: number, operation: OperationId, parts: Parts = {}): this {
    return this.#add(at, operation, true, parts)
  }

  isCalled(at: number, operation: OperationId, parts: Parts = {}): this {
    return this.#add(at, operation, false, parts)
  }

  account(at: number, pointsAvailable: number, more: Readonly<Record<string, unknown>> = {}): this {
    return this.isCalled(at, 'getLoyaltyAccountById', {
      status: 200,
      params: { accountId: 'a1' },
      shows: {
        id: 'a1',
        customerId: 'c1',
        programId: 'p1',
        status: 'ACTIVE',
        summary: { pointsAvailable, pointsPending: 0, pointsExpiringSoon: 0 },
        ...more,
      },
    })
  }

  transactions(at: number, ...items: readonly (readonly [type: string, amount: number])[]): this {
    return this.isCalled(at, 'listLoyaltyTransactions', {
      status: 200,
      params: { accountId: 'a1' },
      shows: { items: items.map(([type, amount], index) => ({ id: `t${index}`, type, amount })) },
    })
  }

  event(at: number, eventType: string, payload: unknown = {}, parts: Parts = {}): this {
    const id = `e${this.#exchanges.length}`
    const about = { accountId: 'a1', ...(payload as object) }
    return this.calls(at, 'receiveLoyaltyEvent', {
      status: 204,
      body: {
        event: {
          eventId: id,
          eventType,
          entityType: 'loyalty',
          occurredAt: new Date(at * seconds).toISOString(),
          payload: about,
        },
      },
      ...parts,
    })
  }

  order(at: number, id: string, eventType: string, parts: Parts = {}): this {
    const event = { eventId: `o${at}`, eventType, payload: { orderId: id } }
    return this.isCalled(at, 'receiveCustomerEvent', { status: 204, body: { event }, ...parts })
  }

  redemption(at: number, orderId: string, parts: Parts = {}): this {
    return this.isCalled(at, 'createLoyaltyRedemption', {
      body: { accountId: 'a1', rewardId: 'r1', relatedOrderId: orderId },
      ...parts,
    })
  }

  /** What a session says of it: each clause with its first problem; a warning in brackets. */
  says(): readonly string[] {
    const judge = new ClauseJudge({
      checks: customerChecks,
      role: 'crm',
      speaks: 'v2',
      dialect: undefined,
      onBug: (error) => {
        throw error
      },
    })
    const ends = this.#exchanges.toSorted(
      (a, b) => a.startedAt + a.tookMs - (b.startedAt + b.tookMs),
    )
    for (const exchange of ends) judge.exchange(exchange, { began: exchange.startedAt })
    const verdicts = judge.verdicts().filter(({ id }) => id !== 'CLAUSES')
    return verdicts.map(({ id, findings, violations }) => {
      const text = `${id} ${findings[0]?.because}`
      return violations > 0 ? text : `(${text})`
    })
  }
}

const traffic = (): Traffic => new Traffic()

/** An account with 100 points, of which an order of a customer redeems 60, as a right service tells it. */
const redeemed = (): Traffic =>
  traffic()
    .account(0, 100)
    .redemption(1, 'o1')
    .event(2, 'loyalty.points_redeemed', { orderId: 'o1' })
    .account(3, 40)

test('[LOY-REC-01] a customer has one account in a program, but for one who was known by two ids', () => {
  const list = (...of: readonly (readonly [customerId: string, programId: string])[]): Traffic =>
    traffic().isCalled(0, 'listCustomerLoyaltyAccounts', {
      status: 200,
      params: { customerId: 'c1' },
      shows: {
        items: of.map(([customerId, programId], index) => ({
          id: `a${index}`,
          customerId,
          programId,
        })),
      },
    })
  const saysOfLists = (lists: Traffic): readonly string[] =>
    lists.says().filter((line) => line.includes('two accounts'))
  expect(saysOfLists(list(['c1', 'p1'], ['c1', 'p1']))).toEqual([
    'LOY-REC-01 it lists two accounts of one customer in program "p1".',
  ])
  expect(saysOfLists(list(['c1', 'p1'], ['c1', 'p2'], ['c2', 'p1']))).toEqual([])
})

test('[LOY-RUL-01] a balance below zero is told, and none at zero', () => {
  expect(traffic().account(0, 0).says()).toEqual([])
  expect(traffic().account(0, -20).says()).toEqual(['LOY-RUL-01 it shows -20 available points.'])
})

test('[LOY-EVR-02] points of an order that is cancelled come back, and an event tells it', () => {
  const cancelled = (): Traffic => redeemed().order(10, 'o1', 'order.canceled')
  const right = cancelled()
    .event(11, 'loyalty.redemption_reversed', { orderId: 'o1' })
    .account(50, 100)
    .event(60, 'loyalty.points_accrued', { orderId: 'o2' })
    .account(120, 130)
  expect(right.says()).toEqual([])
  // Late, and in flight while the account is read.
  expect(
    cancelled()
      .account(15, 40)
      .event(36, 'loyalty.redemption_reversed', { orderId: 'o1' })
      .account(90, 100)
      .event(100, 'loyalty.points_expired')
      .account(150, 20)
      .says(),
  ).toEqual([])
  const lost = cancelled().event(50, 'loyalty.points_pending', { orderId: 'o2' }).account(60, 40)
  expect(lost.says()).toEqual([
    'LOY-EVR-02 it emits no loyalty.redemption_reversed when the order of a redemption is cancelled.',
  ])
})

test('[LOY-EVR-02] nothing is said where a fault of ours has kept events or the cancellation away', () => {
  const fault = { fault: 'reset on req(receiveLoyaltyEvent)' }
  expect(
    redeemed()
      .order(10, 'o1', 'order.canceled')
      .event(12, 'loyalty.points_pending', {}, { ...fault, status: 503 })
      .event(50, 'loyalty.points_pending')
      .account(60, 40)
      .says(),
  ).toEqual([])
  expect(
    redeemed()
      .order(10, 'o1', 'order.canceled', { fault: 'lost' })
      .event(50, 'loyalty.points_pending')
      .account(60, 40)
      .says(),
  ).toEqual([])
})

test('[LOY-EVT-06] an event that says that points are back, and a balance that does not', () => {
  const told = redeemed()
    .order(10, 'o1', 'order.canceled')
    .event(11, 'loyalty.redemption_reversed', { orderId: 'o1' })
  expect(told.account(50, 40).account(90, 40).says()).toEqual([
    'LOY-EVT-06 it emits loyalty.redemption_reversed, and 40 of 100 points are available.',
  ])
  // Spent again meanwhile.
  expect(
    redeemed()
      .order(10, 'o1', 'order.canceled')
      .event(11, 'loyalty.redemption_reversed', { orderId: 'o1' })
      .redemption(20, 'o2')
      .event(21, 'loyalty.points_redeemed', { orderId: 'o2' })
      .account(50, 40)
      .account(90, 40)
      .says(),
  ).toEqual([])
})

test('[LOY-EVR-03] a redemption that moves the account and that no event tells', () => {
  const silent = (): Traffic => traffic().account(0, 100).redemption(1, 'o1').account(3, 40)
  expect(silent().event(40, 'loyalty.points_pending').account(50, 40).says()).toEqual([
    'LOY-EVR-03 its account goes from 100 to 40 points, and no event tells it.',
  ])
  // Its events do not come to us, or the event comes late.
  expect(silent().account(50, 40).says()).toEqual([])
  expect(
    silent()
      .event(20, 'loyalty.points_redeemed', { orderId: 'o1' })
      .event(40, 'loyalty.points_pending')
      .account(50, 40)
      .says(),
  ).toEqual([])
  // Points by hand: the documents have no event for an adjustment (LOY-REC-03).
  expect(
    traffic()
      .account(0, 100)
      .account(3, 900)
      .event(40, 'loyalty.points_pending')
      .account(50, 900)
      .says(),
  ).toEqual([])
  // It is not known whether the redemption was done.
  expect(
    traffic()
      .account(0, 100)
      .redemption(1, 'o1', { fault: 'reset' })
      .account(3, 40)
      .event(40, 'loyalty.points_pending')
      .account(50, 40)
      .says(),
  ).toEqual([])
})

test('[LOY-EVR-01] points of an order that is open, unless its completion is in flight', () => {
  const open = (): Traffic =>
    traffic()
      .account(0, 0)
      .order(1, 'o1', 'order.created')
      .event(5, 'loyalty.points_accrued', { orderId: 'o1' })
  expect(open().account(60, 30).says()).toEqual([
    'LOY-EVR-01 it emits loyalty.points_accrued of an order that is open.',
  ])
  expect(open().order(4, 'o1', 'order.completed', { tookMs: 8000 }).account(60, 30).says()).toEqual(
    [],
  )
})

test('[LOY-PRM-02] [LOY-PRM-03] [LOY-PRM-04] an account that is suspended does not move', () => {
  const suspended = { status: 'SUSPENDED' }
  const moved = traffic()
    .account(0, 100, suspended)
    .redemption(1, 'o1')
    .event(2, 'loyalty.points_redeemed', { orderId: 'o1' })
  expect(moved.account(9, 40, suspended).says()).toEqual([
    'LOY-PRM-03 it emits loyalty.points_redeemed of an account that is SUSPENDED.',
  ])
  // Reactivated meanwhile, as the next reading shows; or an event of what came before the suspension.
  expect(
    traffic()
      .account(0, 100, suspended)
      .redemption(1, 'o1')
      .event(2, 'loyalty.points_redeemed', { orderId: 'o1' })
      .account(9, 40)
      .says(),
  ).toEqual([])
  expect(
    traffic()
      .account(0, 100)
      .redemption(1, 'o1')
      .account(2, 40, suspended)
      .event(3, 'loyalty.points_redeemed', { orderId: 'o1' })
      .account(9, 40, suspended)
      .says(),
  ).toEqual([])
  const earned = traffic()
    .account(0, 100, suspended)
    .transactions(1, ['adjust', 100])
    .transactions(5, ['adjust', 100], ['earn', 30])
    .account(9, 130, suspended)
  expect(earned.says()).toContain(
    'LOY-PRM-02 its account that is SUSPENDED has another transaction of type earn.',
  )
})

test('[LOY-ACC-02] an account with a transaction is not ENROLLED', () => {
  expect(traffic().account(0, 0, { status: 'ENROLLED' }).transactions(1).says()).toEqual([])
  const moved = traffic().transactions(0, ['earn', 30]).account(1, 30, { status: 'ENROLLED' })
  expect(moved.says()).toEqual(['LOY-ACC-02 an account with a transaction is still ENROLLED.'])
})

test('[LOY-REC-03] transactions that do not sum up to the balance are a warning', () => {
  const wrong = traffic().account(0, 80).transactions(1, ['earn', 90], ['burn', -60]).account(2, 80)
  expect(wrong.says()).toEqual([
    '(LOY-REC-03 its transactions sum up to 30 points, and its account has 80.)',
  ])
  // Burned points are written as a positive number; and another page of them is not read.
  expect(
    traffic().account(0, 30).transactions(1, ['earn', 90], ['burn', 60]).account(2, 30).says(),
  ).toEqual([])
  expect(
    traffic()
      .account(0, 80)
      .isCalled(1, 'listLoyaltyTransactions', {
        status: 200,
        params: { accountId: 'a1' },
        shows: { items: [{ id: 't1', type: 'earn', amount: 30 }], total: 2 },
      })
      .account(2, 80)
      .says(),
  ).toEqual([])
})

test('[LOY-EVT-07] a coupon of two orders is a warning, unless the first order has given it back', () => {
  const applied = (at: number, orderId: string): Parameters<Traffic['event']> => [
    at,
    'loyalty.coupon_applied',
    { orderId, couponCode: 'C-1' },
  ]
  const twice = traffic()
    .event(...applied(0, 'o1'))
    .event(...applied(5, 'o2'))
  expect(twice.says()).toEqual(['(LOY-EVT-07 it applies one coupon to two orders.)'])
  expect(
    traffic()
      .event(...applied(0, 'o1'))
      .event(...applied(1, 'o1'))
      .says(),
  ).toEqual([])
  expect(
    traffic()
      .event(...applied(0, 'o1'))
      .order(2, 'o1', 'order.canceled')
      .event(...applied(5, 'o2'))
      .says(),
  ).toEqual([])
})

test('[CUS-RUL-01] [LOY-FLW-03] 200 where 202 is asked; a refusal is none', () => {
  const push = (status: number) =>
    traffic().isCalled(0, 'ingestCustomer', { status, body: { customer: {} } })
  expect(push(202).says()).toEqual([])
  expect(push(503).says()).toEqual([])
  expect(push(200).says()).toEqual(['CUS-RUL-01 it answered 200, not 202.'])
  expect(traffic().redemption(0, 'o1', { status: 201 }).says()).toEqual([
    'LOY-FLW-03 it answered 201, not 202.',
  ])
  expect(traffic().redemption(0, 'o1', { status: 409 }).says()).toEqual([])
})

test('[CUS-OVR-09] two records of one identifier or external id, unless they are of two merchants', () => {
  const list = (...items: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
    traffic().isCalled(0, 'getCustomers', { status: 200, shows: { items } }).says()
  const of = (value: string) => ({ identifier: { type: 'email', value } })
  expect(list({ id: '1', ...of('a@x.br') }, { id: '2', ...of('b@x.br') })).toEqual([])
  expect(list({ id: '1', ...of('a@x.br') }, { id: '2', ...of('a@x.br') })).toEqual([
    'CUS-OVR-09 it lists two customers with the identifier email a@x.br.',
  ])
  expect(
    list(
      { id: '1', ...of('a@x.br'), externalIds: ['app:7'] },
      { id: '2', ...of('b@x.br'), externalIds: ['app:7'] },
    ),
  ).toEqual(['CUS-OVR-09 it lists two customers with the external id "app:7".'])
  expect(
    list(
      { id: '1', ...of('a@x.br'), merchantId: 'm1' },
      { id: '2', ...of('a@x.br'), merchantId: 'm2' },
    ),
  ).toEqual([])
})

const ana = { identifier: { type: 'email', value: 'ana@x.br' } }
const saying =
  (isOurs: boolean) =>
  (at: number, fact: string, occurred: number, from = traffic()) => {
    const body = {
      event: {
        eventId: `${fact}${at}`,
        eventType: `customer.${fact}`,
        entityType: 'customer',
        occurredAt: new Date(occurred * seconds).toISOString(),
        payload: { customerId: 'c1', ...ana },
      },
    }
    return isOurs
      ? from.isCalled(at, 'receiveCustomerEvent', { status: 204, body })
      : from.calls(at, 'receiveCustomerEvent', { status: 204, body })
  }
const [report, announce] = [saying(true), saying(false)]

const shows = (from: Traffic, at: number, marketing: boolean, updated?: number): Traffic => {
  const updatedAt = updated === undefined ? undefined : new Date(updated * seconds).toISOString()
  const items = [{ id: 'c1', ...ana, consent: { marketing, updatedAt } }]
  return from.isCalled(at, 'getCustomers', { status: 200, shows: { items } })
}

test('[CUS-EVR-01] a withdrawal shows at once, and no older consent undoes it', () => {
  const out = (): Traffic => report(10, 'opted_out', 9, shows(traffic(), 0, true, 0))
  expect(shows(out(), 11, false, 9).says()).toEqual([])
  expect(shows(out(), 11, true, 0).says()).toEqual([
    'CUS-EVR-01 it shows the consent to marketing as true after the customer has opted out.',
  ])
  expect(shows(report(12, 'opted_in', 5, out()), 13, true, 12).says()).toEqual([
    'CUS-EVR-01 it shows the consent to marketing as true after an older consent that came late.',
  ])
  // A newer consent, ours or of the service; a read that began before; a customer whom it does not know.
  expect(shows(report(12, 'opted_in', 12, out()), 13, true, 12).says()).toEqual([])
  expect(shows(announce(12, 'opted_in', 12, out()), 13, true, 12).says()).toEqual([])
  expect(shows(out(), 13, true, 12).says()).toEqual([])
  expect(shows(out(), 10, true, 0).says()).toEqual([])
  expect(shows(report(10, 'opted_out', 9), 11, true, 0).says()).toEqual([])
})

test('[CUS-EVT-05] [CUS-EVT-06] what the service shows agrees with the consent that it has announced', () => {
  expect(shows(announce(0, 'opted_out', 0), 2, false, 0).says()).toEqual([])
  expect(shows(announce(0, 'opted_out', 0), 2, true, 0).says()).toEqual([
    'CUS-EVT-06 it shows the consent to marketing as true after customer.opted_out.',
  ])
  expect(shows(announce(0, 'opted_in', 0), 2, false, 0).says()).toEqual([
    'CUS-EVT-05 it shows the consent to marketing as false after customer.opted_in.',
  ])
  expect(shows(announce(0, 'opted_out', 0), 2, true, 1).says()).toEqual([])
})

/** Transactions with their orders, as a list shows them. */
const lists = (
  from: Traffic,
  at: number,
  ...rows: readonly (readonly [type: string, amount: number, orderId?: string])[]
): Traffic =>
  from.isCalled(at, 'listLoyaltyTransactions', {
    status: 200,
    params: { accountId: 'a1' },
    shows: {
      items: rows.map(([type, amount, orderId], index) => ({
        id: `t${index}`,
        type,
        amount,
        orderId,
      })),
    },
  })

const earned = ['earn', 100, 'o0'] as const
const burned = ['burn', -60, 'o1'] as const

test('[LOY-EVR-03] a transaction that a list has more than the one before is announced', () => {
  const start = (): Traffic =>
    lists(
      traffic().account(0, 100).event(1, 'loyalty.points_accrued', { orderId: 'o0' }),
      2,
      earned,
    )
  const later = (from: Traffic): readonly string[] =>
    from.event(50, 'loyalty.points_pending', { orderId: 'o9' }).account(51, 40).says()
  expect(later(lists(start().redemption(3, 'o1'), 5, earned, burned))).toEqual([
    'LOY-EVR-03 it lists another transaction of type burn, and no loyalty.points_redeemed tells it.',
  ])
  // The event comes late, or names no order; or the service is the one of an order that nobody names.
  const heard = (at: number, payload: object): Traffic =>
    lists(start().redemption(3, 'o1'), 5, earned, burned).event(
      at,
      'loyalty.points_redeemed',
      payload,
    )
  expect(later(heard(4, { orderId: 'o1' }))).toEqual([])
  expect(later(heard(4, {}))).toEqual([])
  expect(later(heard(20, { orderId: 'o1' }))).toEqual([])
  expect(later(heard(20, {}))).toEqual([])
  expect(later(lists(start(), 5, earned, ['burn', -60]))).toEqual([])
})

test('[LOY-EVT-06] points that are back by an event are back in list and balance', () => {
  const back = (): Traffic => redeemed().event(10, 'loyalty.redemption_reversed', { orderId: 'o1' })
  expect(lists(back().account(45, 40), 46, earned, burned).account(47, 40).says()).toEqual([
    'LOY-EVT-06 it emits loyalty.redemption_reversed, and list and balance have the points as spent.',
  ])
  const returned = ['adjust', 60, 'o1'] as const
  expect(
    lists(back().account(45, 100), 46, earned, burned, returned).account(47, 100).says(),
  ).toEqual([])
  // So soon that it may not show yet; or given back by a transaction that names no order.
  expect(lists(back().account(11, 40), 12, earned, burned).account(13, 40).says()).toEqual([])
  const nameless = [earned, burned, ['adjust', 60]] as const
  expect(
    lists(back().account(45, 100), 46, ...nameless)
      .account(47, 100)
      .says(),
  ).toEqual([])
})

test('[LOY-EVT-02] [LOY-EVT-05] list and balance change by the same, whatever they began with', () => {
  const listed = (
    from: Traffic,
    at: number,
    points: number,
    ...rows: Parameters<typeof lists>[2][]
  ) => lists(from.account(at, points), at + 1, ...rows).account(at + 2, points)
  const before = (): Traffic => listed(traffic(), 0, 100, earned)
  const more = ['earn', 30, 'o2'] as const
  const told = (from: Traffic): Traffic =>
    from.event(9, 'loyalty.points_accrued', { orderId: 'o2' })
  const blamed = (from: Traffic): readonly string[] =>
    from.says().filter((each) => !each.startsWith('('))
  expect(blamed(listed(told(before()), 10, 130, earned, more))).toEqual([])
  expect(blamed(listed(told(before()), 10, 100, earned, more))).toEqual([
    'LOY-EVT-02 it lists a transaction of type earn that its balance does not have.',
  ])
  expect(blamed(listed(before(), 10, 40, earned))).toEqual([
    'LOY-EVT-05 its balance changes by -60, and its transactions by 0.',
  ])
  // Points that it had before its list began are no difference.
  expect(blamed(listed(told(listed(traffic(), 0, 500, earned)), 10, 530, earned, more))).toEqual([])
})

test('[CUS-EVT-02] an event that comes again earns nothing again', () => {
  const parts = (id: string): Parts => ({
    body: { event: { eventId: id, eventType: 'order.completed', payload: { orderId: 'o1' } } },
  })
  const accrues = (from: Traffic, at: number, points = 100): Traffic =>
    from.event(at, 'loyalty.points_accrued', { orderId: 'o1', points })
  const first = (): Traffic => accrues(traffic().order(0, 'o1', 'order.completed', parts('e')), 1)
  const again = (): Traffic => first().order(5, 'o1', 'order.completed', parts('e'))
  expect(again().says()).toEqual([])
  expect(accrues(again(), 6).says()).toEqual([
    'CUS-EVT-02 an event that came again has earned the points of its order again.',
  ])
  // Other points of the order; points for another event; an event that came before it was repeated.
  expect(accrues(again(), 6, 20).says()).toEqual([])
  expect(accrues(first().order(5, 'o1', 'order.completed', parts('f')), 6).says()).toEqual([])
  expect(accrues(first(), 3).order(5, 'o1', 'order.completed', parts('e')).says()).toEqual([])
})

test('[CUS-ERR-04] an id that is made up is found nowhere', () => {
  const reads = (accountId: string, status: number): readonly string[] =>
    traffic()
      .isCalled(0, 'getLoyaltyAccountById', { status, params: { accountId }, shows: {} })
      .says()
      .filter((each) => each.startsWith('CUS-ERR-04'))
  const madeUp = '00000000-0000-4000-8000-0123456789ab'
  expect(reads(madeUp, 404)).toEqual([])
  expect(reads(madeUp, 400)).toEqual([])
  expect(reads('a1', 200)).toEqual([])
  expect(reads(madeUp, 200)).toEqual([
    'CUS-ERR-04 it answered 200, not 404, to getLoyaltyAccountById by an id that nothing has.',
  ])
})
