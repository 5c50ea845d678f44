/**
 * What an order's news move: points are pending while it is open, earned when it is completed, and a cancelled order
 * takes back whatever it moved (LOY-EVR-01, LOY-EVR-02). An order counts once, however often it is told.
 */
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

/** An order's news with what is known of it by now. */
interface Heard extends Pick<OrderAccount, 'orderId' | 'customerId' | 'merchantId'> {
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
  const order = { orderId, customerId, ...(merchantId === undefined ? {} : { merchantId }) }
  const heard: Heard = { ...order, known, amount, couponCodes }
  const ledger = openLedger(context)
  ledger.write({ kind: 'loyalty.order-heard', ...order, news })
  if (news === 'open') opened(heard, ledger)
  if (news === 'completed') completed(heard, ledger)
  if (news === 'canceled' && known) rollBack(known, ledger)
  return ok(ledger.facts())
}

function may(operation: AccountOperation, accountId: string, ledger: Ledger): boolean {
  const account = ledger.accountIfAny(accountId)
  return account !== undefined && permits(account.status, operation, enrolledMay(ledger.context))
}

/** The accounts that the order counts for: one in each program of its store, and new ones where conduct says so. */
function accountsFor({ customerId, merchantId }: Heard, ledger: Ledger): readonly string[] {
  const { world, settings } = ledger.context
  const joins = settings.conduct.loyalty.enrollment === 'first-order'
  return [...world.loyalty.host.programs.values()].flatMap((program) => {
    if (program.merchantId !== undefined && program.merchantId !== merchantId) return []
    const account = accountIn(customerId, program.id, world)
    if (account) return [account.id]
    return joins ? [enrolled(customerId, program, ledger)] : []
  })
}

function opened(heard: Heard, ledger: Ledger): void {
  const { orderId, merchantId } = heard
  const points = ledger.context.settings.conduct.loyalty.pointsPerOrder
  for (const accountId of accountsFor(heard, ledger)) {
    if (points === 0 || !may('earn', accountId, ledger)) continue
    ledger.write({ kind: 'loyalty.points-pending', accountId, orderId, points })
    ledger.announce('loyalty.points_pending', accountId, { points, orderId, merchantId })
  }
  applyNamed(heard, ledger)
}

/** The coupons that the order names are applied to it, where they are this customer's and may be used. */
function applyNamed({ orderId, customerId, couponCodes }: Heard, ledger: Ledger): void {
  const { couponIdByCode } = ledger.context.world.loyalty.host
  for (const code of new Set(couponCodes)) {
    const coupon = ledger.coupon(couponIdByCode.get(code) ?? '')
    if (!coupon || !isSameCustomer(coupon.customerId, customerId, ledger.context.world)) continue
    if (may('use-coupon', coupon.accountId, ledger))
      moveCoupon(coupon.id, 'apply', { orderId }, ledger)
  }
}

function completed(heard: Heard, ledger: Ledger): void {
  const { known, orderId } = heard
  for (const accountId of accountsFor(heard, ledger)) earn(accountId, heard, ledger)
  if (known === undefined || known.standing === 'unheard') applyNamed(heard, ledger)
  const { couponIdByCode } = ledger.context.world.loyalty.host
  const named = heard.couponCodes.flatMap((code) => couponIdByCode.get(code) ?? [])
  for (const couponId of new Set([...(known?.couponIds ?? []), ...named])) {
    const coupon = ledger.coupon(couponId)
    if (coupon?.status !== 'applied' || coupon.orderId !== orderId) continue
    if (may('use-coupon', coupon.accountId, ledger))
      moveCoupon(couponId, 'use', { orderId }, ledger)
  }
}

/** What was pending is earned; an account that may not earn by now goes without. */
function earn(accountId: string, heard: Heard, ledger: Ledger): void {
  const { orderId, merchantId, amount, known } = heard
  const pending = known?.pending[accountId] ?? 0
  const { context } = ledger
  if (!may('earn', accountId, ledger)) {
    forgo(accountId, heard, ledger)
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

function forgo(accountId: string, { known, orderId, merchantId }: Heard, ledger: Ledger): void {
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
