/** Changes of the records in the Loyalty host's world, besides those of one account or coupon. */
import { compact } from '../../base/compact.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { OrderNews } from '../../protocol/loyalty/order-standing.ts'
import {
  type LoyaltyAccountRecord,
  type CouponRecord,
  loyaltyBounds,
  type LoyaltyHostWorld,
  type LoyaltyOrder,
  type RedemptionRecord,
  type TransactionRecord,
} from './world.ts'

/** Adds an account. The oldest is evicted with its transactions; coupons have a limit of their own. */
export function addAccount(
  { accounts, accountIdsByCustomer: accountsOf, transactions }: LoyaltyHostWorld,
  account: LoyaltyAccountRecord,
): void {
  const { id, customerId } = account
  const before = (accountsOf.get(customerId) ?? []).filter((each) => accounts.has(each))
  setBounded(accounts, id, account, loyaltyBounds.accounts)
  setBounded(transactions, id, [], loyaltyBounds.accounts)
  setBounded(accountsOf, customerId, [...before, id], loyaltyBounds.accounts)
}

/** Appends a transaction. Above the limit the two oldest are merged into one, so that the sum stays the balance. */
export function appendTransaction(
  { transactions }: LoyaltyHostWorld,
  transaction: TransactionRecord,
): void {
  const before = transactions.get(transaction.accountId)
  if (!before) return
  const [first, second, ...others] = before
  const isFull = before.length >= loyaltyBounds.transactions && first && second
  const transactionsKept = isFull ? [mergeTransactions(first, second), ...others] : before
  transactions.set(transaction.accountId, [...transactionsKept, transaction])
}

function mergeTransactions(first: TransactionRecord, second: TransactionRecord): TransactionRecord {
  const count = first.metadata?.['transactions']
  return {
    id: first.id,
    accountId: first.accountId,
    type: 'adjust',
    amount: first.amount + second.amount,
    occurredAt: second.occurredAt,
    metadata: {
      reason: 'carried_forward',
      transactions: (typeof count === 'number' ? count : 1) + 1,
    },
  }
}

function changeOrder(
  { orders }: LoyaltyHostWorld,
  orderId: string,
  change: (order: LoyaltyOrder) => Partial<LoyaltyOrder>,
): void {
  const order = orders.get(orderId)
  if (order) orders.set(orderId, { ...order, ...change(order) })
}

/** An account in which an order earns points. */
interface OrderAccount {
  readonly orderId: string
  readonly accountId: string
}

const withoutAccount = (
  pending: LoyaltyOrder['pending'],
  accountId: string,
): LoyaltyOrder['pending'] =>
  Object.fromEntries(Object.entries(pending).filter(([each]) => each !== accountId))

export interface OrderUpdate extends Pick<LoyaltyOrder, 'orderId' | 'customerId' | 'merchantId'> {
  readonly news: OrderNews
}

const createOrder = (orderId: string, customerId: string): LoyaltyOrder => ({
  orderId,
  customerId,
  standing: 'unheard',
  pending: {},
  redemptionIds: [],
  couponIds: [],
})

export function applyOrderNews(
  world: LoyaltyHostWorld,
  { orderId, customerId, merchantId, news }: OrderUpdate,
): void {
  const before = world.orders.get(orderId) ?? createOrder(orderId, customerId)
  world.orders.set(orderId, {
    ...before,
    ...compact({ merchantId }),
    standing: news,
  })
  if (news === 'open') return
  const evictedId = addBounded(world.finishedOrders, orderId, loyaltyBounds.finishedOrders)
  if (evictedId !== undefined) world.orders.delete(evictedId)
}

export function changePending(
  world: LoyaltyHostWorld,
  { accountId, orderId, points }: OrderAccount & { readonly points: number },
): void {
  changeOrder(world, orderId, ({ pending }) => {
    const sum = (pending[accountId] ?? 0) + points
    return {
      pending: {
        ...withoutAccount(pending, accountId),
        ...(sum === 0 ? {} : { [accountId]: sum }),
      },
    }
  })
}

export const forgetPending = (
  world: LoyaltyHostWorld,
  { orderId, accountId }: OrderAccount,
): void =>
  changeOrder(world, orderId, ({ pending }) => ({ pending: withoutAccount(pending, accountId) }))

export function acceptRedemption(world: LoyaltyHostWorld, redemption: RedemptionRecord): void {
  const { id, orderId, accountId } = redemption
  world.redemptions.set(id, redemption)
  const customerId = world.accounts.get(accountId)?.customerId
  if (orderId === undefined || customerId === undefined) return
  if (!world.orders.has(orderId)) world.orders.set(orderId, createOrder(orderId, customerId))
  changeOrder(world, orderId, ({ redemptionIds }) => ({ redemptionIds: [...redemptionIds, id] }))
}

export function changeRedemption(
  world: LoyaltyHostWorld,
  redemptionId: string,
  changes: Partial<RedemptionRecord>,
): void {
  const { redemptions, finishedRedemptions: redemptionsOver } = world
  const redemption = redemptions.get(redemptionId)
  if (!redemption) return
  redemptions.set(redemptionId, { ...redemption, ...changes })
  const evictedId = addBounded(redemptionsOver, redemptionId, loyaltyBounds.finishedRedemptions)
  if (evictedId !== undefined) redemptions.delete(evictedId)
}

/** Each coupon has one code, so both maps evict together. */
export function addCoupon(
  { coupons, couponIdByCode }: LoyaltyHostWorld,
  coupon: CouponRecord,
): void {
  setBounded(coupons, coupon.id, coupon, loyaltyBounds.coupons)
  setBounded(couponIdByCode, coupon.code, coupon.id, loyaltyBounds.coupons)
}

/** Adds a coupon to its order, so that the order's cancellation can roll it back. */
export function attachCoupon(
  world: LoyaltyHostWorld,
  orderId: string,
  { id: couponId, customerId }: CouponRecord,
): void {
  if (!world.orders.has(orderId)) world.orders.set(orderId, createOrder(orderId, customerId))
  changeOrder(world, orderId, ({ couponIds }) =>
    couponIds.includes(couponId) ? {} : { couponIds: [...couponIds, couponId] },
  )
}
