/**
 * Facts of a Loyalty host that change one account. The change is a pure function, shared by the world and by
 * `LoyaltyLedger`, so that a decision with several movements sees the balance after each.
 */
import type { LoyaltyAccountStatus } from '../../protocol/loyalty/account.ts'
import type { LoyaltyAccountTrigger } from '../../protocol/loyalty/account-lifecycle.ts'
import type { FactIn, FactRow } from '../fact-row.ts'
import type { Instant } from '../instant.ts'
import { byForce, signedText } from '../short-text.ts'
import {
  acceptRedemption,
  appendTransaction,
  changePending,
  changeRedemption,
  forgetPending,
} from './host-records.ts'
import { addPoints, takePoints, withoutLot } from './reduce-account.ts'
import {
  type LotExpiry,
  type LoyaltyAccountRecord,
  loyaltyBounds,
  type LoyaltyHostWorld,
  type RedemptionRecord,
  type TransactionRecord,
} from './world.ts'

/** What a fact about one account says of it. */
type AboutAccount = { readonly transaction?: TransactionRecord } & (
  | { readonly accountId: string }
  | { readonly redemption: RedemptionRecord }
)

/** The row of a fact that changes one account. */
export interface AccountFactRow<Fields> extends FactRow<Fields> {
  /** The account after the fact. */
  account(account: LoyaltyAccountRecord, fact: Fields, at: Instant): LoyaltyAccountRecord
}

/** The id of the account that a fact changes. */
export const accountIdOfFact = (fact: AboutAccount): string =>
  'redemption' in fact ? fact.redemption.accountId : fact.accountId

/** A fact that changes one account, appends its transaction, and then changes what `apply` does. */
const accountFactRow = <Fields extends AboutAccount>(
  row: Pick<AccountFactRow<Fields>, 'text' | 'account'> & {
    apply?(host: LoyaltyHostWorld, fact: Fields): void
  },
): AccountFactRow<Fields> => ({
  ...row,
  apply({ loyalty: { host } }, fact, at) {
    const account = host.accounts.get(accountIdOfFact(fact))
    if (account) host.accounts.set(account.id, row.account(account, fact, at))
    if (fact.transaction) appendTransaction(host, fact.transaction)
    row.apply?.(host, fact)
  },
})

const reasonOf = ({ metadata }: TransactionRecord): string => {
  const reason = metadata?.['reason']
  return typeof reason === 'string' ? reason : 'by_hand'
}

export interface PointsMovement {
  accountId: string
  transaction: TransactionRecord
}

export const loyaltyAccountFacts = {
  /** An account changed its status. */
  'loyalty.account-moved': accountFactRow<{
    accountId: string
    trigger: LoyaltyAccountTrigger
    from: LoyaltyAccountStatus
    to: LoyaltyAccountStatus
    /** Forced by a command against the lifecycle. */
    forced?: true
  }>({
    text: (fact) => `loyalty account ${fact.from} > ${fact.to}${byForce(fact)}`,
    account: (account, { to, trigger }, at) => ({
      ...account,
      status: to,
      since: at,
      way: [...account.way, { status: to, at, trigger }].slice(-loyaltyBounds.steps),
    }),
  }),
  /** Pending points of an order changed; negative when they are removed without being earned. */
  'loyalty.points-pending': accountFactRow<{ accountId: string; orderId: string; points: number }>({
    text: ({ points }) => `${signedText(points)} points pending`,
    account: (account, { points }) => ({ ...account, pending: account.pending + points }),
    apply: changePending,
  }),
  /** A completed order earned points, `fromPending` of them pending before. */
  'loyalty.points-earned': accountFactRow<
    PointsMovement & { orderId: string; fromPending: number; end?: LotExpiry }
  >({
    text: ({ transaction }) => `${signedText(transaction.amount)} points earned`,
    account: (account, { transaction, end, fromPending }) => ({
      ...addPoints(account, transaction, end),
      pending: account.pending - fromPending,
    }),
    apply: forgetPending,
  }),
  /** A redemption spent its points. */
  'loyalty.points-burned': accountFactRow<PointsMovement>({
    text: ({ transaction }) => `${signedText(transaction.amount)} points spent`,
    account: (account, { transaction: { amount } }) => ({
      ...takePoints(account, -amount),
      reserved: account.reserved + amount,
    }),
  }),
  /** Points expired: those of a lot, or the oldest ones. */
  'loyalty.points-expired': accountFactRow<PointsMovement & { lotId?: string }>({
    text: ({ transaction }) => `${signedText(transaction.amount)} points expired`,
    account: (account, { transaction: { amount }, lotId }) =>
      lotId === undefined
        ? takePoints(account, -amount)
        : { ...withoutLot(account, lotId), balance: account.balance + amount },
  }),
  /** Points were adjusted by command, or returned by a reversal. */
  'loyalty.points-adjusted': accountFactRow<PointsMovement & { end?: LotExpiry }>({
    text: ({ transaction }) =>
      `${signedText(transaction.amount)} points adjusted: ${reasonOf(transaction)}`,
    account: (account, { transaction, end }) =>
      transaction.amount < 0
        ? takePoints(account, -transaction.amount)
        : addPoints(account, transaction, end),
  }),
  /** A lot of points expires soon. */
  'loyalty.points-expiring': accountFactRow<{
    accountId: string
    lotId: string
    expiresAt: Instant
  }>({
    text: () => 'points expire soon',
    account: (account, { lotId }) => ({
      ...account,
      lots: account.lots.map((lot) => (lot.id === lotId ? { ...lot, soon: true } : lot)),
    }),
  }),
  /** A lot reached its expiry with all its points reserved: nothing expired. */
  'loyalty.lot-ended': accountFactRow<{ accountId: string; lotId: string }>({
    text: () => 'expiring points are reserved',
    account: (account, { lotId }) => withoutLot(account, lotId),
  }),
  /** A redemption was accepted and its points reserved. */
  'loyalty.redemption-accepted': accountFactRow<{ redemption: RedemptionRecord }>({
    text: ({ redemption: { rewardId, points } }) =>
      `redemption of ${rewardId} accepted for later: ${points} points reserved`,
    account: (account, { redemption }) => ({
      ...account,
      reserved: account.reserved + redemption.points,
    }),
    apply: (host, { redemption }) => acceptRedemption(host, redemption),
  }),
  /** A redemption was reversed; `released` is the number of points that were only reserved. */
  'loyalty.redemption-reversed': accountFactRow<{
    redemptionId: string
    accountId: string
    released: number
    because: string
  }>({
    text: ({ because }) => `redemption reversed: ${because}`,
    account: (account, { released }) => ({ ...account, reserved: account.reserved - released }),
    apply: (host, { redemptionId }) => changeRedemption(host, redemptionId, { status: 'REVERSED' }),
  }),
}

type AccountFact = FactIn<typeof loyaltyAccountFacts>

export const isAccountFact = (fact: { readonly kind: string }): fact is AccountFact =>
  fact.kind in loyaltyAccountFacts

export const accountAfter = (
  account: LoyaltyAccountRecord,
  fact: AccountFact,
  at: Instant,
): LoyaltyAccountRecord =>
  (loyaltyAccountFacts[fact.kind] as AccountFactRow<AccountFact>).account(account, fact, at)
