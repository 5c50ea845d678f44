/** The events that a call may cause, by their names in any dialect. */
import { expect, test } from 'vitest'
import { effectEventTypes } from './effects.ts'

test('the events of a redemption have the names of the documents and of the public standard', () => {
  expect([...effectEventTypes('createLoyaltyRedemption')]).toEqual([
    'loyalty.points_redeemed',
    'loyalty.redemption.created',
    'loyalty.coupon_applied',
    'loyalty.coupon.used',
    'loyalty.redemption_reversed',
    'loyalty.points.adjusted',
  ])
  expect([...effectEventTypes('confirmOrder')]).toEqual(['CONFIRMED'])
})
