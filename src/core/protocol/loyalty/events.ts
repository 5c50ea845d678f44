/** Table of the events of Loyalty (document 1, Events; LOY-EVT-01 to 08): each is a fact, none is a command. */
import type { TransactionType } from './transaction.ts'

export const loyaltyEventTypes = [
  'loyalty.account_linked',
  'loyalty.points_accrued',
  'loyalty.points_pending',
  'loyalty.points_expired',
  'loyalty.points_redeemed',
  'loyalty.redemption_reversed',
  'loyalty.coupon_applied',
  'loyalty.coupon_cancelled',
] as const
export type LoyaltyEventType = (typeof loyaltyEventTypes)[number]

export interface LoyaltyEventRow {
  /** The transaction types that it announces; empty if it moves no balance. */
  readonly transactions: readonly TransactionType[]
  readonly clause: string
}

export const loyaltyEvents: Readonly<Record<LoyaltyEventType, LoyaltyEventRow>> = {
  'loyalty.account_linked': { transactions: [], clause: 'LOY-EVT-01' },
  'loyalty.points_accrued': { transactions: ['earn', 'adjust'], clause: 'LOY-EVT-02' },
  'loyalty.points_pending': { transactions: [], clause: 'LOY-EVT-03' },
  'loyalty.points_expired': { transactions: ['expire'], clause: 'LOY-EVT-04' },
  'loyalty.points_redeemed': { transactions: ['burn'], clause: 'LOY-EVT-05' },
  'loyalty.redemption_reversed': { transactions: ['adjust'], clause: 'LOY-EVT-06' },
  'loyalty.coupon_applied': { transactions: [], clause: 'LOY-EVT-07' },
  'loyalty.coupon_cancelled': { transactions: [], clause: 'LOY-EVT-08' },
}
