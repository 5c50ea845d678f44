/**
 * Collects the facts of several movements in one decision and applies them, by the world's own reducers, to working
 * copies of accounts and coupons. Each movement sees the balances left by the ones before: a cancelled order may reverse
 * three redemptions of one account, and the third must not see a stale balance.
 */
import type { LoyaltyEventType } from '../../protocol/loyalty/events.ts'
import { accountStep } from '../../protocol/loyalty/account-lifecycle.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { accountAfter, accountOfFact, newAccount } from './account-record.ts'
import { announced, type Said } from './announce.ts'
import { couponAfter } from './coupon-record.ts'
import type { LoyaltyHostFact, LotEnd } from './fact.ts'
import type { AccountRecord, CouponRecord, TransactionRecord } from './world.ts'

export interface Ledger {
  readonly context: Context
  readonly facts: () => readonly Fact[]
  /** Current working copy of the account; throws if it does not exist. */
  readonly account: (accountId: string) => AccountRecord
  /** The same; undefined if the account has been evicted. */
  readonly accountIfAny: (accountId: string) => AccountRecord | undefined
  readonly coupon: (couponId: string) => CouponRecord | undefined
  readonly write: (fact: LoyaltyHostFact) => void
  readonly announce: (type: LoyaltyEventType, accountId: string, said: Said) => void
}

export function openLedger(context: Context): Ledger {
  const { world, now } = context
  const { host } = world.loyalty
  const accounts = new Map<string, AccountRecord>()
  const coupons = new Map<string, CouponRecord>()
  const facts: Fact[] = []

  const accountIfAny = (accountId: string): AccountRecord | undefined =>
    accounts.get(accountId) ?? host.accounts.get(accountId)

  function account(accountId: string): AccountRecord {
    const known = accountIfAny(accountId)
    if (!known)
      throw new Error(`a movement of the loyalty account ${accountId}, which is not there`)
    return known
  }

  const coupon = (couponId: string): CouponRecord | undefined =>
    coupons.get(couponId) ?? host.coupons.get(couponId)

  function write(fact: LoyaltyHostFact): void {
    facts.push(fact)
    if (fact.kind === 'loyalty.account-enrolled') {
      accounts.set(fact.account.id, newAccount(fact, now))
      return
    }
    if (fact.kind === 'loyalty.coupon-issued') {
      coupons.set(fact.coupon.id, fact.coupon)
      return
    }
    if (fact.kind === 'loyalty.coupon-moved') {
      const before = coupon(fact.couponId)
      if (before) coupons.set(before.id, couponAfter(before, fact, now))
      return
    }
    const accountId = accountOfFact(fact)
    const before = accountId === undefined ? undefined : accountIfAny(accountId)
    if (before) accounts.set(before.id, accountAfter(before, fact, now))
  }

  return {
    context,
    facts: () => facts,
    account,
    accountIfAny,
    coupon,
    write,
    announce(type, accountId, said) {
      const announcedAccount = accountIfAny(accountId)
      if (announcedAccount) facts.push(...announced(type, announcedAccount, said, context))
    },
  }
}

/** A transaction before it has an id and a time. */
type Movement = Pick<
  TransactionRecord,
  'accountId' | 'type' | 'amount' | 'relatedOrderId' | 'metadata'
>

/** Adds id and time to a movement of points. */
export const transactionOf = (movement: Movement, { context }: Ledger): TransactionRecord => ({
  id: context.chance('loyalty.ids').uuid(),
  occurredAt: context.now,
  ...movement,
})

/** Expiry of points added now; none when `pointsLife` is 0. */
export function endOfPoints({ settings, now }: Context): { readonly end?: LotEnd } {
  const { pointsLife, expiringSoon } = settings.conduct.loyalty
  return pointsLife === 0
    ? {}
    : { end: { expiresAt: now + pointsLife, soon: pointsLife <= expiringSoon } }
}

/** The first transaction makes an account active (LOY-ACC-02). */
export function activate(accountId: string, ledger: Ledger): void {
  const { status } = ledger.account(accountId)
  const row = accountStep(status, 'first-transaction')
  if (!row) return
  const { trigger, to } = row
  ledger.write({ kind: 'loyalty.account-moved', accountId, trigger, from: status, to })
}
