/** Our Ordering Application as a client of Loyalty, against a scripted host. */
import { expect, test } from 'vitest'
import {
  type LoyaltyPartner,
  loyaltyHostOperations,
  openLoyaltyPartner,
  type LoyaltyPartnerOptions,
} from '../../../test/support/scripted-loyalty-host.ts'

const customerId = 'customer-1'
const rewards = [
  { id: 'tea', programId: 'club', name: 'Chá', cost: 30 },
  { id: 'dinner', programId: 'club', name: 'Jantar', cost: 500 },
  { id: 'gone', programId: 'club', name: 'Acabou', cost: 1, available: false },
  { id: 'other', programId: 'other', name: 'Outro', cost: 1 },
]

/** A host with one account, and an application that reads the accounts of every customer who orders. */
function openWith(points: number, more: LoyaltyPartnerOptions = {}): Promise<LoyaltyPartner> {
  const accounts = [{ id: 'a-1', customerId, programId: 'club', status: 'ACTIVE', points }]
  return openLoyaltyPartner({ accounts, rewards, ...more })
}

/** Places orders until the application has made so many reads. */
async function looked(partner: LoyaltyPartner, times: number): Promise<void> {
  for (let count = 1; partner.facts('reward.accounts-read').length < times; count++) {
    if (count > 100) throw new Error('the application never looks')
    await partner.order(`order-${count}`)
    await partner.pass(20_000)
  }
}

const event = (eventId: string, eventType = 'loyalty.points_accrued') => ({
  event: {
    eventId,
    eventType,
    entityType: 'loyalty',
    occurredAt: '2026-01-05T15:00:00.000Z',
    payload: {
      customerId,
      accountId: 'a-1',
      programId: 'club',
      points: 5,
      relatedOrderId: 'order-1',
    },
  },
})

test('[LOY-MAP-01, LOY-MAP-02, LOY-GEN-01] it reads programs and rewards, and the accounts of a customer who orders', async () => {
  await using partner = await openWith(0)
  expect(partner.pathsOf('GET')).toEqual(['/loyalty/programs', '/loyalty/rewards'])
  await looked(partner, 1)
  expect(partner.pathsOf('GET').at(-1)).toBe(`/customers/${customerId}/loyalty-accounts`)
  expect(partner.pathsOf('POST')).toEqual([])
})

test('[LOY-MAP-01, LOY-MAP-02] it calls only what the host declares', async () => {
  await using silent = await openWith(100, { declares: ['listCustomers'] })
  for (let count = 1; count <= 6; count++) await silent.order(`order-${count}`)
  expect(await silent.push(event('e-1'))).toBe(204)
  await silent.pass(60_000)
  expect(silent.calls).toEqual([])
  const refused = await silent.session.submit({ kind: 'reward.read', what: 'rewards' })
  expect(refused.ok).toBe(false)

  const without = loyaltyHostOperations.filter((name) => name !== 'createLoyaltyRedemption')
  await using shy = await openWith(100, { declares: without })
  await looked(shy, 3)
  expect(shy.pathsOf('POST')).toEqual([])
})

test('[LOY-FLW-01, LOY-FLW-02, LOY-FLW-03, LOY-UND-05] it redeems what the balance covers, for the current order', async () => {
  await using partner = await openWith(100)
  await looked(partner, 1)
  const [call, ...others] = partner.calls.filter(({ method }) => method === 'POST')
  expect(others).toEqual([])
  expect(call?.path).toBe('/loyalty/redemptions')
  expect(call?.json).toEqual({
    accountId: 'a-1',
    rewardId: 'tea',
    relatedOrderId: partner.facts('reward.accounts-read')[0]?.orderId,
  })
  expect(partner.facts('reward.accepted')).toHaveLength(1)

  await using byCustomer = await openWith(100, {
    conduct: { loyalty: { redemptionBody: 'customer' } },
  })
  await looked(byCustomer, 1)
  expect(byCustomer.calls.find(({ method }) => method === 'POST')?.json).toMatchObject({
    customerId,
    programId: 'club',
    rewardId: 'tea',
    points: 30,
    orderId: expect.any(String),
  })
})

test('[LOY-PRM-03] it does not redeem from an insufficient balance, or an account that is SUSPENDED', async () => {
  const accounts = [{ id: 'a-1', customerId, programId: 'club', status: 'SUSPENDED', points: 900 }]
  for (const more of [{ accounts }, {}]) {
    await using partner = await openWith(29, more)
    await looked(partner, 3)
    expect(partner.pathsOf('POST')).toEqual([])
  }
})

test('it does not redeem for an order that is final by the time of its read', async () => {
  await using partner = await openWith(100, {
    counterparts: { 'ordering-application': { behaviour: 'slow' } },
  })
  for (let count = 1; partner.facts('reward.accounts-read').length < 2; count++) {
    await partner.order(`order-${count}`)
    await partner.session.submit({
      kind: 'order.apply',
      orderId: `order-${count}`,
      trigger: 'cancel',
    })
    await partner.pass(20_000)
  }
  expect(partner.pathsOf('POST')).toEqual([])
})

test('[LOY-RUL-01] a hostile one redeems more than the balance, and twice; a 409 ends it', async () => {
  await using partner = await openWith(100, {
    counterparts: { 'ordering-application': { behaviour: 'hostile' } },
    replyTo: ({ method, path, json }) =>
      method === 'POST' && path === '/loyalty/redemptions' && Number(json?.['quantity'] ?? 1) > 1
        ? { status: 409, body: {} }
        : undefined,
  })
  await looked(partner, 12)
  const asked = partner.calls.filter(({ method }) => method === 'POST')
  const tooMuch = asked.filter(({ json }) => json?.['quantity'] === 4)
  expect(tooMuch.length).toBeGreaterThan(1)
  const forOneOrder = Map.groupBy(asked, ({ json }) => json?.['relatedOrderId'])
  expect([...forOneOrder.values()].some((calls) => calls.length === 2)).toBe(true)
  for (const calls of forOneOrder.values()) {
    expect(calls.length).toBeLessThanOrEqual(2)
    expect(new Set(calls.map(({ headers }) => headers['x-request-id'])).size).toBe(calls.length)
  }
  const refused = partner.facts('reward.refused')
  expect(refused).toHaveLength(tooMuch.length)
  expect(refused[0]).toMatchObject({ what: 'redemption', because: 'answered 409' })
})

test('a redemption without an answer is retried under the same X-Request-Id', async () => {
  let failures = 2
  await using partner = await openWith(100, {
    replyTo: ({ method, path }) =>
      method === 'POST' && path === '/loyalty/redemptions' && failures-- > 0
        ? { status: 503 }
        : undefined,
  })
  await looked(partner, 1)
  const asked = partner.calls.filter(({ method }) => method === 'POST')
  expect(asked).toHaveLength(3)
  expect(new Set(asked.map(({ headers }) => headers['x-request-id'])).size).toBe(1)
  expect(partner.facts('reward.accepted')).toHaveLength(1)
  expect(partner.facts('reward.refused')).toEqual([])
})

test('[LOY-UND-04] it accepts events at its webhook and under the paths of Customer, each once, and reads the account again', async () => {
  await using partner = await openWith(7)
  const before = partner.calls.length
  const paths = [
    '/webhooks/loyalty',
    '/webhooks/loyalty',
    '/customer/loyalty/events',
    '/customer/v1/customer/loyalty/events',
  ]
  for (const path of paths)
    expect([path, await partner.push(event('e-1'), path)]).toEqual([path, 204])
  await partner.pass(5000)
  expect(partner.facts('reward.heard')).toHaveLength(1)
  expect(partner.facts('reward.event-repeated')).toHaveLength(3)
  expect(partner.facts('reward.heard')[0]).toMatchObject({ eventId: 'e-1', orderId: 'order-1' })
  const reads = partner.calls.slice(before).filter(({ path }) => path === '/loyalty/accounts/a-1')
  expect(reads).toHaveLength(1)
  expect(partner.facts('reward.account-read')[0]?.account.summary.pointsAvailable).toBe(7)
})

test('[LOY-UND-06] flat and wrapped events, of unknown types and with any payload, are accepted', async () => {
  await using partner = await openWith(7)
  const occurredAt = '2026-01-05T15:00:00.000Z'
  for (const body of [
    { id: 'f-1', eventType: 'loyalty.points_redeemed', occurredAt, accountId: 'a-1', payload: {} },
    {
      event: { eventId: 'f-2', eventType: 'loyalty.tier_changed', occurredAt, payload: { a: [1] } },
    },
    { event: { eventType: 'loyalty.coupon_applied', occurredAt, payload: { couponCode: 'X' } } },
    { event: { eventType: 'loyalty.coupon_applied', occurredAt, payload: { couponCode: 'X' } } },
  ])
    expect(await partner.push(body)).toBe(204)
  expect(partner.facts('reward.heard')).toHaveLength(3)
  expect(partner.facts('reward.event-repeated')).toHaveLength(1)
  expect(await partner.push({ event: { eventType: 'x' } })).toBe(400)
})

test('[LOY-MAP-01, LOY-MAP-02, LOY-FLW-04] it occasionally reads transactions and coupons', async () => {
  await using partner = await openWith(7)
  for (let count = 1; count <= 20; count++) {
    await partner.push(event(`e-${count}`))
    await partner.pass(1000)
  }
  const paths = new Set(partner.pathsOf('GET'))
  expect(paths).toContain('/loyalty/accounts/a-1/transactions')
  expect(paths).toContain('/loyalty/coupons')
  const lists = partner.facts('reward.list-read')
  expect(lists.find(({ what }) => what === 'transactions')).toMatchObject({ count: 2, sum: 10 })
  expect(partner.calls.find(({ path }) => path === '/loyalty/coupons')?.query).toEqual({
    customerId,
  })
})

test('an invalid answer is reported in a sentence, and stops that sequence', async () => {
  await using partner = await openWith(100, {
    replyTo: ({ path }) =>
      path.startsWith('/customers/')
        ? { status: 200, body: { items: [{ customerId, programId: 'club', summary: {} }] } }
        : undefined,
  })
  for (let count = 1; partner.facts('reward.refused').length === 0; count++) {
    await partner.order(`order-${count}`)
    await partner.pass(20_000)
  }
  expect(partner.facts('reward.refused')[0]?.because).toMatch(
    /^the answer is invalid at items\.0\.summary\.pointsAvailable/,
  )
  expect(partner.pathsOf('POST')).toEqual([])
})

type Entry = Readonly<Record<string, unknown>>
const forms: readonly (readonly [
  name: string,
  form: (entries: readonly Entry[], own: string) => unknown,
])[] = [
  ['bare', (entries) => entries],
  ['under a name of its own', (entries, own) => ({ total: entries.length, [own]: entries })],
  ['under items', (entries) => ({ items: entries })],
]
const costNames = [
  'cost',
  'pointsCost',
  'costInPoints',
  'pointsRequired',
  'requiredPoints',
  'points',
]

test.each(forms.flatMap(([name, form]) => costNames.map((cost) => ({ name, form, cost }))))(
  '[CUS-UND-04, LOY-UND-01] lists are read $name, and what a reward costs as $cost',
  async ({ form, cost }) => {
    const summary = { pointsAvailable: 100, pointsPending: 0, pointsExpiringSoon: 0 }
    const replies: Readonly<Record<string, unknown>> = {
      '/loyalty/rewards': form([{ rewardId: 'tea', programId: 'club', [cost]: 30 }], 'rewards'),
      [`/customers/${customerId}/loyalty-accounts`]: form(
        [{ accountId: 'a-9', customerId, programId: 'club', summary }],
        'loyaltyAccounts',
      ),
    }
    await using partner = await openWith(0, {
      replyTo: ({ path }) => (path in replies ? { status: 200, body: replies[path] } : undefined),
    })
    await looked(partner, 1)
    const asked = partner.calls.find(({ method }) => method === 'POST')
    expect(asked?.json).toMatchObject({ accountId: 'a-9', rewardId: 'tea' })
    expect(partner.facts('reward.cost-missing')).toEqual([])
  },
)

test('[LOY-UND-01] a reward without a cost is asked for it by name, and is not redeemed', async () => {
  const rewardsOfHost = [
    { id: 'tea', programId: 'club', price: { value: 5, currency: 'BRL' } },
    { id: 'cake', programId: 'club', points: '30' },
  ]
  await using partner = await openWith(100, { rewards: rewardsOfHost })
  await looked(partner, 2)
  expect(partner.pathsOf('POST')).toEqual([])
  const { journal } = await partner.session.look({ journal: { limit: 1000 } })
  expect(
    journal.filter(({ kind }) => kind === 'reward.cost-missing').map(({ text }) => text),
  ).toEqual([
    'no cost is found in rewards tea, cake, and without one they are not redeemed: give it in points, as cost or pointsCost or costInPoints or pointsRequired or requiredPoints or points',
  ])
})

test('what was read of the CRM is listed, and shown with its history and what may be called', async () => {
  let status = 'ACTIVE'
  const coupon = { code: 'C-1', type: 'discount', status: 'available', customerId, value: 5 }
  await using partner = await openWith(40, {
    replyTo: ({ path }) => {
      const summary = { pointsAvailable: 40, pointsPending: 10, pointsExpiringSoon: 0 }
      const account = { id: 'a-1', customerId, programId: 'club', status, summary }
      if (path.endsWith('/loyalty-accounts')) return { status: 200, body: { accounts: [account] } }
      if (path === '/loyalty/accounts/a-1') return { status: 200, body: account }
      if (path === '/loyalty/coupons') return { status: 200, body: [coupon] }
      return undefined
    },
  })
  const { session } = partner
  const rows = async (kind: 'loyalty-account' | 'coupon') =>
    (await session.look({ entities: { kind, limit: 9 } })).entities
  expect(await rows('loyalty-account')).toEqual([])
  for (const next of ['ACTIVE', 'ACTIVE', 'SUSPENDED']) {
    status = next
    await session.submit({ kind: 'reward.read', what: 'accounts', customerId })
    await session.submit({ kind: 'reward.read', what: 'coupons', customerId })
    await partner.pass(1000)
  }
  expect(await rows('loyalty-account')).toMatchObject([
    { id: 'a-1', status: 'SUSPENDED', text: '40 points, 10 pending in club' },
  ])
  expect(await rows('coupon')).toMatchObject([
    { id: 'C-1', label: 'C-1', status: 'available', text: `discount 5.00 for ${customerId}` },
  ])
  const { entity } = await session.look({ entity: { kind: 'loyalty-account', id: 'a-1' } })
  expect(entity?.statusHistory.map((step) => step.status)).toEqual(['ACTIVE', 'SUSPENDED'])
  expect(entity?.moves.map(({ trigger, invalid }) => [trigger, invalid])).toEqual([
    ['read again', undefined],
    ['read transactions', undefined],
    ['read coupons', undefined],
    ['redeem Chá', 'the account is SUSPENDED'],
    ['redeem Jantar', 'the account is SUSPENDED'],
    ['redeem Acabou', 'the account is SUSPENDED'],
  ])

  const redeem = { kind: 'reward.redeem', accountId: 'a-1', rewardId: 'tea' } as const
  await session.submit(redeem)
  await partner.pass(1000)
  await partner.push(event('e-1', 'loyalty.points_redeemed'))
  await partner.pass(1000)
  const story = async (text: string) => (await session.look({ explain: text })).explanation
  const explanation = await story('a-1')
  expect(explanation?.about).toEqual({ kind: 'loyalty-account', id: 'a-1' })
  expect(explanation?.title).toBe(
    `${customerId} (loyalty account a-1): SUSPENDED, 40 points, 10 pending in club`,
  )
  const texts = explanation?.lines.map(({ text }) => text.replace(/#\d+/, '#'))
  const read = 'the Ordering Application calls listCustomerLoyaltyAccounts (#): 200'
  expect(texts?.slice(0, 5)).toEqual([
    `${read}, ACTIVE, 40 points available`,
    `${read}, ACTIVE, 40 points available`,
    `${read}, SUSPENDED, 40 points available`,
    'the Ordering Application calls createLoyaltyRedemption (#): 202',
    'your service sends loyalty.points_redeemed (#): 204, 5 points',
  ])
  expect(explanation?.conclusion[0]).toBe('Its statuses: ACTIVE > SUSPENDED.')
  expect((await story('C-1'))?.lines.map(({ text }) => text.replace(/#\d+/, '#'))).toEqual(
    Array.from(
      { length: 3 },
      () => 'the Ordering Application calls listLoyaltyCoupons (#): 200, available',
    ),
  )
  expect(await story('a-2')).toBeUndefined()
})

test('a host that spends nothing and announces everything does not keep it busy without end', async () => {
  const pushes: unknown[] = []
  await using partner = await openWith(1_000_000, {
    replyTo: ({ method, path, headers }) => {
      if (method === 'POST' && path === '/loyalty/redemptions') pushes.push(headers['x-request-id'])
      return undefined
    },
  })
  await partner.order('order-1')
  await partner.order('order-2')
  for (let round = 0; round < 10; round++) {
    await partner.push(event(`e-${round}`, 'loyalty.points_redeemed'))
    await partner.pass(10_000)
  }
  await partner.session.settle()
  expect(pushes.length).toBeLessThanOrEqual(2)
})
