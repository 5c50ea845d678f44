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
