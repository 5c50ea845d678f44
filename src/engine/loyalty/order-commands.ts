/**
 * Effects of an order's news: points are pending while it is open, earned when it is completed, and rolled back when it
 * is cancelled (LOY-EVR-01, LOY-EVR-02). Idempotent: repeated news of an order change nothing.
 */
import { compact } from '../../compact.ts'
import { type AccountOperation, permits } from '../../protocol/loyalty/account-lifecycle.ts'
import { isNewsTo } from '../../protocol/loyalty/order-standing.ts'
import { ok } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import { enrolled, enrolledMay } from './account-commands.ts'
import { refuse } from '../refusal.ts'
import type { LoyaltyCommand } from './command.ts'
import { moveCoupon } from './coupon-moves.ts'
import { accountIn, isSameCustomer } from './find.ts'
import { activate, endOfPoints, type Ledger, openLedger, transactionOf } from './ledger.ts'
import { rollBack } from './rollback.ts'
import type { OrderAccount } from './world.ts'

type OrderNewsCommand = Extract<LoyaltyCommand, { kind: 'loyalty.order-news' }>

/** An order's news, together with the stored order. */
interface OrderUpdate extends Pick<OrderAccount, 'orderId' | 'customerId' | 'merchantId'> {
  readonly known?: OrderAccount | undefined
  readonly amount?: number | undefined
  readonly couponCodes: readonly string[]
}

export function decideOrderNews(command: OrderNewsCommand, context: Context): Decision {
  const { orderId, news, amount, couponCodes = [] } = command
  const known = context.world.loyalty.host.orders.get(orderId)
  if (!isNewsTo(known?.standing ?? 'unheard', news)) return ok([])
  const customerId = known?.customerId ?? command.customerId
  if (customerId === undefined)
    return refuse('UNPROCESSABLE', `customerId: nobody knows whose the order ${orderId} is`)
  const merchantId = command.merchantId ?? known?.merchantId
  const order = { orderId, customerId, ...compact({ merchantId }) }
  const update: OrderUpdate = { ...order, known, amount, couponCodes }
  const ledger = openLedger(context)
  ledger.write({ kind: 'loyalty.order-heard', ...order, news })
  if (news === 'open') openOrder(update, ledger)
  if (news === 'completed') completeOrder(update, ledger)
  if (news === 'canceled' && known) rollBack(known, ledger)
  return ok(ledger.facts())
}

function isAccountPermitted(
  operation: AccountOperation,
  accountId: string,
  ledger: Ledger,
): boolean {
  const account = ledger.accountIfAny(accountId)
  return account !== undefined && permits(account.status, operation, enrolledMay(ledger.context))
}

/** The accounts that the order earns in: one per program of its store, enrolling new ones with `enrollment: first-order`. */
function earningAccounts(
  { customerId, merchantId }: OrderUpdate,
  ledger: Ledger,
): readonly string[] {
  const { world, settings } = ledger.context
  const enrollsOnFirstOrder = settings.conduct.loyalty.enrollment === 'first-order'
  return [...world.loyalty.host.programs.values()].flatMap((program) => {
    if (program.merchantId !== undefined && program.merchantId !== merchantId) return []
    const account = accountIn(customerId, program.id, world)
    if (account) return [account.id]
    return enrollsOnFirstOrder ? [enrolled(customerId, program, ledger)] : []
  })
}

function openOrder(update: OrderUpdate, ledger: Ledger): void {
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
  ledger: Ledger,
): void {
  const { couponIdByCode } = ledger.context.world.loyalty.host
  for (const code of new Set(couponCodes)) {
    const coupon = ledger.coupon(couponIdByCode.get(code) ?? '')
    if (!coupon || !isSameCustomer(coupon.customerId, customerId, ledger.context.world)) continue
    if (isAccountPermitted('use-coupon', coupon.accountId, ledger))
      moveCoupon(coupon.id, 'apply', { orderId }, ledger)
  }
}

function completeOrder(update: OrderUpdate, ledger: Ledger): void {
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
function earnPoints(accountId: string, update: OrderUpdate, ledger: Ledger): void {
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
    transaction: transactionOf(
      {
        accountId,
        type: 'earn',
        amount: points,
        relatedOrderId: orderId,
        ...(amount === undefined ? {} : { metadata: { orderAmount: amount } }),
      },
      ledger,
    ),
    ...endOfPoints(context),
  })
  activate(accountId, ledger)
  ledger.announce('loyalty.points_accrued', accountId, { points, orderId, merchantId })
}

function forfeitPending(
  accountId: string,
  { known, orderId, merchantId }: OrderUpdate,
  ledger: Ledger,
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
