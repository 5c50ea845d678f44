/** Points adjusted by command and expired by time; limits of lots and transactions. */
import { expect, test } from 'vitest'
import { loyaltyHost } from '../../counterparts/loyalty-host.ts'
import {
  loyaltyTold,
  type LoyaltyTold,
  type LoyaltyToldOptions,
  news,
} from '../../../test/support/loyalty-transcript.ts'
import { accountView } from './views.ts'
import { loyaltyBounds } from './world.ts'

const hour = 3_600_000

function enrolled(options: LoyaltyToldOptions = {}): LoyaltyTold {
  const told = loyaltyTold({ reactors: [loyaltyHost('prompt')], ...options })
  return told.given({ kind: 'loyalty.enroll', customerId: 'ana', programId: 'club' })
}

const adjust = (told: LoyaltyTold, points: number) =>
  ({ kind: 'loyalty.adjust', accountId: told.account().id, points }) as const

const summary = (told: LoyaltyTold): readonly [number, number, number] => {
  const { pointsAvailable, pointsPending, pointsExpiringSoon } = accountView(told.account()).summary
  return [pointsAvailable, pointsPending, pointsExpiringSoon]
}

test('[LOY-ACC-01] a new account is ENROLLED, without a transaction', () => {
  const told = enrolled()
  expect(told.account()).toMatchObject({ status: 'ENROLLED', balance: 0 })
  expect(told.host.transactions.get(told.account().id)).toEqual([])
})

test('[LOY-REC-03, LOY-ACC-02] points are adjusted by command in both directions, never below zero', () => {
  const told = enrolled().given()
  told.given(adjust(told, 30))
  expect(told.account()).toMatchObject({ status: 'ACTIVE', balance: 30 })
  expect(told.refusal(adjust(told, -31)).code).toBe('INSUFFICIENT_BALANCE')
  told.given(adjust(told, -30), adjust(told, 0))
  expect(told.account().balance).toBe(0)
  const all = told.host.transactions.get(told.account().id)!
  expect(all.map(({ type, amount }) => [type, amount])).toEqual([
    ['adjust', 30],
    ['adjust', -30],
  ])
  expect(told.types()).toEqual(['account_linked', 'points_accrued', 'points_accrued'])
  told.given({
    kind: 'loyalty.move-account',
    accountId: told.account().id,
    trigger: 'suspension',
  })
  expect(told.refusal(adjust(told, 1)).code).toBe('LOYALTY_ACCOUNT_SUSPENDED')
})

test('[LOY-EVT-04] points expire by command, all available ones or a given number; reserved points stay', () => {
  const told = enrolled()
  const { id: accountId } = told.account()
  told.given(adjust(told, 100))
  told.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  expect(told.refusal({ kind: 'loyalty.expire', accountId, points: 71 }).code).toBe(
    'INSUFFICIENT_BALANCE',
  )
  told.given({ kind: 'loyalty.expire', accountId, points: 20 })
  told.given({ kind: 'loyalty.expire', accountId })
  expect(told.refusal({ kind: 'loyalty.expire', accountId }).code).toBe('INSUFFICIENT_BALANCE')
  const expired = told.events().filter(({ eventType }) => eventType.endsWith('expired'))
  expect(expired.map(({ payload }) => [payload['points'], payload['balance']])).toEqual([
    [20, 50],
    [50, 0],
  ])
  const burnt = told.host.transactions.get(accountId)!.filter(({ type }) => type === 'expire')
  expect(burnt.map(({ amount }) => amount)).toEqual([-20, -50])
  told.pass(1000)
  expect(told.account()).toMatchObject({ balance: 0, reserved: 0 })
  expect(told.coupons()).toHaveLength(1)
})

test('[LOY-EVT-04, LOY-REC-02] points with pointsLife count as expiring soon near their end, then expire', () => {
  const told = enrolled({ loyalty: { pointsLife: '10h', expiringSoon: '2h' } })
  told.given(news('a', 'completed')).pass(hour)
  told.given(news('b', 'completed'))
  expect(summary(told)).toEqual([100, 0, 0])
  told.pass(7 * hour)
  expect(summary(told)).toEqual([100, 0, 50])
  told.pass(hour)
  expect(summary(told)).toEqual([100, 0, 100])
  told.pass(hour)
  expect(summary(told)).toEqual([50, 0, 50])
  told.pass(hour)
  expect(summary(told)).toEqual([0, 0, 0])
  expect(told.types().slice(-2)).toEqual(['points_expired', 'points_expired'])
  expect(told.sum(told.account().id)).toBe(0)
  expect(told.engine.world.agenda.byId.size).toBe(0)
})

test('the oldest points are spent first, and spent points do not expire', () => {
  const told = enrolled({ loyalty: { pointsLife: '10h', expiringSoon: '24h', pointsPerOrder: 40 } })
  const { id: accountId } = told.account()
  told.given(news('a', 'completed')).pass(hour)
  told.given(news('b', 'completed'))
  told.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  told.pass(9 * hour)
  // 30 of the first 40 points were spent; 10 expired.
  expect(summary(told)).toEqual([40, 0, 40])
  expect(told.events().at(-1)?.payload).toMatchObject({ points: 10 })
})

test('points reserved by a redemption do not expire', () => {
  const told = enrolled({
    loyalty: { pointsLife: '1h', expiringSoon: '10m' },
    reactors: [loyaltyHost('slow')],
  })
  const { id: accountId } = told.account()
  told.given(adjust(told, 30)).pass(hour - 1000)
  told.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  told.pass(hour)
  expect(told.types()).toEqual(['account_linked', 'points_accrued', 'points_redeemed'])
  expect(told.account()).toMatchObject({ balance: 0, reserved: 0, lots: [] })
})

test('points never expire by time with pointsLife 0', () => {
  const told = enrolled().given(news('a', 'completed'))
  expect(told.engine.world.agenda.byId.size).toBe(0)
  expect(summary(told)).toEqual([50, 0, 0])
})

test('a coupon expires after couponLife, unless used before', () => {
  const told = enrolled({ loyalty: { couponLife: '1h' } })
  const { id: accountId } = told.account()
  for (const type of ['discount', 'free_item'] as const)
    told.given({ kind: 'loyalty.grant-coupon', accountId, type })
  const [first, second] = told.coupons()
  told.given({ kind: 'loyalty.move-coupon', couponId: first!.id, trigger: 'use', orderId: 'o' })
  told.pass(hour)
  expect(told.host.coupons.get(first!.id)?.status).toBe('used')
  expect(told.host.coupons.get(second!.id)?.status).toBe('expired')
})

test('the list of transactions is limited, and its sum stays the balance', () => {
  const told = enrolled()
  const { id: accountId } = told.account()
  for (let count = 1; count <= loyaltyBounds.transactions + 200; count++)
    told.given(adjust(told, count % 3 === 0 ? -1 : 2))
  const all = told.host.transactions.get(accountId)!
  expect(all).toHaveLength(loyaltyBounds.transactions)
  expect(told.sum(accountId)).toBe(told.account().balance)
  expect(all[0]).toMatchObject({
    type: 'adjust',
    metadata: { reason: 'carried_forward', transactions: 201 },
  })
  expect(told.account().balance).toBeGreaterThan(0)
})

test('lots are limited: the two oldest are merged, and no point is lost or expires twice', () => {
  const told = enrolled({ loyalty: { pointsLife: '10h', expiringSoon: '0' } })
  for (let count = 0; count < loyaltyBounds.lots + 20; count++)
    told.given(adjust(told, 1)).pass(1000)
  const { lots, balance } = told.account()
  expect(lots).toHaveLength(loyaltyBounds.lots)
  expect(lots.reduce((sum, { left }) => sum + left, 0)).toBe(balance)
  told.pass(11 * hour)
  expect(told.account()).toMatchObject({ balance: 0, lots: [] })
  expect(told.sum(told.account().id)).toBe(0)
})
