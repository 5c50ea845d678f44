/** Reducer for the Loyalty host's world; accounts and coupons have reducers of their own. */
import { compact } from '../../compact.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import { reduceAccount, accountIdOfFact, createAccountRecord } from './reduce-account.ts'
import { reduceCoupon } from './reduce-coupon.ts'
import type { LoyaltyHostFact } from './fact.ts'
import {
  type LoyaltyAccountRecord,
  type CouponRecord,
  loyaltyBounds,
  type LoyaltyHostWorld,
  type LoyaltyOrder,
  type RedemptionRecord,
  type TransactionRecord,
} from './world.ts'

type Of<Kind extends LoyaltyHostFact['kind']> = Extract<LoyaltyHostFact, { kind: Kind }>

export function applyLoyaltyHost(
  world: LoyaltyHostWorld,
  fact: LoyaltyHostFact,
  at: Instant,
): void {
  const accountId = accountIdOfFact(fact)
  const account = accountId === undefined ? undefined : world.accounts.get(accountId)
  if (account) world.accounts.set(account.id, reduceAccount(account, fact, at))
  if ('transaction' in fact) appendTransaction(world, fact.transaction)
  applyOthers(world, fact, at)
}

/** Changes beside accounts and their transactions. */
function applyOthers(world: LoyaltyHostWorld, fact: LoyaltyHostFact, at: Instant): void {
  switch (fact.kind) {
    case 'loyalty.opened':
      for (const program of fact.programs) world.programs.set(program.id, program)
      for (const reward of fact.rewards) world.rewards.set(reward.id, reward)
      return
    case 'loyalty.program-stored':
      return setBounded(world.programs, fact.program.id, fact.program, loyaltyBounds.programs)
    case 'loyalty.reward-stored':
      return setBounded(world.rewards, fact.reward.id, fact.reward, loyaltyBounds.rewards)
    case 'loyalty.account-enrolled':
      return addAccount(world, createAccountRecord(fact, at))
    case 'loyalty.order-heard':
      return applyOrderNews(world, fact)
    case 'loyalty.points-pending':
      return changePending(world, fact)
    case 'loyalty.points-earned':
      return changeOrder(world, fact.orderId, ({ pending }) => ({
        pending: withoutAccount(pending, fact.accountId),
      }))
    case 'loyalty.redemption-accepted':
      return acceptRedemption(world, fact.redemption)
    case 'loyalty.redemption-completed':
      return changeRedemption(world, fact.redemptionId, {
        status: 'COMPLETED',
        couponId: fact.couponId,
      })
    case 'loyalty.redemption-reversed':
      return changeRedemption(world, fact.redemptionId, { status: 'REVERSED' })
    case 'loyalty.coupon-issued':
      return addCoupon(world, fact.coupon)
    case 'loyalty.coupon-moved': {
      const coupon = world.coupons.get(fact.couponId)
      if (coupon) world.coupons.set(coupon.id, reduceCoupon(coupon, fact, at))
      if (fact.orderId !== undefined) attachCoupon(world, fact.orderId, coupon, fact.couponId)
      return
    }
    case 'loyalty.event-heard':
      addBounded(world.seenEvents, fact.eventId, loyaltyBounds.seenEvents)
      return
    default:
      return
  }
}

/** Adds an account. The oldest is evicted with its transactions; coupons have a limit of their own. */
function addAccount(
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
function appendTransaction(
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

const withoutAccount = (
  pending: LoyaltyOrder['pending'],
  accountId: string,
): LoyaltyOrder['pending'] =>
  Object.fromEntries(Object.entries(pending).filter(([each]) => each !== accountId))

const createOrder = (orderId: string, customerId: string): LoyaltyOrder => ({
  orderId,
  customerId,
  standing: 'unheard',
  pending: {},
  redemptionIds: [],
  couponIds: [],
})

function applyOrderNews(world: LoyaltyHostWorld, fact: Of<'loyalty.order-heard'>): void {
  const { orderId, customerId, merchantId, news } = fact
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

function changePending(world: LoyaltyHostWorld, fact: Of<'loyalty.points-pending'>): void {
  const { accountId, orderId, points } = fact
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

function acceptRedemption(world: LoyaltyHostWorld, redemption: RedemptionRecord): void {
  const { id, orderId, accountId } = redemption
  world.redemptions.set(id, redemption)
  const customerId = world.accounts.get(accountId)?.customerId
  if (orderId === undefined || customerId === undefined) return
  if (!world.orders.has(orderId)) world.orders.set(orderId, createOrder(orderId, customerId))
  changeOrder(world, orderId, ({ redemptionIds }) => ({ redemptionIds: [...redemptionIds, id] }))
}

function changeRedemption(
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
function addCoupon({ coupons, couponIdByCode }: LoyaltyHostWorld, coupon: CouponRecord): void {
  setBounded(coupons, coupon.id, coupon, loyaltyBounds.coupons)
  setBounded(couponIdByCode, coupon.code, coupon.id, loyaltyBounds.coupons)
}

/** Adds a coupon to its order, so that the order's cancellation can roll it back. */
function attachCoupon(
  world: LoyaltyHostWorld,
  orderId: string,
  coupon: CouponRecord | undefined,
  couponId: string,
): void {
  if (!coupon) return
  if (!world.orders.has(orderId)) world.orders.set(orderId, createOrder(orderId, coupon.customerId))
  changeOrder(world, orderId, ({ couponIds }) =>
    couponIds.includes(couponId) ? {} : { couponIds: [...couponIds, couponId] },
  )
}
