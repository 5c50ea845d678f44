/** Commands on one coupon: grant, move by its lifecycle, expire (LOY-UND-03, LOY-PRM-04). */
import { compact } from '../../base/compact.ts'
import { isPermitted } from '../../protocol/loyalty/account-lifecycle.ts'
import { couponStep, couponLifecycle, isCouponUse } from '../../protocol/loyalty/coupon.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { refuse } from '../refusal.ts'
import { enrolledMay } from './account-commands.ts'
import { issueCoupon, moveCoupon } from './coupon-moves.ts'
import { findLoyaltyAccount, findLoyaltyCoupon } from './find.ts'
import { openLedger } from './ledger.ts'
import type { CouponRecord } from './world.ts'

export function grantCoupon(
  { accountId, type, value }: CommandOf<'loyalty.grant-coupon'>,
  context: DecisionContext,
): Decision {
  const found = findLoyaltyAccount(accountId, context.world)
  if (!found.ok) return found
  const ledger = openLedger(context)
  issueCoupon(accountId, { type, ...compact({ value }) }, ledger)
  return ok(ledger.facts())
}

export function moveCouponByCommand(
  command: CommandOf<'loyalty.move-coupon'>,
  context: DecisionContext,
): Decision {
  const { couponId, trigger, orderId, force } = command
  const found = findLoyaltyCoupon(couponId, context.world)
  if (!found.ok) return found
  const coupon = found.value
  const { status } = coupon
  const row = couponStep(status, trigger)
  // A repeated use for the same order is idempotent (C9).
  const repeated = trigger === 'use' && status === 'used' && coupon.orderId === orderId
  if (repeated) return ok([])
  if (!row && force) return forceMove(coupon, command)
  if (!row)
    return refuse(
      'COUPON_NOT_USABLE',
      `the coupon ${couponId} is ${status}: no ${trigger} from there`,
    )
  const account = findLoyaltyAccount(coupon.accountId, context.world)
  if (!account.ok) return account
  const { status: accountStatus } = account.value
  if (
    isCouponUse(trigger) &&
    !force &&
    !isPermitted(accountStatus, 'use-coupon', enrolledMay(context))
  )
    return refuse(
      accountStatus === 'SUSPENDED' ? 'LOYALTY_ACCOUNT_SUSPENDED' : 'CONFLICT',
      `the loyalty account ${coupon.accountId} is ${accountStatus} and may not use coupons`,
    )
  if (trigger === 'apply' && orderId === undefined)
    return refuse('UNPROCESSABLE', 'orderId: a coupon is applied to an order')
  if (trigger === 'use' && orderId !== undefined && (coupon.orderId ?? orderId) !== orderId)
    return refuse('COUPON_NOT_USABLE', `the coupon ${couponId} is applied to ${coupon.orderId}`)
  const ledger = openLedger(context)
  moveCoupon(couponId, trigger, { orderId }, ledger)
  return ok(ledger.facts())
}

/** A forced move: to the status that the trigger leads to in the lifecycle, from any status. */
function forceMove(
  { status: from }: CouponRecord,
  { couponId, trigger, orderId }: CommandOf<'loyalty.move-coupon'>,
): Decision {
  const row = couponLifecycle.find((each) => each.trigger === trigger)
  if (!row || row.to === from) return ok([])
  return ok([
    {
      kind: 'loyalty.coupon-moved',
      couponId,
      trigger,
      from,
      to: row.to,
      ...compact({ orderId }),
      forced: true,
    },
  ])
}
