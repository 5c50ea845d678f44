/** What the Loyalty host holds after a fact. Accounts and coupons change by their own rules; here is what belongs together. */
import { addBounded, setBounded } from '../bounded.ts'
import type { Instant } from '../instant.ts'
import { accountAfter, accountOfFact, newAccount } from './account-record.ts'
import { couponAfter } from './coupon-record.ts'
import type { LoyaltyHostFact } from './fact.ts'
import {
  type AccountRecord,
  type CouponRecord,
  loyaltyBounds,
  type LoyaltyHostWorld,
  type OrderAccount,
  type RedemptionRecord,
  type TransactionRecord,
} from './world.ts'

type Of<Kind extends LoyaltyHostFact['kind']> = Extract<LoyaltyHostFact, { kind: Kind }>

export function applyHost(world: LoyaltyHostWorld, fact: LoyaltyHostFact, at: Instant): void {
  const accountId = accountOfFact(fact)
  const account = accountId === undefined ? undefined : world.accounts.get(accountId)
  if (account) world.accounts.set(account.id, accountAfter(account, fact, at))
  if ('transaction' in fact) record(world, fact.transaction)
  applyOthers(world, fact, at)
}

/** What facts change beside accounts and their transactions. */
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
      return enroll(world, newAccount(fact, at))
    case 'loyalty.order-heard':
      return hear(world, fact)
    case 'loyalty.points-pending':
      return holdPending(world, fact)
    case 'loyalty.points-earned':
      return changeOrder(world, fact.orderId, ({ pending }) => ({
        pending: without(pending, fact.accountId),
      }))
    case 'loyalty.redemption-accepted':
      return accept(world, fact.redemption)
    case 'loyalty.redemption-completed':
      return changeRedemption(world, fact.redemptionId, {
        status: 'COMPLETED',
        couponId: fact.couponId,
      })
    case 'loyalty.redemption-reversed':
      return changeRedemption(world, fact.redemptionId, { status: 'REVERSED' })
    case 'loyalty.coupon-issued':
      return issue(world, fact.coupon)
    case 'loyalty.coupon-moved': {
      const coupon = world.coupons.get(fact.couponId)
      if (coupon) world.coupons.set(coupon.id, couponAfter(coupon, fact, at))
      if (fact.orderId !== undefined) attachCoupon(world, fact.orderId, coupon, fact.couponId)
      return
    }
    case 'loyalty.event-heard':
      addBounded(world.seen, fact.eventId, loyaltyBounds.seen)
      return
    default:
      return
  }
}

/** The oldest account leaves with its transactions; its coupons have a bound of their own. */
function enroll(
  { accounts, accountsOf, transactions }: LoyaltyHostWorld,
  account: AccountRecord,
): void {
  const { id, customerId } = account
  const before = (accountsOf.get(customerId) ?? []).filter((each) => accounts.has(each))
  setBounded(accounts, id, account, loyaltyBounds.accounts)
  setBounded(transactions, id, [], loyaltyBounds.accounts)
  setBounded(accountsOf, customerId, [...before, id], loyaltyBounds.accounts)
}

/** A list that only grows. When it is too long its two oldest become one, so that its sum stays the balance. */
function record({ transactions }: LoyaltyHostWorld, transaction: TransactionRecord): void {
  const before = transactions.get(transaction.accountId)
  if (!before) return
  const [first, second, ...others] = before
  const tooMany = before.length >= loyaltyBounds.transactions && first && second
  const kept = tooMany ? [carried(first, second), ...others] : before
  transactions.set(transaction.accountId, [...kept, transaction])
}

function carried(first: TransactionRecord, second: TransactionRecord): TransactionRecord {
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
  change: (order: OrderAccount) => Partial<OrderAccount>,
): void {
  const order = orders.get(orderId)
  if (order) orders.set(orderId, { ...order, ...change(order) })
}

const without = (pending: OrderAccount['pending'], accountId: string): OrderAccount['pending'] =>
  Object.fromEntries(Object.entries(pending).filter(([each]) => each !== accountId))

const unheard = (orderId: string, customerId: string): OrderAccount => ({
  orderId,
  customerId,
  standing: 'unheard',
  pending: {},
  redemptionIds: [],
  couponIds: [],
})

function hear(world: LoyaltyHostWorld, fact: Of<'loyalty.order-heard'>): void {
  const { orderId, customerId, merchantId, news } = fact
  const before = world.orders.get(orderId) ?? unheard(orderId, customerId)
  world.orders.set(orderId, {
    ...before,
    ...(merchantId === undefined ? {} : { merchantId }),
    standing: news,
  })
  if (news === 'open') return
  const forgotten = addBounded(world.ordersOver, orderId, loyaltyBounds.ordersOver)
  if (forgotten !== undefined) world.orders.delete(forgotten)
}

function holdPending(world: LoyaltyHostWorld, fact: Of<'loyalty.points-pending'>): void {
  const { accountId, orderId, points } = fact
  changeOrder(world, orderId, ({ pending }) => {
    const sum = (pending[accountId] ?? 0) + points
    return {
      pending: { ...without(pending, accountId), ...(sum === 0 ? {} : { [accountId]: sum }) },
    }
  })
}

function accept(world: LoyaltyHostWorld, redemption: RedemptionRecord): void {
  const { id, orderId, accountId } = redemption
  world.redemptions.set(id, redemption)
  const customerId = world.accounts.get(accountId)?.customerId
  if (orderId === undefined || customerId === undefined) return
  if (!world.orders.has(orderId)) world.orders.set(orderId, unheard(orderId, customerId))
  changeOrder(world, orderId, ({ redemptionIds }) => ({ redemptionIds: [...redemptionIds, id] }))
}

function changeRedemption(
  world: LoyaltyHostWorld,
  redemptionId: string,
  changes: Partial<RedemptionRecord>,
): void {
  const { redemptions, redemptionsOver } = world
  const redemption = redemptions.get(redemptionId)
  if (!redemption) return
  redemptions.set(redemptionId, { ...redemption, ...changes })
  const forgotten = addBounded(redemptionsOver, redemptionId, loyaltyBounds.redemptionsOver)
  if (forgotten !== undefined) redemptions.delete(forgotten)
}

/** A code stands for one coupon, so both leave together. */
function issue({ coupons, couponIdByCode }: LoyaltyHostWorld, coupon: CouponRecord): void {
  setBounded(coupons, coupon.id, coupon, loyaltyBounds.coupons)
  setBounded(couponIdByCode, coupon.code, coupon.id, loyaltyBounds.coupons)
}

/** A coupon is applied to an order, or used for it: the order knows, since its cancellation takes that back. */
function attachCoupon(
  world: LoyaltyHostWorld,
  orderId: string,
  coupon: CouponRecord | undefined,
  couponId: string,
): void {
  if (!coupon) return
  if (!world.orders.has(orderId)) world.orders.set(orderId, unheard(orderId, coupon.customerId))
  changeOrder(world, orderId, ({ couponIds }) =>
    couponIds.includes(couponId) ? {} : { couponIds: [...couponIds, couponId] },
  )
}
