/** Points adjusted by command and expired by time; limits of lots and transactions. */
import { expect, test } from 'vitest'
import { loyaltyHost } from '../../partners/counterparts/loyalty-host.ts'
import {
  loyaltyTranscript,
  type LoyaltyTranscript,
  type LoyaltyTranscriptOptions,
  orderNotification,
} from '../../../../test/support/loyalty-transcript.ts'
import { loyaltyAccountView } from './views.ts'
import { loyaltyBounds } from './world.ts'

const hour = 3_600_000

function enrolled(options: LoyaltyTranscriptOptions = {}): LoyaltyTranscript {
  const transcript = loyaltyTranscript({ reactors: [loyaltyHost('prompt')], ...options })
  return transcript.given({ kind: 'loyalty.enroll', customerId: 'ana', programId: 'club' })
}

const adjust = (transcript: LoyaltyTranscript, points: number) =>
  ({ kind: 'loyalty.adjust', accountId: transcript.account().id, points }) as const

const summary = (transcript: LoyaltyTranscript): readonly [number, number, number] => {
  const { pointsAvailable, pointsPending, pointsExpiringSoon } = loyaltyAccountView(
    transcript.account(),
  ).summary
  return [pointsAvailable, pointsPending, pointsExpiringSoon]
}

test('[LOY-ACC-01] a new account is ENROLLED, without a transaction', () => {
  const transcript = enrolled()
  expect(transcript.account()).toMatchObject({ status: 'ENROLLED', balance: 0 })
  expect(transcript.host.transactions.get(transcript.account().id)).toEqual([])
})

test('[LOY-REC-03, LOY-ACC-02] points are adjusted by command in both directions, never below zero', () => {
  const transcript = enrolled().given()
  transcript.given(adjust(transcript, 30))
  expect(transcript.account()).toMatchObject({ status: 'ACTIVE', balance: 30 })
  expect(transcript.refusal(adjust(transcript, -31)).code).toBe('INSUFFICIENT_BALANCE')
  transcript.given(adjust(transcript, -30), adjust(transcript, 0))
  expect(transcript.account().balance).toBe(0)
  const all = transcript.host.transactions.get(transcript.account().id)!
  expect(all.map(({ type, amount }) => [type, amount])).toEqual([
    ['adjust', 30],
    ['adjust', -30],
  ])
  expect(transcript.types()).toEqual(['account_linked', 'points_accrued', 'points_accrued'])
  transcript.given({
    kind: 'loyalty.move-account',
    accountId: transcript.account().id,
    trigger: 'suspension',
  })
  expect(transcript.refusal(adjust(transcript, 1)).code).toBe('LOYALTY_ACCOUNT_SUSPENDED')
})

test('[LOY-EVT-04] points expire by command, all available ones or a given number; reserved points stay', () => {
  const transcript = enrolled()
  const { id: accountId } = transcript.account()
  transcript.given(adjust(transcript, 100))
  transcript.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  expect(transcript.refusal({ kind: 'loyalty.expire', accountId, points: 71 }).code).toBe(
    'INSUFFICIENT_BALANCE',
  )
  transcript.given({ kind: 'loyalty.expire', accountId, points: 20 })
  transcript.given({ kind: 'loyalty.expire', accountId })
  expect(transcript.refusal({ kind: 'loyalty.expire', accountId }).code).toBe(
    'INSUFFICIENT_BALANCE',
  )
  const expired = transcript.events().filter(({ eventType }) => eventType.endsWith('expired'))
  expect(expired.map(({ payload }) => [payload['points'], payload['balance']])).toEqual([
    [20, 50],
    [50, 0],
  ])
  const burnt = transcript.host.transactions.get(accountId)!.filter(({ type }) => type === 'expire')
  expect(burnt.map(({ amount }) => amount)).toEqual([-20, -50])
  transcript.pass(1000)
  expect(transcript.account()).toMatchObject({ balance: 0, reserved: 0 })
  expect(transcript.coupons()).toHaveLength(1)
})

test('[LOY-EVT-04, LOY-REC-02] points with pointsLife count as expiring soon near their end, then expire', () => {
  const transcript = enrolled({ loyalty: { pointsLife: '10h', expiringSoon: '2h' } })
  transcript.given(orderNotification('a', 'completed')).pass(hour)
  transcript.given(orderNotification('b', 'completed'))
  expect(summary(transcript)).toEqual([100, 0, 0])
  transcript.pass(7 * hour)
  expect(summary(transcript)).toEqual([100, 0, 50])
  transcript.pass(hour)
  expect(summary(transcript)).toEqual([100, 0, 100])
  transcript.pass(hour)
  expect(summary(transcript)).toEqual([50, 0, 50])
  transcript.pass(hour)
  expect(summary(transcript)).toEqual([0, 0, 0])
  expect(transcript.types().slice(-2)).toEqual(['points_expired', 'points_expired'])
  expect(transcript.sum(transcript.account().id)).toBe(0)
  expect(transcript.engine.world.agenda.byId.size).toBe(0)
})

test('the oldest points are spent first, and spent points do not expire', () => {
  const transcript = enrolled({
    loyalty: { pointsLife: '10h', expiringSoon: '24h', pointsPerOrder: 40 },
  })
  const { id: accountId } = transcript.account()
  transcript.given(orderNotification('a', 'completed')).pass(hour)
  transcript.given(orderNotification('b', 'completed'))
  transcript.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  transcript.pass(9 * hour)
  // 30 of the first 40 points were spent; 10 expired.
  expect(summary(transcript)).toEqual([40, 0, 40])
  expect(transcript.events().at(-1)?.payload).toMatchObject({ points: 10 })
})

test('points reserved by a redemption do not expire', () => {
  const transcript = enrolled({
    loyalty: { pointsLife: '1h', expiringSoon: '10m' },
    reactors: [loyaltyHost('slow')],
  })
  const { id: accountId } = transcript.account()
  transcript.given(adjust(transcript, 30)).pass(hour - 1000)
  transcript.given({ kind: 'loyalty.redeem', request: { accountId, rewardId: 'coffee' } })
  transcript.pass(hour)
  expect(transcript.types()).toEqual(['account_linked', 'points_accrued', 'points_redeemed'])
  expect(transcript.account()).toMatchObject({ balance: 0, reserved: 0, lots: [] })
})

test('points never expire by time with pointsLife 0', () => {
  const transcript = enrolled().given(orderNotification('a', 'completed'))
  expect(transcript.engine.world.agenda.byId.size).toBe(0)
  expect(summary(transcript)).toEqual([50, 0, 0])
})

test('a coupon expires after couponLife, unless used before', () => {
  const transcript = enrolled({ loyalty: { couponLife: '1h' } })
  const { id: accountId } = transcript.account()
  for (const type of ['discount', 'free_item'] as const)
    transcript.given({ kind: 'loyalty.grant-coupon', accountId, type })
  const [first, second] = transcript.coupons()
  transcript.given({
    kind: 'loyalty.move-coupon',
    couponId: first!.id,
    trigger: 'use',
    orderId: 'o',
  })
  transcript.pass(hour)
  expect(transcript.host.coupons.get(first!.id)?.status).toBe('used')
  expect(transcript.host.coupons.get(second!.id)?.status).toBe('expired')
})

test('the list of transactions is limited, and its sum stays the balance', () => {
  const transcript = enrolled()
  const { id: accountId } = transcript.account()
  for (let count = 1; count <= loyaltyBounds.transactions + 200; count++)
    transcript.given(adjust(transcript, count % 3 === 0 ? -1 : 2))
  const all = transcript.host.transactions.get(accountId)!
  expect(all).toHaveLength(loyaltyBounds.transactions)
  expect(transcript.sum(accountId)).toBe(transcript.account().balance)
  expect(all[0]).toMatchObject({
    type: 'adjust',
    metadata: { reason: 'carried_forward', transactions: 201 },
  })
  expect(transcript.account().balance).toBeGreaterThan(0)
})

test('lots are limited: the two oldest are merged, and no point is lost or expires twice', () => {
  const transcript = enrolled({ loyalty: { pointsLife: '10h', expiringSoon: '0' } })
  for (let count = 0; count < loyaltyBounds.lots + 20; count++)
    transcript.given(adjust(transcript, 1)).pass(1000)
  const { lots, balance } = transcript.account()
  expect(lots).toHaveLength(loyaltyBounds.lots)
  expect(lots.reduce((sum, { left }) => sum + left, 0)).toBe(balance)
  transcript.pass(11 * hour)
  expect(transcript.account()).toMatchObject({ balance: 0, lots: [] })
  expect(transcript.sum(transcript.account().id)).toBe(0)
})
