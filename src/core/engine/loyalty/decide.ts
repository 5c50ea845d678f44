/** The decision of each command of Loyalty. */
import { compact } from '../../base/compact.ts'
import { readLoyaltyEvent } from '../../protocol/loyalty/event.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Settings } from '../settings.ts'
import { enrollCustomer, enrolledMay, loyaltyAccountDecisions } from './account-commands.ts'
import type { LoyaltyCommand } from './commands.ts'
import { issueCoupon, moveCoupon } from './coupon-moves.ts'
import { callRedemption, readResource } from './guest-commands.ts'
import {
  activateAccount,
  createTransaction,
  type LoyaltyLedger,
  openLedger,
  pointsExpiry,
} from './ledger.ts'
import { type AccountOperation, isPermitted } from '../../protocol/loyalty/account-lifecycle.ts'
import { couponLifecycle, couponStep, isCouponUse } from '../../protocol/loyalty/coupon.ts'
import type { CommandOf } from '../command.ts'
import {
  accountInProgram,
  accountOfRequest,
  findLoyaltyAccount,
  findLoyaltyCoupon,
  findRedemption,
  isSameCustomer,
} from './find.ts'
import type { CouponRecord, LoyaltyAccountRecord, LoyaltyOrder, RedemptionRecord } from './world.ts'
import type { Reward } from '../../protocol/loyalty/program.ts'
import type { RedemptionRequest } from '../../protocol/loyalty/redemption.ts'
import type { ErrorCode } from '../../protocol/errors.ts'
import { availablePoints } from './reduce-account.ts'
import { reverseRedemption } from './reverse-redemption.ts'
import { changesStanding } from '../../protocol/loyalty/order-standing.ts'

const rollBackReason = 'order_canceled'

/**
 * Rolls back a cancelled order: removes pending points, reverses its redemptions and releases or
 * cancels the coupons applied to it (LOY-EVR-02).
 */
function rollBackOrder(order: LoyaltyOrder, ledger: LoyaltyLedger): void {
  const { orderId, merchantId, pending, redemptionIds, couponIds } = order
  for (const [accountId, points] of Object.entries(pending)) {
    ledger.write({ kind: 'loyalty.points-pending', accountId, orderId, points: -points })
    ledger.announce('loyalty.points_pending', accountId, {
      points: -points,
      orderId,
      merchantId,
      reason: rollBackReason,
    })
  }
  const { redemptions } = ledger.context.world.loyalty.host
  for (const id of redemptionIds) {
    const redemption = redemptions.get(id)
    if (redemption) reverseRedemption(redemption, rollBackReason, ledger)
  }
  for (const couponId of couponIds) rollBackCoupon(couponId, orderId, ledger)
}

/** Releases a coupon of an earlier redemption, or cancels it and returns its points, by `couponRollback`. */
function rollBackCoupon(couponId: string, orderId: string, ledger: LoyaltyLedger): void {
  const { settings, world } = ledger.context
  const coupon = ledger.coupon(couponId)
  if (coupon?.status !== 'applied' || coupon.orderId !== orderId) return
  if (settings.conduct.loyalty.couponRollback === 'release') {
    moveCoupon(couponId, 'release', { reason: rollBackReason }, ledger)
    return
  }
  const redemption = world.loyalty.host.redemptions.get(coupon.redemptionId ?? '')
  const reversed = redemption !== undefined && reverseRedemption(redemption, rollBackReason, ledger)
  if (!reversed) moveCoupon(couponId, 'cancel', { reason: rollBackReason }, ledger)
}

// Effects of an order's news: points are pending while it is open, earned when it is completed, and
// rolled back when it is cancelled (LOY-EVR-01, LOY-EVR-02). Idempotent: repeated news of an order
// change nothing.

/** An order's news, together with the stored order. */
interface OrderUpdate extends Pick<LoyaltyOrder, 'orderId' | 'customerId' | 'merchantId'> {
  readonly known?: LoyaltyOrder | undefined
  readonly amount?: number | undefined
  readonly couponCodes: readonly string[]
}

function isAccountPermitted(
  operation: AccountOperation,
  accountId: string,
  ledger: LoyaltyLedger,
): boolean {
  const account = ledger.accountIfAny(accountId)
  return (
    account !== undefined && isPermitted(account.status, operation, enrolledMay(ledger.context))
  )
}

/**
 * The accounts that the order earns in: one per program of its store, enrolling new ones with `enrollment:
 * first-order`.
 */
function earningAccounts(
  { customerId, merchantId }: OrderUpdate,
  ledger: LoyaltyLedger,
): readonly string[] {
  const { world, settings } = ledger.context
  const enrollsOnFirstOrder = settings.conduct.loyalty.enrollment === 'first-order'
  return [...world.loyalty.host.programs.values()].flatMap((program) => {
    if (program.merchantId !== undefined && program.merchantId !== merchantId) return []
    const account = accountInProgram(customerId, program.id, world)
    if (account) return [account.id]
    return enrollsOnFirstOrder ? [enrollCustomer(customerId, program, ledger)] : []
  })
}

function openOrder(update: OrderUpdate, ledger: LoyaltyLedger): void {
  const { orderId, merchantId } = update
  const points = ledger.context.settings.conduct.loyalty.pointsPerOrder
  for (const accountId of earningAccounts(update, ledger)) {
    if (points === 0 || !isAccountPermitted('earn', accountId, ledger)) continue
    ledger.write({ kind: 'loyalty.points-pending', accountId, orderId, points })
    ledger.announce('loyalty.points_pending', accountId, { points, orderId, merchantId })
  }
  applyNamedCoupons(update, ledger)
}

/** Applies the coupons named by the order, if they belong to its customer and may be used. */
function applyNamedCoupons(
  { orderId, customerId, couponCodes }: OrderUpdate,
  ledger: LoyaltyLedger,
): void {
  const { couponIdByCode } = ledger.context.world.loyalty.host
  for (const code of new Set(couponCodes)) {
    const coupon = ledger.coupon(couponIdByCode.get(code) ?? '')
    if (!coupon || !isSameCustomer(coupon.customerId, customerId, ledger.context.world)) continue
    if (isAccountPermitted('use-coupon', coupon.accountId, ledger))
      moveCoupon(coupon.id, 'apply', { orderId }, ledger)
  }
}

function completeOrder(update: OrderUpdate, ledger: LoyaltyLedger): void {
  const { known, orderId } = update
  for (const accountId of earningAccounts(update, ledger)) earnPoints(accountId, update, ledger)
  if (known === undefined || known.standing === 'unheard') applyNamedCoupons(update, ledger)
  const { couponIdByCode } = ledger.context.world.loyalty.host
  const named = update.couponCodes.flatMap((code) => couponIdByCode.get(code) ?? [])
  for (const couponId of new Set([...(known?.couponIds ?? []), ...named])) {
    const coupon = ledger.coupon(couponId)
    if (coupon?.status !== 'applied' || coupon.orderId !== orderId) continue
    if (isAccountPermitted('use-coupon', coupon.accountId, ledger))
      moveCoupon(couponId, 'use', { orderId }, ledger)
  }
}

/** Earns the pending points; an account that may not earn any more forfeits them. */
function earnPoints(accountId: string, update: OrderUpdate, ledger: LoyaltyLedger): void {
  const { orderId, merchantId, amount, known } = update
  const pending = known?.pending[accountId] ?? 0
  const { context } = ledger
  if (!isAccountPermitted('earn', accountId, ledger)) {
    forfeitPending(accountId, update, ledger)
    return
  }
  const points = pending > 0 ? pending : context.settings.conduct.loyalty.pointsPerOrder
  if (points === 0) return
  ledger.write({
    kind: 'loyalty.points-earned',
    accountId,
    orderId,
    fromPending: pending,
    transaction: createTransaction(
      {
        accountId,
        type: 'earn',
        amount: points,
        relatedOrderId: orderId,
        ...(amount === undefined ? {} : { metadata: { orderAmount: amount } }),
      },
      ledger,
    ),
    ...pointsExpiry(context),
  })
  activateAccount(accountId, ledger)
  ledger.announce('loyalty.points_accrued', accountId, { points, orderId, merchantId })
}

function forfeitPending(
  accountId: string,
  { known, orderId, merchantId }: OrderUpdate,
  ledger: LoyaltyLedger,
): void {
  const pending = known?.pending[accountId] ?? 0
  if (pending === 0) return
  const reason = `account_${ledger.account(accountId).status.toLowerCase()}`
  ledger.write({ kind: 'loyalty.points-pending', accountId, orderId, points: -pending })
  ledger.announce('loyalty.points_pending', accountId, {
    points: -pending,
    orderId,
    merchantId,
    reason,
  })
}

// Redemptions: balance check and reservation happen in one decision, so that concurrent calls
// cannot spend the same points twice (LOY-RUL-01); burn and coupon follow asynchronously
// (LOY-FLW-03).

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

/** The initial facts of a session: programs and rewards exist before the first request. */
export const initialLoyaltyFacts = ({ roles, switchedOff, loyalty }: Settings): readonly Fact[] =>
  roles.includes('crm') && !switchedOff.has('loyalty')
    ? [{ kind: 'loyalty.opened', ...loyalty }]
    : []

export const loyaltyDecisions: Decisions<LoyaltyCommand> = {
  ...loyaltyAccountDecisions,
  'loyalty.store-programs': ({ programs }) =>
    ok(programs.map((program) => ({ kind: 'loyalty.program-stored', program }))),
  'loyalty.store-reward': ({ reward }, { world }) =>
    world.loyalty.host.programs.has(reward.programId)
      ? ok([{ kind: 'loyalty.reward-stored', reward }])
      : refuse('NOT_FOUND', `there is no program ${reward.programId}`),
  'loyalty.redeem'({ request }, context) {
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
  },
  /** Completes an accepted redemption. If the account was suspended meanwhile, the redemption is reversed. */
  'loyalty.complete-redemption'({ redemptionId }, context) {
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
  },
  'loyalty.reverse-redemption'({ redemptionId }, context) {
    const found = findRedemption(redemptionId, context.world)
    if (!found.ok) return found
    if (found.value.status === 'REVERSED') return ok([])
    const ledger = openLedger(context)
    return reverseRedemption(found.value, 'by_hand', ledger)
      ? ok(ledger.facts())
      : refuse('CONFLICT', `the coupon of redemption ${redemptionId} is used`)
  },
  // Coupons: grant, move by its lifecycle, expire (LOY-UND-03, LOY-PRM-04).
  'loyalty.grant-coupon'({ accountId, type, value }, context) {
    const found = findLoyaltyAccount(accountId, context.world)
    if (!found.ok) return found
    const ledger = openLedger(context)
    issueCoupon(accountId, { type, ...compact({ value }) }, ledger)
    return ok(ledger.facts())
  },
  'loyalty.move-coupon'(command, context) {
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
  },
  'loyalty.age-coupon'({ couponId }, context) {
    const ledger = openLedger(context)
    moveCoupon(couponId, 'expire', {}, ledger)
    return ok(ledger.facts())
  },
  'loyalty.order-news'(command, context) {
    const { orderId, news, amount, couponCodes = [] } = command
    const known = context.world.loyalty.host.orders.get(orderId)
    if (!changesStanding(known?.standing ?? 'unheard', news)) return ok([])
    const customerId = known?.customerId ?? command.customerId
    if (customerId === undefined)
      return refuse(
        'UNPROCESSABLE',
        `customerId: the customer of the order ${orderId} is not known`,
      )
    const merchantId = command.merchantId ?? known?.merchantId
    const order = { orderId, customerId, ...compact({ merchantId }) }
    const update: OrderUpdate = { ...order, known, amount, couponCodes }
    const ledger = openLedger(context)
    ledger.write({ kind: 'loyalty.order-heard', ...order, news })
    if (news === 'open') openOrder(update, ledger)
    if (news === 'completed') completeOrder(update, ledger)
    if (news === 'canceled' && known) rollBackOrder(known, ledger)
    return ok(ledger.facts())
  },
  // Both sides deduplicate events by their id (document 1, Events).
  'loyalty.notify'({ event }, { world }) {
    const { key: eventId, eventType } = readLoyaltyEvent(event)
    return ok([
      world.loyalty.host.seenEvents.has(eventId)
        ? { kind: 'loyalty.event-repeated', eventId }
        : { kind: 'loyalty.event-heard', eventId, eventType },
    ])
  },
  'reward.read': readResource,
  'reward.redeem': callRedemption,
  'reward.notify'({ event }, { world }) {
    const { key: eventId, eventType, accountId, orderId } = readLoyaltyEvent(event)
    return ok([
      world.loyalty.guest.seenEvents.has(eventId)
        ? { kind: 'reward.event-repeated', eventId }
        : { kind: 'reward.heard', eventId, eventType, ...compact({ accountId, orderId }) },
    ])
  },
}
