/**
 * Collects the facts of several movements in one decision and applies them, by the world's own reducers, to working
 * copies of accounts and coupons. Each movement sees the balances left by the ones before: a cancelled order may reverse
 * three redemptions of one account, and the third must not see a stale balance.
 */
import type { LoyaltyEventType } from '../../protocol/loyalty/events.ts'
import { loyaltyAccountStep } from '../../protocol/loyalty/account-lifecycle.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { availablePoints, createAccountRecord } from './reduce-account.ts'
import { reduceCoupon } from './reduce-coupon.ts'
import { accountAfter, accountIdOfFact, isAccountFact } from './account-facts.ts'
import type { LoyaltyHostFact } from './host-facts.ts'
import type { CouponRecord, LotExpiry, LoyaltyAccountRecord, TransactionRecord } from './world.ts'
import { compact } from '../../base/compact.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import { newEventId } from '../emitted-event.ts'
import { isoOf } from '../instant.ts'

// Announces a movement: each loyalty event is built here once, with its id, by which receivers
// deduplicate retries (C15, LOY-UND-06).

/** Optional details of an event, besides account and balance. */
interface LoyaltyEventDetails {
  readonly points?: number
  readonly orderId?: string | undefined
  readonly merchantId?: string | undefined
  readonly redemptionId?: string | undefined
  readonly coupon?: Pick<CouponRecord, 'id' | 'code' | 'status'> | undefined
  readonly reason?: string | undefined
}

function payloadOf(
  account: LoyaltyAccountRecord,
  details: LoyaltyEventDetails,
): Readonly<Record<string, unknown>> {
  const { orderId, redemptionId, coupon, reason, points } = details
  return {
    customerId: account.customerId,
    programId: account.programId,
    accountId: account.id,
    ...compact({ points }),
    balance: availablePoints(account),
    pending: account.pending,
    ...(orderId === undefined ? {} : { orderId, relatedOrderId: orderId }),
    ...compact({ redemptionId }),
    ...(coupon
      ? { couponId: coupon.id, couponCode: coupon.code, couponStatus: coupon.status }
      : {}),
    ...compact({ reason }),
  }
}

const operation = 'receiveLoyaltyEvent'

/**
 * The fact of an event, with the account as it is after the movement; none if Loyalty is switched off, or the partner has no
 * name for such events.
 */
function announceLoyaltyEvent(
  eventType: LoyaltyEventType,
  account: LoyaltyAccountRecord,
  details: LoyaltyEventDetails,
  { settings, now, chance }: DecisionContext,
): readonly Fact[] {
  const isNamed = bodyTranslator(settings.conduct)?.hasWord(operation, 'eventType', eventType)
  if (settings.switchedOff.has('loyalty') || isNamed === false) return []
  const eventId = newEventId(chance('loyalty.events'))
  const occurredAt = isoOf(now)
  const payload = payloadOf(account, details)
  const { customerId, programId, id: accountId } = account
  const merchantId = details.merchantId ?? account.merchantId
  const body =
    settings.conduct.loyalty.eventBody === 'wrapped'
      ? { event: { eventId, eventType, entityType: 'loyalty', occurredAt, payload } }
      : { id: eventId, eventType, occurredAt, accountId, customerId, programId, payload }
  return [
    {
      kind: 'event.announced',
      event: {
        eventId,
        eventType,
        from: 'crm',
        to: 'ordering-application',
        operation,
        entityId: details.coupon?.id ?? accountId,
        ...compact({ orderId: details.orderId, merchantId }),
        body,
      },
    },
  ]
}

export interface LoyaltyLedger {
  readonly context: DecisionContext
  readonly facts: () => readonly Fact[]
  /** Current working copy of the account; throws if it does not exist. */
  readonly account: (accountId: string) => LoyaltyAccountRecord
  /** The same; undefined if the account has been evicted. */
  readonly accountIfAny: (accountId: string) => LoyaltyAccountRecord | undefined
  readonly coupon: (couponId: string) => CouponRecord | undefined
  readonly write: (fact: LoyaltyHostFact) => void
  readonly announce: (
    type: LoyaltyEventType,
    accountId: string,
    details: LoyaltyEventDetails,
  ) => void
}

export function openLedger(context: DecisionContext): LoyaltyLedger {
  const { world, now } = context
  const { host } = world.loyalty
  const accounts = new Map<string, LoyaltyAccountRecord>()
  const coupons = new Map<string, CouponRecord>()
  const facts: Fact[] = []

  const accountIfAny = (accountId: string): LoyaltyAccountRecord | undefined =>
    accounts.get(accountId) ?? host.accounts.get(accountId)

  function account(accountId: string): LoyaltyAccountRecord {
    const known = accountIfAny(accountId)
    if (!known)
      throw new Error(`a movement of the loyalty account ${accountId}, which is not there`)
    return known
  }

  const coupon = (couponId: string): CouponRecord | undefined =>
    coupons.get(couponId) ?? host.coupons.get(couponId)

  function write(fact: LoyaltyHostFact): void {
    facts.push(fact)
    if (isAccountFact(fact)) {
      const before = accountIfAny(accountIdOfFact(fact))
      if (before) accounts.set(before.id, accountAfter(before, fact, now))
    }
    if (fact.kind === 'loyalty.account-enrolled')
      accounts.set(fact.account.id, createAccountRecord(fact.account, now))
    if (fact.kind === 'loyalty.coupon-issued') coupons.set(fact.coupon.id, fact.coupon)
    if (fact.kind === 'loyalty.coupon-moved') {
      const before = coupon(fact.couponId)
      if (before) coupons.set(before.id, reduceCoupon(before, fact, now))
    }
  }

  return {
    context,
    facts: () => facts,
    account,
    accountIfAny,
    coupon,
    write,
    announce(type, accountId, details) {
      const announcedAccount = accountIfAny(accountId)
      if (announcedAccount)
        facts.push(...announceLoyaltyEvent(type, announcedAccount, details, context))
    },
  }
}

/** A transaction before it has an id and a time. */
type Movement = Pick<
  TransactionRecord,
  'accountId' | 'type' | 'amount' | 'relatedOrderId' | 'metadata'
>

/** Adds id and time to a movement of points. */
export const createTransaction = (
  movement: Movement,
  { context }: LoyaltyLedger,
): TransactionRecord => ({
  id: context.chance('loyalty.ids').uuid(),
  occurredAt: context.now,
  ...movement,
})

/** Expiry of points added now; none when `pointsLife` is 0. */
export function pointsExpiry({ settings, now }: DecisionContext): { readonly end?: LotExpiry } {
  const { pointsLife, expiringSoon } = settings.conduct.loyalty
  return pointsLife === 0
    ? {}
    : { end: { expiresAt: now + pointsLife, soon: pointsLife <= expiringSoon } }
}

/** The first transaction makes an account active (LOY-ACC-02). */
export function activateAccount(accountId: string, ledger: LoyaltyLedger): void {
  const { status } = ledger.account(accountId)
  const row = loyaltyAccountStep(status, 'first-transaction')
  if (!row) return
  const { trigger, to } = row
  ledger.write({ kind: 'loyalty.account-moved', accountId, trigger, from: status, to })
}
