/** Redemptions: points reserved at once, burned later, never more than available. */
import { expect, test } from 'vitest'
import { loyaltyHost } from '../../counterparts/loyalty-host.ts'
import {
  loyaltyTold,
  type LoyaltyTold,
  type LoyaltyToldOptions,
} from '../../../test/support/loyalty-transcript.ts'

function withPoints(points: number, options: LoyaltyToldOptions = {}): LoyaltyTold {
  const told = loyaltyTold({ reactors: [loyaltyHost('prompt')], ...options })
  told.given({ kind: 'loyalty.enroll', customerId: 'ana', programId: 'club' })
  const accountId = told.account().id
  return points === 0 ? told : told.given({ kind: 'loyalty.adjust', accountId, points })
}

const request = (told: LoyaltyTold, more: Readonly<Record<string, unknown>> = {}) =>
  ({
    kind: 'loyalty.redeem',
    request: { accountId: told.account().id, rewardId: 'coffee', ...more },
  }) as const

test('[LOY-RUL-01, LOY-EVT-05] a redemption reserves its points at once and burns them later; coupon and event come with the burn', () => {
  const told = withPoints(100)
  const { id: accountId } = told.account()
  told.given(request(told, { quantity: 2 }))
  expect(told.account()).toMatchObject({ balance: 100, reserved: 60 })
  expect(told.coupons()).toEqual([])
  // 40 points are available, though the balance is still 100.
  expect(told.refusal(request(told, { quantity: 2 })).code).toBe('INSUFFICIENT_BALANCE')
  told.pass(1000)
  expect(told.account()).toMatchObject({ balance: 40, reserved: 0 })
  expect(told.host.transactions.get(accountId)?.at(-1)).toMatchObject({ type: 'burn', amount: -60 })
  expect(told.coupons()[0]).toMatchObject({ quantity: 2, type: 'free_item', status: 'available' })
  expect(told.types()).toEqual(['account_linked', 'points_accrued', 'points_redeemed'])
  expect(told.events().at(-1)?.payload).toMatchObject({
    points: 60,
    balance: 40,
    couponCode: told.coupons()[0]!.code,
    redemptionId: told.redemptions()[0]!.id,
  })
})

test('[LOY-RUL-01] of fifty redemptions at one time only as many succeed as the balance covers; none twice, no negative balance', () => {
  const told = withPoints(100)
  const answers = Array.from({ length: 50 }, () => told.engine.submit(request(told)))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
  expect(told.account()).toMatchObject({ balance: 100, reserved: 90 })
  told.pass(1000)
  expect(told.account()).toMatchObject({ balance: 10, reserved: 0 })
  expect(told.sum(told.account().id)).toBe(10)
  expect(new Set(told.coupons().map(({ code }) => code)).size).toBe(3)
})

test('[LOY-PRM-03] a SUSPENDED account may not redeem; ENROLLED redeems by enrolledMay, within its balance', () => {
  const told = withPoints(100)
  const { id: accountId } = told.account()
  told.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  expect(told.refusal(request(told))).toMatchObject({
    code: 'LOYALTY_ACCOUNT_SUSPENDED',
    status: 409,
  })
  told.given({ kind: 'loyalty.move-account', accountId, trigger: 'reactivation' })
  told.given(request(told))
  expect(withPoints(0).account().status).toBe('ENROLLED')
  const enrolled = withPoints(0)
  expect(enrolled.refusal(request(enrolled)).code).toBe('INSUFFICIENT_BALANCE')
  const strict = withPoints(0, { loyalty: { enrolledMay: { redeem: false } } })
  expect(strict.refusal(request(strict)).code).toBe('CONFLICT')
})

test('[LOY-ACC-03] an account suspended between 202 and completion burns nothing, and its points are released', () => {
  const told = withPoints(100)
  const { id: accountId } = told.account()
  told.given(request(told))
  told.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  told.pass(1000)
  expect(told.account()).toMatchObject({ balance: 100, reserved: 0, status: 'SUSPENDED' })
  expect(told.redemptions()[0]?.status).toBe('REVERSED')
  expect(told.types().at(-1)).toBe('redemption_reversed')
  expect(told.coupons()).toEqual([])
})

test('[LOY-UND-02] the answer to a rejected redemption is configurable: another status, or a 202 without effect', () => {
  for (const status of [409, 422, 400] as const) {
    const told = withPoints(10, {
      loyalty: { insufficientBalance: status, blockedMovement: status },
    })
    expect(told.refusal(request(told)).status).toBe(status)
    const { id: accountId } = told.account()
    told.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
    expect(told.refusal(request(told)).status).toBe(status)
  }
  const quiet = withPoints(10, { loyalty: { insufficientBalance: 202, blockedMovement: 202 } })
  const before = quiet.types()
  const accountId = quiet.account().id
  expect(quiet.facts(request(quiet))).toMatchObject([{ kind: 'loyalty.redemption-declined' }])
  quiet.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  expect(quiet.facts(request(quiet))).toMatchObject([{ kind: 'loyalty.redemption-declined' }])
  quiet.pass(5000)
  expect(quiet.account()).toMatchObject({ balance: 10, reserved: 0 })
  expect(quiet.types()).toEqual(before)
})

test('[LOY-UND-05] a request names the account by id or by customer and program, the order by either field, and points must equal the cost', () => {
  const told = withPoints(100)
  const byCustomer = { accountId: undefined, customerId: 'ana', programId: 'club' }
  told.given(request(told, { ...byCustomer, points: 30, orderId: 'o' }))
  expect(told.redemptions()[0]).toMatchObject({ orderId: 'o', points: 30 })
  expect(told.refusal(request(told, { points: 31 }))).toMatchObject({ code: 'UNPROCESSABLE' })
  expect(told.refusal(request(told, { points: 31 })).message).toMatch(/^points: /)
  expect(told.refusal(request(told, { ...byCustomer, customerId: 'bia' })).code).toBe('NOT_FOUND')
  expect(told.refusal(request(told, { accountId: 'x' })).code).toBe('NOT_FOUND')
  expect(told.refusal(request(told, { rewardId: 'x' }))).toMatchObject({ code: 'NOT_FOUND' })
})

test('a reward of another program or one not available is refused', () => {
  const told = withPoints(100)
  told.given({ kind: 'loyalty.store-programs', programs: [{ id: 'card', name: 'Cartão' }] })
  const reward = { id: 'cake', programId: 'card', name: 'Bolo', cost: 1 }
  told.given({ kind: 'loyalty.store-reward', reward })
  expect(told.refusal(request(told, { rewardId: 'cake' })).code).toBe('UNPROCESSABLE')
  told.given({
    kind: 'loyalty.store-reward',
    reward: { ...reward, programId: 'club', available: false },
  })
  expect(told.refusal(request(told, { rewardId: 'cake' })).code).toBe('CONFLICT')
  expect(
    told.refusal({ kind: 'loyalty.store-reward', reward: { ...reward, programId: 'x' } }).code,
  ).toBe('NOT_FOUND')
})

test('[LOY-EVT-06] a redemption is reversed by command once, completed or not', () => {
  const told = withPoints(60)
  told.given(request(told)).pass(1000)
  told.given(request(told))
  const [done, waiting] = told.redemptions()
  for (const each of [done!, waiting!, done!, waiting!])
    told.given({ kind: 'loyalty.reverse-redemption', redemptionId: each.id })
  told.pass(1000)
  expect(told.account()).toMatchObject({ balance: 60, reserved: 0 })
  expect(told.types().filter((type) => type === 'redemption_reversed')).toHaveLength(2)
  expect(told.coupons().map(({ status }) => status)).toEqual(['cancelled'])
  expect(told.refusal({ kind: 'loyalty.reverse-redemption', redemptionId: 'x' }).code).toBe(
    'NOT_FOUND',
  )
})

test('completing a redemption is idempotent', () => {
  const told = withPoints(60).given()
  told.given(request(told))
  const redemptionId = told.redemptions()[0]!.id
  for (let times = 0; times < 3; times++)
    told.given({ kind: 'loyalty.complete-redemption', redemptionId })
  told.pass(1000)
  expect(told.account().balance).toBe(30)
  expect(told.coupons()).toHaveLength(1)
})
