/** Every cell of Loyalty's transition tables through the engine: rows move and announce, other cells are refused. */
import { expect, test } from 'vitest'
import {
  loyaltyTranscript,
  type LoyaltyTranscript,
  orderNotification,
} from '../../../../test/support/loyalty-transcript.ts'
import {
  loyaltyAccountStatuses,
  type LoyaltyAccountStatus,
} from '../../protocol/loyalty/account.ts'
import { accountControls, loyaltyAccountStep } from '../../protocol/loyalty/account-lifecycle.ts'
import {
  couponStatuses,
  type CouponStatus,
  couponStep,
  type CouponTrigger,
  couponTriggers,
} from '../../protocol/loyalty/coupon.ts'
import {
  changesStanding,
  orderNewsKinds,
  orderStandings,
} from '../../protocol/loyalty/order-standing.ts'

const enroll = { kind: 'loyalty.enroll', customerId: 'ana', programId: 'club' } as const

/** An account in this status, with 100 points unless ENROLLED. */
function accountIn(status: LoyaltyAccountStatus): LoyaltyTranscript {
  const transcript = loyaltyTranscript().given(enroll)
  const { id: accountId } = transcript.account()
  if (status !== 'ENROLLED') transcript.given({ kind: 'loyalty.adjust', accountId, points: 100 })
  if (status === 'SUSPENDED')
    transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  expect(transcript.account().status).toBe(status)
  return transcript
}

test('[LOY-ACC-03, LOY-ACC-04] every status × trigger cell of an account: a row moves it, other cells are refused, force moves it anyway', () => {
  for (const status of loyaltyAccountStatuses)
    for (const trigger of accountControls) {
      const row = loyaltyAccountStep(status, trigger)
      const transcript = accountIn(status)
      const { id: accountId } = transcript.account()
      const command = { kind: 'loyalty.move-account', accountId, trigger } as const
      if (row) {
        transcript.given(command)
        expect(transcript.account().status).toBe(row.to)
        expect(transcript.account().way.at(-1)).toMatchObject({ status: row.to, trigger })
        continue
      }
      expect(transcript.refusal(command).code).toBe('INVALID_TRANSITION')
      expect(transcript.account().status).toBe(status)
      transcript.given({ ...command, force: true })
      expect(transcript.account().status).toBe(trigger === 'suspension' ? 'SUSPENDED' : 'ACTIVE')
    }
})

test('[LOY-REC-01] a customer is enrolled once in a program, and in several programs', () => {
  const programs = [
    { id: 'club', name: 'Clube' },
    { id: 'card', name: 'Cartão' },
  ]
  const transcript = loyaltyTranscript({ loyalty: { programs, rewards: [] } }).given(enroll)
  expect(transcript.refusal(enroll).code).toBe('CONFLICT')
  transcript.given({ ...enroll, programId: 'card' }, { ...enroll, customerId: 'bia' })
  expect(transcript.refusal({ ...enroll, programId: 'nothing' }).code).toBe('NOT_FOUND')
  const keys = [...transcript.host.accounts.values()].map((a) => `${a.customerId} ${a.programId}`)
  expect(keys).toEqual(['ana club', 'ana card', 'bia club'])
})

/** The triggers that lead to each status. */
const triggersTo: Readonly<Record<CouponStatus, readonly CouponTrigger[]>> = {
  available: [],
  applied: ['apply'],
  used: ['apply', 'use'],
  expired: ['expire'],
  cancelled: ['cancel'],
}

function couponIn(status: CouponStatus): LoyaltyTranscript & { readonly couponId: string } {
  const transcript = accountIn('ACTIVE')
  const { id: accountId } = transcript.account()
  transcript.given({ kind: 'loyalty.grant-coupon', accountId, type: 'discount', value: 5 })
  const couponId = transcript.coupons()[0]!.id
  for (const trigger of triggersTo[status])
    transcript.given({ kind: 'loyalty.move-coupon', couponId, trigger, orderId: 'order-1' })
  expect(transcript.coupons()[0]!.status).toBe(status)
  return { ...transcript, couponId }
}

test('[LOY-UND-03, LOY-EVT-07, LOY-EVT-08] every status × trigger cell of a coupon: a row moves and announces it, other cells are refused, force moves it silently', () => {
  for (const status of couponStatuses)
    for (const trigger of couponTriggers) {
      const row = couponStep(status, trigger)
      const transcript = couponIn(status)
      const before = transcript.types().length
      // A repeated use for the same order would be idempotent.
      const orderId = status === 'used' ? 'order-2' : 'order-1'
      const command = {
        kind: 'loyalty.move-coupon',
        couponId: transcript.couponId,
        trigger,
        orderId,
      } as const
      if (row) {
        transcript.given(command)
        const coupon = transcript.coupons()[0]!
        expect(coupon.status).toBe(row.to)
        expect(coupon.way.at(-1)).toMatchObject({ status: row.to, trigger })
        const announced = transcript.events().slice(before)
        expect(announced.map(({ eventType }) => eventType)).toEqual(row.emits ? [row.emits] : [])
        for (const { payload } of announced)
          expect(payload).toMatchObject({
            couponCode: coupon.code,
            couponStatus: row.to,
            orderId: 'order-1',
          })
        continue
      }
      expect(transcript.refusal(command).code).toBe('COUPON_NOT_USABLE')
      expect(transcript.coupons()[0]!.status).toBe(status)
      transcript.given({ ...command, force: true })
      expect(transcript.types()).toHaveLength(before)
    }
})

test('[LOY-PRM-04] an account uses coupons if its status and enrolledMay permit; a SUSPENDED one never', () => {
  const none = { earn: false, redeem: false, 'use-coupon': false }
  for (const [status, enrolledMay, isDone] of [
    ['ENROLLED', {}, true],
    ['ENROLLED', none, false],
    ['ACTIVE', none, true],
    ['SUSPENDED', {}, false],
  ] as const)
    for (const trigger of ['apply', 'use'] as const) {
      const transcript = loyaltyTranscript({ loyalty: { enrolledMay } }).given(enroll)
      const { id: accountId } = transcript.account()
      transcript.given({ kind: 'loyalty.grant-coupon', accountId, type: 'free_item' })
      if (status !== 'ENROLLED') transcript.given({ kind: 'loyalty.adjust', accountId, points: 1 })
      if (status === 'SUSPENDED')
        transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
      const couponId = transcript.coupons()[0]!.id
      const command = { kind: 'loyalty.move-coupon', couponId, trigger, orderId: 'o' } as const
      if (isDone) transcript.given(command)
      else
        expect(transcript.refusal(command).code).toBe(
          status === 'SUSPENDED' ? 'LOYALTY_ACCOUNT_SUSPENDED' : 'CONFLICT',
        )
      expect(transcript.types().includes('coupon_applied')).toBe(isDone)
      expect(transcript.coupons()[0]!.status).toBe(
        isDone ? (trigger === 'apply' ? 'applied' : 'used') : 'available',
      )
      // Cancelling is always possible.
      transcript.given({ kind: 'loyalty.move-coupon', couponId, trigger: 'cancel', force: true })
    }
})

test('[LOY-EVR-01] every standing × news cell of an order: news without a row change nothing', () => {
  for (const standing of orderStandings)
    for (const each of orderNewsKinds) {
      const transcript = accountIn('ACTIVE')
      if (standing !== 'unheard') transcript.given(orderNotification('order-1', standing))
      const before = transcript.account()
      const facts = transcript.facts(orderNotification('order-1', each))
      if (changesStanding(standing, each)) {
        expect(facts[0]).toMatchObject({ kind: 'loyalty.order-heard', news: each })
        expect(transcript.host.orders.get('order-1')?.standing).toBe(each)
      } else {
        expect(facts).toEqual([])
        expect(transcript.account()).toEqual(before)
      }
    }
})
