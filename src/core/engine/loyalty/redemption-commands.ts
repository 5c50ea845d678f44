/**
 * Redemptions: balance check and reservation happen in one decision, so that concurrent calls cannot spend the same
 * points twice (LOY-RUL-01); burn and coupon follow asynchronously (LOY-FLW-03).
 */
import { compact } from '../../base/compact.ts'
import { isPermitted } from '../../protocol/loyalty/account-lifecycle.ts'
import type { Reward } from '../../protocol/loyalty/program.ts'
import type { RedemptionRequest } from '../../protocol/loyalty/redemption.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { ErrorCode } from '../../protocol/errors.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { enrolledMay } from './account-commands.ts'
import { availablePoints } from './reduce-account.ts'
import { issueCoupon, moveCoupon } from './coupon-moves.ts'
import { findLoyaltyAccount, findRedemption, isSameCustomer, accountOfRequest } from './find.ts'
import { activateAccount, openLedger, createTransaction } from './ledger.ts'
import { reverseRedemption } from './reverse-redemption.ts'
import type { LoyaltyAccountRecord, RedemptionRecord } from './world.ts'

/** Validates the requested reward and computes its cost in points. */
function priceOf(
  { rewardId, quantity = 1, points }: RedemptionRequest,
  account: LoyaltyAccountRecord,
  { world }: DecisionContext,
): Result<{ readonly reward: Reward; readonly cost: number; readonly quantity: number }, Refusal> {
  const reward = world.loyalty.host.rewards.get(rewardId)
  if (!reward)
    return err({ code: 'NOT_FOUND', message: `rewardId: there is no reward ${rewardId}` })
  if (reward.programId !== account.programId)
    return refuse('UNPROCESSABLE', `rewardId: ${rewardId} belongs to ${reward.programId}`)
  if (reward.available === false)
    return refuse('CONFLICT', `rewardId: ${rewardId} is not available now`)
  const cost = reward.cost * quantity
  if (points !== undefined && points !== cost)
    return refuse('UNPROCESSABLE', `points: ${quantity} of ${rewardId} cost ${cost}, not ${points}`)
  return ok({ reward, cost, quantity })
}

export function redeemReward(
  { request }: CommandOf<'loyalty.redeem'>,
  context: DecisionContext,
): Decision {
  const { world, settings, now, chance } = context
  const { insufficientBalance, blockedMovement } = settings.conduct.loyalty
  const found = accountOfRequest(request, world)
  if (!found.ok) return found
  const account = found.value
  const price = priceOf(request, account, context)
  if (!price.ok) return price
  const { reward, cost, quantity } = price.value

  /** A refusal, or a 202 without effect, as configured (LOY-UND-02). */
  const reject = (status: 409 | 422 | 400 | 202, code: ErrorCode, because: string): Decision =>
    status === 202
      ? ok([
          {
            kind: 'loyalty.redemption-declined',
            accountId: account.id,
            rewardId: reward.id,
            because,
          },
        ])
      : refuse(code, because, status)

  if (!isPermitted(account.status, 'redeem', enrolledMay(context)))
    return reject(
      blockedMovement,
      account.status === 'SUSPENDED' ? 'LOYALTY_ACCOUNT_SUSPENDED' : 'CONFLICT',
      `the loyalty account ${account.id} is ${account.status} and may not redeem`,
    )
  const orderId = request.relatedOrderId ?? request.orderId
  const order = orderId === undefined ? undefined : world.loyalty.host.orders.get(orderId)
  if (order && !isSameCustomer(order.customerId, account.customerId, world))
    return refuse('UNPROCESSABLE', `relatedOrderId: ${orderId} is another customer’s order`)
  if (order?.standing === 'canceled')
    return refuse('CONFLICT', `relatedOrderId: the order ${orderId} is cancelled`)
  if (cost > availablePoints(account))
    return reject(
      insufficientBalance,
      'INSUFFICIENT_BALANCE',
      `${reward.id} costs ${cost} points and ${availablePoints(account)} are available`,
    )
  const redemption: RedemptionRecord = {
    id: chance('loyalty.ids').uuid(),
    accountId: account.id,
    rewardId: reward.id,
    quantity,
    points: cost,
    ...compact({ orderId }),
    status: 'ACCEPTED',
    at: now,
  }
  return ok([{ kind: 'loyalty.redemption-accepted', redemption }])
}

/** Completes an accepted redemption. If the account was suspended meanwhile, the redemption is reversed. */
export function completeRedemption(
  { redemptionId }: CommandOf<'loyalty.complete-redemption'>,
  context: DecisionContext,
): Decision {
  const { world } = context
  const found = findRedemption(redemptionId, world)
  if (!found.ok) return found
  const redemption = found.value
  const { accountId, points, orderId, status } = redemption
  if (status !== 'ACCEPTED') return ok([])
  const account = findLoyaltyAccount(accountId, world)
  if (!account.ok) return account
  const ledger = openLedger(context)
  if (!isPermitted(account.value.status, 'redeem', enrolledMay(context))) {
    reverseRedemption(redemption, 'account_suspended', ledger)
    return ok(ledger.facts())
  }
  const relatedOrderId = orderId === undefined ? {} : { relatedOrderId: orderId }
  ledger.write({
    kind: 'loyalty.points-burned',
    accountId,
    transaction: createTransaction(
      {
        accountId,
        type: 'burn',
        amount: -points,
        ...relatedOrderId,
        metadata: { redemptionId, rewardId: redemption.rewardId },
      },
      ledger,
    ),
  })
  activateAccount(accountId, ledger)
  const reward = world.loyalty.host.rewards.get(redemption.rewardId)
  const coupon = issueCoupon(accountId, { reward, redemption }, ledger)
  ledger.write({ kind: 'loyalty.redemption-completed', redemptionId, couponId: coupon.id })
  ledger.announce('loyalty.points_redeemed', accountId, { points, orderId, redemptionId, coupon })
  if (orderId !== undefined) {
    moveCoupon(coupon.id, 'apply', { orderId }, ledger)
    const standing = world.loyalty.host.orders.get(orderId)?.standing
    if (standing === 'completed') moveCoupon(coupon.id, 'use', { orderId }, ledger)
  }
  return ok(ledger.facts())
}

export function reverseByCommand(
  { redemptionId }: CommandOf<'loyalty.reverse-redemption'>,
  context: DecisionContext,
): Decision {
  const found = findRedemption(redemptionId, context.world)
  if (!found.ok) return found
  if (found.value.status === 'REVERSED') return ok([])
  const ledger = openLedger(context)
  return reverseRedemption(found.value, 'by_hand', ledger)
    ? ok(ledger.facts())
    : refuse('CONFLICT', `the coupon of redemption ${redemptionId} is used`)
}
