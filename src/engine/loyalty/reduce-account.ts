/**
 * Reducer for one account: a pure function, shared by the world and by `LoyaltyLedger`, so that a decision with several
 * movements sees the balance after each.
 */
import type { LoyaltyHostFact, LotExpiry } from './fact.ts'
import type { Instant } from '../instant.ts'
import { type LoyaltyAccountRecord, loyaltyBounds, type PointsLot } from './world.ts'

/** The id of the account that a fact changes. */
export function accountIdOfFact(fact: LoyaltyHostFact): string | undefined {
  if (fact.kind === 'loyalty.redemption-accepted') return fact.redemption.accountId
  return 'accountId' in fact ? fact.accountId : undefined
}

/** Points that may be spent: the balance without reserved points. */
export const availablePoints = ({ balance, reserved }: LoyaltyAccountRecord): number =>
  balance - reserved

/** Available points that expire soon. */
export const pointsExpiringSoon = (account: LoyaltyAccountRecord): number =>
  Math.min(
    availablePoints(account),
    account.lots.reduce((sum, { left, soon }) => (soon ? sum + left : sum), 0),
  )

export const createAccountRecord = (
  fact: Extract<LoyaltyHostFact, { kind: 'loyalty.account-enrolled' }>,
  at: Instant,
): LoyaltyAccountRecord => ({
  ...fact.account,
  status: 'ENROLLED',
  balance: 0,
  reserved: 0,
  pending: 0,
  lots: [],
  since: at,
  way: [{ status: 'ENROLLED', at, trigger: 'enrollment' }],
})

export function reduceAccount(
  account: LoyaltyAccountRecord,
  fact: LoyaltyHostFact,
  at: Instant,
): LoyaltyAccountRecord {
  switch (fact.kind) {
    case 'loyalty.account-moved': {
      const step = { status: fact.to, at, trigger: fact.trigger }
      const way = [...account.way, step].slice(-loyaltyBounds.steps)
      return { ...account, status: fact.to, since: at, way }
    }
    case 'loyalty.points-pending':
      return { ...account, pending: account.pending + fact.points }
    case 'loyalty.points-earned': {
      const { transaction, end, fromPending } = fact
      const pending = account.pending - fromPending
      return { ...addPoints(account, transaction, end), pending }
    }
    case 'loyalty.points-adjusted': {
      const { transaction, end } = fact
      return transaction.amount < 0
        ? takePoints(account, -transaction.amount)
        : addPoints(account, transaction, end)
    }
    case 'loyalty.points-burned': {
      const points = -fact.transaction.amount
      return { ...takePoints(account, points), reserved: account.reserved - points }
    }
    case 'loyalty.points-expired': {
      const points = -fact.transaction.amount
      return fact.lotId === undefined
        ? takePoints(account, points)
        : { ...withoutLot(account, fact.lotId), balance: account.balance - points }
    }
    case 'loyalty.points-expiring': {
      const lots = account.lots.map((lot) => (lot.id === fact.lotId ? { ...lot, soon: true } : lot))
      return { ...account, lots }
    }
    case 'loyalty.lot-ended':
      return withoutLot(account, fact.lotId)
    case 'loyalty.redemption-accepted':
      return { ...account, reserved: account.reserved + fact.redemption.points }
    case 'loyalty.redemption-reversed':
      return { ...account, reserved: account.reserved - fact.released }
    default:
      return account
  }
}

const withoutLot = (account: LoyaltyAccountRecord, lotId: string): LoyaltyAccountRecord => ({
  ...account,
  lots: account.lots.filter(({ id }) => id !== lotId),
})

function addPoints(
  account: LoyaltyAccountRecord,
  { id, amount }: { readonly id: string; readonly amount: number },
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
function takePoints(account: LoyaltyAccountRecord, points: number): LoyaltyAccountRecord {
  let remaining = points
  const lots = account.lots.flatMap((lot) => {
    const left = Math.max(0, lot.left - remaining)
    remaining -= lot.left - left
    return left === 0 ? [] : [{ ...lot, left }]
  })
  return { ...account, lots, balance: account.balance - points }
}
