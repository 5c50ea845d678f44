/**
 * What each fact makes of one account: a plain function of the record, so that whoever decides several movements at once
 * sees the balance after each, by the very rules that change the world.
 */
import type { LoyaltyHostFact, LotEnd } from './fact.ts'
import type { Instant } from '../instant.ts'
import { type AccountRecord, loyaltyBounds, type Lot } from './world.ts'

/** The facts that change an account, and whose. */
export function accountOfFact(fact: LoyaltyHostFact): string | undefined {
  if (fact.kind === 'loyalty.redemption-accepted') return fact.redemption.accountId
  return 'accountId' in fact ? fact.accountId : undefined
}

/** What may be spent: what accepted redemptions will spend is no longer there. */
export const available = ({ balance, reserved }: AccountRecord): number => balance - reserved

/** What is available and near its end. */
export const expiringSoon = (account: AccountRecord): number =>
  Math.min(
    available(account),
    account.lots.reduce((sum, { left, soon }) => (soon ? sum + left : sum), 0),
  )

export const newAccount = (
  fact: Extract<LoyaltyHostFact, { kind: 'loyalty.account-enrolled' }>,
  at: Instant,
): AccountRecord => ({
  ...fact.account,
  status: 'ENROLLED',
  balance: 0,
  reserved: 0,
  pending: 0,
  lots: [],
  since: at,
  way: [{ status: 'ENROLLED', at, trigger: 'enrollment' }],
})

export function accountAfter(
  account: AccountRecord,
  fact: LoyaltyHostFact,
  at: Instant,
): AccountRecord {
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
      return { ...given(account, transaction, end), pending }
    }
    case 'loyalty.points-adjusted': {
      const { transaction, end } = fact
      return transaction.amount < 0
        ? taken(account, -transaction.amount)
        : given(account, transaction, end)
    }
    case 'loyalty.points-burned': {
      const points = -fact.transaction.amount
      return { ...taken(account, points), reserved: account.reserved - points }
    }
    case 'loyalty.points-expired': {
      const points = -fact.transaction.amount
      return fact.lotId === undefined
        ? taken(account, points)
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

const withoutLot = (account: AccountRecord, lotId: string): AccountRecord => ({
  ...account,
  lots: account.lots.filter(({ id }) => id !== lotId),
})

function given(
  account: AccountRecord,
  { id, amount }: { readonly id: string; readonly amount: number },
  end: LotEnd | undefined,
): AccountRecord {
  const lots = end ? bounded([...account.lots, { id, left: amount, ...end }]) : account.lots
  return { ...account, lots, balance: account.balance + amount }
}

/** Of too many lots the two oldest become one, which ends when the younger of them would have. */
function bounded(lots: readonly Lot[]): readonly Lot[] {
  const [first, second, ...others] = lots
  if (lots.length <= loyaltyBounds.lots || !first || !second) return lots
  return [{ ...second, left: first.left + second.left }, ...others]
}

/** Points leave, those of the oldest lots first. */
function taken(account: AccountRecord, points: number): AccountRecord {
  let rest = points
  const lots = account.lots.flatMap((lot) => {
    const left = Math.max(0, lot.left - rest)
    rest -= lot.left - left
    return left === 0 ? [] : [{ ...lot, left }]
  })
  return { ...account, lots, balance: account.balance - points }
}
