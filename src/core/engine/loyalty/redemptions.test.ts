/** Redemptions: points reserved at once, burned later, never more than available. */
import { expect, test } from 'vitest'
import { loyaltyHost } from '../../partners/counterparts/loyalty-host.ts'
import {
  loyaltyTranscript,
  type LoyaltyTranscript,
  type LoyaltyTranscriptOptions,
} from '../../../../test/support/loyalty-transcript.ts'

function withPoints(points: number, options: LoyaltyTranscriptOptions = {}): LoyaltyTranscript {
  const transcript = loyaltyTranscript({ reactors: [loyaltyHost('prompt')], ...options })
  transcript.given({ kind: 'loyalty.enroll', customerId: 'ana', programId: 'club' })
  const accountId = transcript.account().id
  return points === 0 ? transcript : transcript.given({ kind: 'loyalty.adjust', accountId, points })
}

const request = (transcript: LoyaltyTranscript, more: Readonly<Record<string, unknown>> = {}) =>
  ({
    kind: 'loyalty.redeem',
    request: { accountId: transcript.account().id, rewardId: 'coffee', ...more },
  }) as const

test('[LOY-RUL-01, LOY-EVT-05] a redemption reserves its points at once and burns them later; coupon and event come with the burn', () => {
  const transcript = withPoints(100)
  const { id: accountId } = transcript.account()
  transcript.given(request(transcript, { quantity: 2 }))
  expect(transcript.account()).toMatchObject({ balance: 100, reserved: 60 })
  expect(transcript.coupons()).toEqual([])
  // 40 points are available, though the balance is still 100.
  expect(transcript.refusal(request(transcript, { quantity: 2 })).code).toBe('INSUFFICIENT_BALANCE')
  transcript.pass(1000)
  expect(transcript.account()).toMatchObject({ balance: 40, reserved: 0 })
  expect(transcript.host.transactions.get(accountId)?.at(-1)).toMatchObject({
    type: 'burn',
    amount: -60,
  })
  expect(transcript.coupons()[0]).toMatchObject({
    quantity: 2,
    type: 'free_item',
    status: 'available',
  })
  expect(transcript.types()).toEqual(['account_linked', 'points_accrued', 'points_redeemed'])
  expect(transcript.events().at(-1)?.payload).toMatchObject({
    points: 60,
    balance: 40,
    couponCode: transcript.coupons()[0]!.code,
    redemptionId: transcript.redemptions()[0]!.id,
  })
})

test('[LOY-RUL-01] of fifty redemptions at one time only as many succeed as the balance covers; none twice, no negative balance', () => {
  const transcript = withPoints(100)
  const answers = Array.from({ length: 50 }, () => transcript.engine.submit(request(transcript)))
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3)
  expect(transcript.account()).toMatchObject({ balance: 100, reserved: 90 })
  transcript.pass(1000)
  expect(transcript.account()).toMatchObject({ balance: 10, reserved: 0 })
  expect(transcript.sum(transcript.account().id)).toBe(10)
  expect(new Set(transcript.coupons().map(({ code }) => code)).size).toBe(3)
})

test('[LOY-PRM-03] a SUSPENDED account may not redeem; ENROLLED redeems by enrolledMay, within its balance', () => {
  const transcript = withPoints(100)
  const { id: accountId } = transcript.account()
  transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  expect(transcript.refusal(request(transcript))).toMatchObject({
    code: 'LOYALTY_ACCOUNT_SUSPENDED',
    status: 409,
  })
  transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'reactivation' })
  transcript.given(request(transcript))
  expect(withPoints(0).account().status).toBe('ENROLLED')
  const enrolled = withPoints(0)
  expect(enrolled.refusal(request(enrolled)).code).toBe('INSUFFICIENT_BALANCE')
  const strict = withPoints(0, { loyalty: { enrolledMay: { redeem: false } } })
  expect(strict.refusal(request(strict)).code).toBe('CONFLICT')
})

test('[LOY-ACC-03] an account suspended between 202 and completion burns nothing, and its points are released', () => {
  const transcript = withPoints(100)
  const { id: accountId } = transcript.account()
  transcript.given(request(transcript))
  transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
  transcript.pass(1000)
  expect(transcript.account()).toMatchObject({ balance: 100, reserved: 0, status: 'SUSPENDED' })
  expect(transcript.redemptions()[0]?.status).toBe('REVERSED')
  expect(transcript.types().at(-1)).toBe('redemption_reversed')
  expect(transcript.coupons()).toEqual([])
})

test('[LOY-UND-02] the answer to a rejected redemption is configurable: another status, or a 202 without effect', () => {
  for (const status of [409, 422, 400] as const) {
    const transcript = withPoints(10, {
      loyalty: { insufficientBalance: status, blockedMovement: status },
    })
    expect(transcript.refusal(request(transcript)).status).toBe(status)
    const { id: accountId } = transcript.account()
    transcript.given({ kind: 'loyalty.move-account', accountId, trigger: 'suspension' })
    expect(transcript.refusal(request(transcript)).status).toBe(status)
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
  const transcript = withPoints(100)
  const byCustomer = { accountId: undefined, customerId: 'ana', programId: 'club' }
  transcript.given(request(transcript, { ...byCustomer, points: 30, orderId: 'o' }))
  expect(transcript.redemptions()[0]).toMatchObject({ orderId: 'o', points: 30 })
  expect(transcript.refusal(request(transcript, { points: 31 }))).toMatchObject({
    code: 'UNPROCESSABLE',
  })
  expect(transcript.refusal(request(transcript, { points: 31 })).message).toMatch(/^points: /)
  expect(transcript.refusal(request(transcript, { ...byCustomer, customerId: 'bia' })).code).toBe(
    'NOT_FOUND',
  )
  expect(transcript.refusal(request(transcript, { accountId: 'x' })).code).toBe('NOT_FOUND')
  expect(transcript.refusal(request(transcript, { rewardId: 'x' }))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a reward of another program or one not available is refused', () => {
  const transcript = withPoints(100)
  transcript.given({ kind: 'loyalty.store-programs', programs: [{ id: 'card', name: 'Cartão' }] })
  const reward = { id: 'cake', programId: 'card', name: 'Bolo', cost: 1 }
  transcript.given({ kind: 'loyalty.store-reward', reward })
  expect(transcript.refusal(request(transcript, { rewardId: 'cake' })).code).toBe('UNPROCESSABLE')
  transcript.given({
    kind: 'loyalty.store-reward',
    reward: { ...reward, programId: 'club', available: false },
  })
  expect(transcript.refusal(request(transcript, { rewardId: 'cake' })).code).toBe('CONFLICT')
  expect(
    transcript.refusal({ kind: 'loyalty.store-reward', reward: { ...reward, programId: 'x' } })
      .code,
  ).toBe('NOT_FOUND')
})

test('[LOY-EVT-06] a redemption is reversed by command once, completed or not', () => {
  const transcript = withPoints(60)
  transcript.given(request(transcript)).pass(1000)
  transcript.given(request(transcript))
  const [done, waiting] = transcript.redemptions()
  for (const each of [done!, waiting!, done!, waiting!])
    transcript.given({ kind: 'loyalty.reverse-redemption', redemptionId: each.id })
  transcript.pass(1000)
  expect(transcript.account()).toMatchObject({ balance: 60, reserved: 0 })
  expect(transcript.types().filter((type) => type === 'redemption_reversed')).toHaveLength(2)
  expect(transcript.coupons().map(({ status }) => status)).toEqual(['cancelled'])
  expect(transcript.refusal({ kind: 'loyalty.reverse-redemption', redemptionId: 'x' }).code).toBe(
    'NOT_FOUND',
  )
})

test('completing a redemption is idempotent', () => {
  const transcript = withPoints(60).given()
  transcript.given(request(transcript))
  const redemptionId = transcript.redemptions()[0]!.id
  for (let times = 0; times < 3; times++)
    transcript.given({ kind: 'loyalty.complete-redemption', redemptionId })
  transcript.pass(1000)
  expect(transcript.account().balance).toBe(30)
  expect(transcript.coupons()).toHaveLength(1)
})
