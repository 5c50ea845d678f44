/** Changes of one account, as pure functions. */
import type { Instant } from '../instant.ts'
import {
  type LotExpiry,
  type LoyaltyAccountRecord,
  loyaltyBounds,
  type PointsLot,
  type TransactionRecord,
} from './world.ts'

/** Points that may be spent: the balance without reserved points. */
export const availablePoints = ({ balance, reserved }: LoyaltyAccountRecord): number =>
  balance - reserved

/** Available points that expire soon. */
export const pointsExpiringSoon = (account: LoyaltyAccountRecord): number =>
  Math.min(
    availablePoints(account),
    account.lots.reduce((sum, { left, soon }) => (soon ? sum + left : sum), 0),
  )

export type EnrolledAccount = Pick<
  LoyaltyAccountRecord,
  'id' | 'customerId' | 'programId' | 'merchantId'
>

export const createAccountRecord = (
  account: EnrolledAccount,
  at: Instant,
): LoyaltyAccountRecord => ({
  ...account,
  status: 'ENROLLED',
  balance: 0,
  reserved: 0,
  pending: 0,
  lots: [],
  since: at,
  way: [{ status: 'ENROLLED', at, trigger: 'enrollment' }],
})

export const withoutLot = (account: LoyaltyAccountRecord, lotId: string): LoyaltyAccountRecord => ({
  ...account,
  lots: account.lots.filter(({ id }) => id !== lotId),
})

export function addPoints(
  account: LoyaltyAccountRecord,
  { id, amount }: TransactionRecord,
  end: LotExpiry | undefined,
): LoyaltyAccountRecord {
  const lots = end ? limitLots([...account.lots, { id, left: amount, ...end }]) : account.lots
  return { ...account, lots, balance: account.balance + amount }
}

/** Above the limit, the two oldest lots are merged into one with the later expiry. */
function limitLots(lots: readonly PointsLot[]): readonly PointsLot[] {
  const [first, second, ...others] = lots
  if (lots.length <= loyaltyBounds.lots || !first || !second) return lots
  return [{ ...second, left: first.left + second.left }, ...others]
}

/** Takes points from the balance, oldest lots first. */
export function takePoints(account: LoyaltyAccountRecord, points: number): LoyaltyAccountRecord {
  let remaining = points
  const lots = account.lots.flatMap((lot) => {
    const left = Math.max(0, lot.left - remaining)
    remaining -= lot.left - left
    return left === 0 ? [] : [{ ...lot, left }]
  })
  return { ...account, lots, balance: account.balance - points }
}
