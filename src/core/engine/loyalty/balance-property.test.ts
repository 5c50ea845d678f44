// @module-tag slow
/** Property test: under any sequence of commands balances match transactions and are never negative. */
import { compact } from '../../base/compact.ts'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsFor } from '../../../../test/support/soak.ts'
import { loyaltyHost } from '../../partners/counterparts/loyalty-host.ts'
import {
  loyaltyTranscript,
  type LoyaltyTranscript,
  orderNotification,
} from '../../../../test/support/loyalty-transcript.ts'
import { loyaltyEvents, type LoyaltyEventType } from '../../protocol/loyalty/events.ts'
import type { Command } from '../command.ts'
import { loyaltyAccountView } from './views.ts'

const customers = ['ana', 'bia'] as const
const orders = ['o1', 'o2', 'o3', 'o4'] as const

/** A generated action: small numbers select an account, redemption or coupon at the time it runs. */
type Action = (transcript: LoyaltyTranscript) => Command | undefined

const nth = <Value>(values: readonly Value[], index: number): Value | undefined =>
  values.length === 0 ? undefined : values[index % values.length]

const index = fc.nat({ max: 3 })
const maybeOrder = fc.option(fc.constantFrom(...orders), { nil: undefined })

const withAccount = (
  which: number,
  transcript: LoyaltyTranscript,
  made: (id: string) => Command,
) => {
  const account = nth([...transcript.host.accounts.values()], which)
  return account && made(account.id)
}

/** Redemptions, the most error-prone action, get twice the weight of the others. */
const redeemActions: fc.Arbitrary<Action> = fc
  .tuple(index, fc.integer({ min: 1, max: 3 }), maybeOrder)
  .map(
    ([which, quantity, orderId]): Action =>
      (transcript) =>
        withAccount(which, transcript, (accountId) => ({
          kind: 'loyalty.redeem',
          request: { accountId, rewardId: 'coffee', quantity, relatedOrderId: orderId },
        })),
  )

const actions: fc.Arbitrary<Action> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...orders),
      fc.constantFrom('open', 'completed', 'canceled'),
      fc.constantFrom(...customers),
      fc.option(index, { nil: undefined }),
    )
    .map(([orderId, what, customerId, coupon]): Action => (transcript) => {
      const code = coupon === undefined ? undefined : nth(transcript.coupons(), coupon)?.code
      const couponCodes = code === undefined ? [] : [code]
      return orderNotification(orderId, what, { customerId, couponCodes })
    }),
  fc.tuple(index, fc.integer({ min: -60, max: 90 })).map(
    ([which, points]): Action =>
      (transcript) =>
        withAccount(which, transcript, (accountId) => ({
          kind: 'loyalty.adjust',
          accountId,
          points,
        })),
  ),
  fc.tuple(index, fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined })).map(
    ([which, points]): Action =>
      (transcript) =>
        withAccount(which, transcript, (accountId) => ({
          kind: 'loyalty.expire',
          accountId,
          ...compact({ points }),
        })),
  ),
  redeemActions,
  redeemActions,
  fc.tuple(index, fc.constantFrom('suspension', 'reactivation'), fc.boolean()).map(
    ([which, trigger, force]): Action =>
      (transcript) =>
        withAccount(which, transcript, (accountId) => ({
          kind: 'loyalty.move-account',
          accountId,
          trigger: trigger as 'suspension',
          ...(force ? { force: true as const } : {}),
        })),
  ),
  index.map((which): Action => (transcript) => {
    const redemption = nth(transcript.redemptions(), which)
    return redemption && { kind: 'loyalty.reverse-redemption', redemptionId: redemption.id }
  }),
  index.map((which): Action => (transcript) => {
    const redemption = nth(transcript.redemptions(), which)
    return redemption && { kind: 'loyalty.complete-redemption', redemptionId: redemption.id }
  }),
  index.map(
    (which): Action =>
      (transcript) =>
        withAccount(which, transcript, (accountId) => ({
          kind: 'loyalty.grant-coupon',
          accountId,
          type: 'discount',
        })),
  ),
  fc
    .tuple(index, fc.constantFrom('apply', 'use', 'release', 'expire', 'cancel'), maybeOrder)
    .map(([which, trigger, orderId]): Action => (transcript) => {
      const coupon = nth(transcript.coupons(), which)
      return (
        coupon && {
          kind: 'loyalty.move-coupon',
          couponId: coupon.id,
          trigger: trigger as 'apply',
          ...compact({ orderId }),
        }
      )
    }),
)

const steps = fc.array(fc.tuple(actions, fc.constantFrom(0, 0, 0, 50, 1000, 10_000, 3_600_000)), {
  minLength: 10,
  maxLength: 60,
})

function checkBalances(transcript: LoyaltyTranscript): void {
  const redemptions = transcript.redemptions()
  for (const account of transcript.host.accounts.values()) {
    const { id, balance, reserved, pending, lots, status } = account
    expect(transcript.sum(id)).toBe(balance)
    const { summary } = loyaltyAccountView(account)
    expect(Math.min(balance, reserved, pending, summary.pointsAvailable)).toBeGreaterThanOrEqual(0)
    expect(summary.pointsExpiringSoon).toBeGreaterThanOrEqual(0)
    expect(summary.pointsExpiringSoon).toBeLessThanOrEqual(summary.pointsAvailable)
    const accepted = redemptions.filter(
      (each) => each.accountId === id && each.status === 'ACCEPTED',
    )
    expect(accepted.reduce((sum, { points }) => sum + points, 0)).toBe(reserved)
    const waiting = [...transcript.host.orders.values()].map((order) => order.pending[id] ?? 0)
    expect(waiting.reduce((sum, points) => sum + points, 0)).toBe(pending)
    expect(lots.reduce((sum, { left }) => sum + left, 0)).toBeLessThanOrEqual(balance)
    const transactions = transcript.host.transactions.get(id)!
    if (transactions.length > 0) expect(status).not.toBe('ENROLLED')
    if (status === 'ENROLLED') expect(balance).toBe(0)
  }
  for (const { standing, pending } of transcript.host.orders.values())
    if (standing !== 'open') expect(pending).toEqual({})
}

/** Asserts an event for every change of a balance (LOY-EVR-03), and one for every transaction. */
function checkEvents(transcript: LoyaltyTranscript): void {
  const balances = new Map<string, { available: number; pending: number }>()
  let announced = 0
  for (const { eventType, payload } of transcript.events()) {
    const { accountId, balance, pending } = payload
    balances.set(String(accountId), { available: Number(balance), pending: Number(pending) })
    if (loyaltyEvents[eventType as LoyaltyEventType].transactions.length > 0) announced++
  }
  let transactions = 0
  let onlyReserved = 0
  for (const account of transcript.host.accounts.values()) {
    const { id, balance, reserved, pending } = account
    transactions += transcript.host.transactions.get(id)!.length
    // Reservations are not announced, so accounts that have one are not compared.
    const last = balances.get(id)
    if (reserved === 0) expect(last).toEqual({ available: balance, pending })
  }
  for (const { fact } of transcript.engine.journal.after(0, Number.MAX_SAFE_INTEGER))
    if (fact.kind === 'loyalty.redemption-reversed' && fact.released > 0) onlyReserved++
  expect(announced).toBe(transactions + onlyReserved)
}

test.each([
  ['for ever', {}],
  ['for an hour', { pointsLife: '1h', expiringSoon: '10m', couponLife: '2h' }],
] as const)(
  '[LOY-RUL-01, LOY-REC-02, LOY-EVR-03, LOY-ACC-02] points that live %s balance to their transactions under any sequence of commands',
  (_, loyalty) => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const transcript = loyaltyTranscript({ reactors: [loyaltyHost('hostile')], loyalty })
        for (const customerId of customers) {
          transcript.given({ kind: 'loyalty.enroll', customerId, programId: 'club' })
          const accountId = transcript.account(customerId).id
          transcript.given({ kind: 'loyalty.adjust', accountId, points: 70 })
        }
        for (const [action, ms] of sequence) {
          const command = action(transcript)
          if (command) transcript.engine.submit(command)
          checkBalances(transcript)
          transcript.pass(ms)
          checkBalances(transcript)
        }
        transcript.pass(24 * 3_600_000)
        checkBalances(transcript)
        checkEvents(transcript)
        // No redemption is still pending.
        expect(transcript.redemptions().filter(({ status }) => status === 'ACCEPTED')).toEqual([])
      }),
      { numRuns: runsFor(100, 200), endOnFailure: true },
    )
  },
)
