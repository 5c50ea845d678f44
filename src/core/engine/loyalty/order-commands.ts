/**
 * Effects of an order's news: points are pending while it is open, earned when it is completed, and rolled back when it
 * is cancelled (LOY-EVR-01, LOY-EVR-02). Idempotent: repeated news of an order change nothing.
 */
import { compact } from '../../base/compact.ts'
import { type AccountOperation, isPermitted } from '../../protocol/loyalty/account-lifecycle.ts'
import { changesStanding } from '../../protocol/loyalty/order-standing.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { enrollCustomer, enrolledMay } from './account-commands.ts'
import { refuse } from '../refusal.ts'
import { moveCoupon } from './coupon-moves.ts'
import { accountInProgram, isSameCustomer } from './find.ts'
import {
  activateAccount,
  pointsExpiry,
  type LoyaltyLedger,
  openLedger,
  createTransaction,
} from './ledger.ts'
import { rollBackOrder } from './roll-back-order.ts'
import type { LoyaltyOrder } from './world.ts'

/** An order's news, together with the stored order. */
interface OrderUpdate extends Pick<LoyaltyOrder, 'orderId' | 'customerId' | 'merchantId'> {
  readonly known?: LoyaltyOrder | undefined
  readonly amount?: number | undefined
  readonly couponCodes: readonly string[]
}

export function decideOrderNews(
  command: CommandOf<'loyalty.order-news'>,
  context: DecisionContext,
): Decision {
  const { orderId, news, amount, couponCodes = [] } = command
  const known = context.world.loyalty.host.orders.get(orderId)
  if (!changesStanding(known?.standing ?? 'unheard', news)) return ok([])
  const customerId = known?.customerId ?? command.customerId
  if (customerId === undefined)
    return refuse('UNPROCESSABLE', `customerId: the customer of the order ${orderId} is not known`)
  const merchantId = command.merchantId ?? known?.merchantId
  const order = { orderId, customerId, ...compact({ merchantId }) }
  const update: OrderUpdate = { ...order, known, amount, couponCodes }
  const ledger = openLedger(context)
  ledger.write({ kind: 'loyalty.order-heard', ...order, news })
  if (news === 'open') openOrder(update, ledger)
  if (news === 'completed') completeOrder(update, ledger)
  if (news === 'canceled' && known) rollBackOrder(known, ledger)
  return ok(ledger.facts())
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

/** The accounts that the order earns in: one per program of its store, enrolling new ones with `enrollment: first-order`. */
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
