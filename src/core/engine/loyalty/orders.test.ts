/** Points of orders: pending, earned, rolled back; each order counts once. */
import { compact } from '../../base/compact.ts'
import { expect, test } from 'vitest'
import { loyaltyHost } from '../../partners/counterparts/loyalty-host.ts'
import {
  loyaltyTranscript,
  type LoyaltyTranscript,
  type LoyaltyTranscriptOptions,
  orderNotification,
} from '../../../../test/support/loyalty-transcript.ts'

const processed = 1000

const lively = (options: LoyaltyTranscriptOptions = {}): LoyaltyTranscript =>
  loyaltyTranscript({ reactors: [loyaltyHost('prompt')], ...options })

/** A host with one enrolled customer with this balance. */
function withPoints(points: number, options: LoyaltyTranscriptOptions = {}): LoyaltyTranscript {
  const transcript = lively(options).given({
    kind: 'loyalty.enroll',
    customerId: 'ana',
    programId: 'club',
  })
  const accountId = transcript.account().id
  return points === 0 ? transcript : transcript.given({ kind: 'loyalty.adjust', accountId, points })
}

const redeem = (transcript: LoyaltyTranscript, orderId?: string, rewardId = 'coffee') =>
  ({
    kind: 'loyalty.redeem',
    request: {
      accountId: transcript.account().id,
      rewardId,
      ...compact({ relatedOrderId: orderId }),
    },
  }) as const

test('[LOY-EVR-01, LOY-EVT-02, LOY-EVT-03, LOY-ACC-02] points are pending while the order is open and earned when it is completed, each once', () => {
  const transcript = lively()
  transcript.given(orderNotification('o', 'open'), orderNotification('o', 'open'))
  expect(transcript.types()).toEqual(['account_linked', 'points_pending'])
  expect(transcript.account()).toMatchObject({ status: 'ENROLLED', pending: 50, balance: 0 })
  transcript.given(
    orderNotification('o', 'completed'),
    orderNotification('o', 'completed'),
    orderNotification('o', 'open'),
    orderNotification('o', 'canceled'),
  )
  expect(transcript.types()).toEqual(['account_linked', 'points_pending', 'points_accrued'])
  expect(transcript.account()).toMatchObject({ status: 'ACTIVE', pending: 0, balance: 50 })
  expect(transcript.events().at(-1)?.payload).toMatchObject({
    points: 50,
    balance: 50,
    orderId: 'o',
  })
  const [transaction] = transcript.host.transactions.get(transcript.account().id)!
  expect(transaction).toMatchObject({ type: 'earn', amount: 50, relatedOrderId: 'o' })
})

test('an order first reported as completed earns points without pending ones before', () => {
  const transcript = lively().given(orderNotification('o', 'completed'))
  expect(transcript.types()).toEqual(['account_linked', 'points_accrued'])
  expect(transcript.account()).toMatchObject({ pending: 0, balance: 50 })
})

test('[LOY-EVR-01] out-of-order news: a cancelled order earns nothing, whatever follows', () => {
  const transcript = lively().given(
    orderNotification('o', 'canceled'),
    orderNotification('o', 'open'),
    orderNotification('o', 'completed'),
  )
  expect(transcript.host.accounts.size).toBe(0)
  expect(transcript.types()).toEqual([])
})

test('[LOY-EVR-02, LOY-EVR-03] cancelling an open order removes its pending points, announced with a negative number', () => {
  const transcript = lively().given(
    orderNotification('o', 'open'),
    orderNotification('o', 'canceled'),
    orderNotification('o', 'canceled'),
  )
  expect(transcript.types()).toEqual(['account_linked', 'points_pending', 'points_pending'])
  expect(transcript.events().map(({ payload }) => [payload['points'], payload['pending']])).toEqual(
    [
      [undefined, 0],
      [50, 50],
      [-50, 0],
    ],
  )
  expect(transcript.account()).toMatchObject({ pending: 0, balance: 0, status: 'ENROLLED' })
})

test('[LOY-EVR-02, LOY-EVT-06, LOY-EVT-08] cancelling an order reverses its completed redemption: points return, the coupon is cancelled', () => {
  const transcript = withPoints(100)
  transcript.given(orderNotification('o', 'open'), redeem(transcript, 'o')).pass(processed)
  expect(transcript.account()).toMatchObject({ balance: 70, reserved: 0, pending: 50 })
  expect(transcript.coupons()[0]).toMatchObject({
    status: 'applied',
    orderId: 'o',
    type: 'free_item',
  })
  transcript.given(orderNotification('o', 'canceled'), orderNotification('o', 'canceled'))
  expect(transcript.account()).toMatchObject({ balance: 100, reserved: 0, pending: 0 })
  expect(transcript.coupons()[0]).toMatchObject({ status: 'cancelled' })
  expect(transcript.redemptions()[0]).toMatchObject({ status: 'REVERSED' })
  expect(transcript.types()).toEqual([
    'account_linked',
    'points_accrued',
    'points_pending',
    'points_redeemed',
    'coupon_applied',
    'points_pending',
    'redemption_reversed',
    'coupon_cancelled',
  ])
  const reversed = transcript.events().find(({ eventType }) => eventType.endsWith('reversed'))
  const { id: redemptionId } = transcript.redemptions()[0]!
  expect(reversed?.payload).toMatchObject({
    points: 30,
    balance: 100,
    orderId: 'o',
    redemptionId,
    reason: 'order_canceled',
  })
  expect(transcript.sum(transcript.account().id)).toBe(100)
})

test('[LOY-EVR-02] cancelling an order reverses its pending redemption, and no points are burned', () => {
  const transcript = withPoints(30)
  transcript.given(orderNotification('o', 'open'), redeem(transcript, 'o'))
  expect(transcript.account()).toMatchObject({ balance: 30, reserved: 30 })
  transcript.given(orderNotification('o', 'canceled'))
  expect(transcript.account()).toMatchObject({ balance: 30, reserved: 0 })
  transcript.pass(processed)
  expect(transcript.types()).toEqual([
    'account_linked',
    'points_accrued',
    'points_pending',
    'points_pending',
    'redemption_reversed',
  ])
  expect(transcript.coupons()).toEqual([])
  expect(transcript.refusal(redeem(transcript, 'o')).code).toBe('CONFLICT')
})

test('[LOY-UND-03] cancelling an order releases a coupon of an earlier redemption, or cancels it and returns its points, by couponRollback', () => {
  for (const [couponRollback, status, balance] of [
    ['release', 'available', 70],
    ['cancel', 'cancelled', 100],
  ] as const) {
    const transcript = withPoints(100, { loyalty: { couponRollback } })
    transcript.given(redeem(transcript)).pass(processed)
    const { id: couponId, code } = transcript.coupons()[0]!
    expect(transcript.coupons()[0]).toMatchObject({ status: 'available' })
    transcript.given(orderNotification('o', 'open', { couponCodes: [code, code, 'nobody’s'] }))
    expect(transcript.coupons()[0]).toMatchObject({ status: 'applied', orderId: 'o' })
    transcript.given(orderNotification('o', 'canceled'))
    expect(transcript.host.coupons.get(couponId)?.status).toBe(status)
    expect(transcript.account().balance).toBe(balance)
    const after = transcript.types().slice(transcript.types().lastIndexOf('points_pending') + 1)
    expect(after).toEqual(
      couponRollback === 'release'
        ? ['coupon_cancelled']
        : ['redemption_reversed', 'coupon_cancelled'],
    )
  }
})

test('with couponRollback: cancel a granted coupon is cancelled without returning points', () => {
  const transcript = withPoints(0, { loyalty: { couponRollback: 'cancel' } })
  transcript.given({
    kind: 'loyalty.grant-coupon',
    accountId: transcript.account().id,
    type: 'cashback',
    value: 4,
  })
  const { code } = transcript.coupons()[0]!
  transcript.given(
    orderNotification('o', 'open', { couponCodes: [code] }),
    orderNotification('o', 'canceled'),
  )
  expect(transcript.coupons()[0]?.status).toBe('cancelled')
  expect(transcript.types().at(-1)).toBe('coupon_cancelled')
  expect(transcript.account().balance).toBe(0)
})

test('[LOY-UND-03] a coupon applied to an order is used when the order is completed', () => {
  const transcript = withPoints(60)
  transcript.given(orderNotification('a', 'open'), redeem(transcript, 'a')).pass(processed)
  transcript.given(orderNotification('a', 'completed'))
  expect(transcript.coupons()[0]).toMatchObject({ status: 'used', orderId: 'a' })
  // The redemption completes after its order.
  transcript.given(redeem(transcript, 'a')).pass(processed)
  expect(transcript.coupons()[1]).toMatchObject({ status: 'used', orderId: 'a' })
  // The coupon is named only in the news of completion.
  transcript.given({
    kind: 'loyalty.grant-coupon',
    accountId: transcript.account().id,
    type: 'discount',
  })
  const { code } = transcript.coupons()[2]!
  transcript.given(orderNotification('b', 'completed', { couponCodes: [code] }))
  expect(transcript.coupons()[2]).toMatchObject({ status: 'used', orderId: 'b' })
})

test('another customer’s coupon and a used one are not applied', () => {
  const transcript = withPoints(60)
  transcript.given(redeem(transcript)).pass(processed)
  const { code } = transcript.coupons()[0]!
  transcript.given(orderNotification('b', 'open', { customerId: 'bia', couponCodes: [code] }))
  expect(transcript.coupons()[0]?.status).toBe('available')
  transcript.given(
    orderNotification('a', 'open', { couponCodes: [code] }),
    orderNotification('a', 'completed'),
  )
  transcript.given(orderNotification('c', 'open', { couponCodes: [code] }))
  expect(transcript.coupons()[0]).toMatchObject({ status: 'used', orderId: 'a' })
})

test('cancelling an order does not reverse a redemption whose coupon was used for another order', () => {
  const transcript = withPoints(30)
  transcript.given(orderNotification('o', 'open'), redeem(transcript, 'o')).pass(processed)
  const { id: couponId } = transcript.coupons()[0]!
  transcript.given({ kind: 'loyalty.move-coupon', couponId, trigger: 'release' })
  transcript.given({ kind: 'loyalty.move-coupon', couponId, trigger: 'use', orderId: 'other' })
  transcript.given(orderNotification('o', 'canceled'))
  expect(transcript.account().balance).toBe(0)
  expect(transcript.redemptions()[0]?.status).toBe('COMPLETED')
  const { id: redemptionId } = transcript.redemptions()[0]!
  expect(transcript.refusal({ kind: 'loyalty.reverse-redemption', redemptionId }).code).toBe(
    'CONFLICT',
  )
})

test('[LOY-PRM-02] a SUSPENDED account earns nothing and forfeits its pending points, announced; ENROLLED earns by enrolledMay', () => {
  const transcript = withPoints(10)
  const { id: accountId } = transcript.account()
  transcript.given(orderNotification('a', 'open'))
  transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  const before = transcript.types().length
  transcript.given(
    orderNotification('a', 'completed'),
    orderNotification('b', 'open'),
    orderNotification('b', 'completed'),
  )
  expect(transcript.types().slice(before)).toEqual(['points_pending'])
  expect(transcript.events().at(-1)?.payload).toMatchObject({
    points: -50,
    reason: 'account_suspended',
  })
  expect(transcript.account()).toMatchObject({ balance: 10, pending: 0 })
  transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'reactivation' })
  transcript.given(orderNotification('c', 'completed'))
  expect(transcript.account().balance).toBe(60)

  const strict = lively({ loyalty: { enrolledMay: { earn: false } } })
  strict.given(orderNotification('a', 'open'), orderNotification('a', 'completed'))
  expect(strict.types()).toEqual(['account_linked'])
  expect(strict.account()).toMatchObject({ status: 'ENROLLED', balance: 0 })
})

test('[LOY-GEN-02] points per order come from configuration, independent of the order’s amount', () => {
  const transcript = lively({ loyalty: { pointsPerOrder: 7 } })
  transcript.given(orderNotification('o', 'completed'), {
    ...orderNotification('p', 'completed'),
    amount: 999,
  } as never)
  expect(transcript.account().balance).toBe(14)
  const none = lively({ loyalty: { pointsPerOrder: 0 } }).given(
    orderNotification('o', 'open'),
    orderNotification('o', 'completed'),
  )
  expect(none.types()).toEqual(['account_linked'])
  expect(none.account().balance).toBe(0)
})

test('[LOY-REC-01] an order earns in every program of its store, and enrolls only with enrollment: first-order', () => {
  const programs = [
    { id: 'club', name: 'Clube' },
    { id: 'card', name: 'Cartão', merchantId: 'merchant-1' },
    { id: 'elsewhere', name: 'Outro', merchantId: 'merchant-2' },
  ]
  const transcript = lively({ loyalty: { programs, rewards: [] } }).given(
    orderNotification('o', 'completed'),
  )
  expect(
    [...transcript.host.accounts.values()].map(({ programId, balance }) => [programId, balance]),
  ).toEqual([
    ['club', 50],
    ['card', 50],
  ])
  const byHand = lively({ loyalty: { enrollment: 'by-hand' } }).given(
    orderNotification('o', 'completed'),
  )
  expect(byHand.host.accounts.size).toBe(0)
  byHand.given(
    { kind: 'loyalty.enroll', customerId: 'ana', programId: 'club' },
    orderNotification('p', 'completed'),
  )
  expect(byHand.account().balance).toBe(50)
})

test('an order keeps its first reported customer', () => {
  const transcript = lively().given(
    orderNotification('o', 'open'),
    orderNotification('o', 'completed', { customerId: 'bia' }),
  )
  expect(transcript.account('ana').balance).toBe(50)
  expect(transcript.host.accounts.size).toBe(1)
  transcript.given({ kind: 'loyalty.enroll', customerId: 'bia', programId: 'club' })
  transcript.given({ kind: 'loyalty.adjust', accountId: transcript.account('bia').id, points: 50 })
  expect(
    transcript.refusal({
      kind: 'loyalty.redeem',
      request: {
        accountId: transcript.account('bia').id,
        rewardId: 'coffee',
        relatedOrderId: 'o',
      },
    }).code,
  ).toBe('UNPROCESSABLE')
})

test('no event is announced when Loyalty is switched off', () => {
  const transcript = lively({ capabilities: { loyalty: false } })
  expect(transcript.host.programs.size).toBe(0)
  transcript.given({ kind: 'loyalty.store-programs', programs: [{ id: 'club', name: 'Clube' }] })
  transcript.given(orderNotification('o', 'completed'))
  expect(transcript.types()).toEqual([])
})
