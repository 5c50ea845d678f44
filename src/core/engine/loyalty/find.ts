/** Lookups in the Loyalty host's world, with a NOT_FOUND refusal. */
import type { RedemptionRequest } from '../../protocol/loyalty/redemption.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import { findCustomer } from '../customer/store.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import type { LoyaltyAccountRecord, CouponRecord, RedemptionRecord } from './world.ts'

const found = <Value>(value: Value | undefined, what: string): Result<Value, Refusal> =>
  value === undefined ? err({ code: 'NOT_FOUND', message: `there is no ${what}` }) : ok(value)

export const findLoyaltyAccount = (
  accountId: string,
  { loyalty }: World,
): Result<LoyaltyAccountRecord, Refusal> =>
  found(loyalty.host.accounts.get(accountId), `loyalty account ${accountId}`)

export const findLoyaltyCoupon = (
  couponId: string,
  { loyalty }: World,
): Result<CouponRecord, Refusal> => found(loyalty.host.coupons.get(couponId), `coupon ${couponId}`)

export const findRedemption = (
  redemptionId: string,
  { loyalty }: World,
): Result<RedemptionRecord, Refusal> =>
  found(loyalty.host.redemptions.get(redemptionId), `redemption ${redemptionId}`)

/**
 * All ids of one customer: that id, and the CRM's own id if it knows the customer by it. Loyalty needs
 * no customer record, but if there is one, two ids of one person must not lead to two balances.
 */
export function customerIdsOf(customerId: string, { customer }: World): ReadonlySet<string> {
  const known = findCustomer({ id: customerId }, 'ordering-application', customer.crm)
  return new Set([customerId, known?.document.id ?? customerId])
}

export function isSameCustomer(one: string, other: string, world: World): boolean {
  if (one === other) return true
  const others = customerIdsOf(other, world)
  return [...customerIdsOf(one, world)].some((id) => others.has(id))
}

/** The accounts of a customer, in order of enrollment. */
export const accountsOf = (customerId: string, world: World): readonly LoyaltyAccountRecord[] => {
  const { accounts, accountIdsByCustomer: ofCustomer } = world.loyalty.host
  return [...customerIdsOf(customerId, world)].flatMap((id) =>
    (ofCustomer.get(id) ?? []).flatMap((accountId) => accounts.get(accountId) ?? []),
  )
}

export const accountInProgram = (
  customerId: string,
  programId: string,
  world: World,
): LoyaltyAccountRecord | undefined =>
  accountsOf(customerId, world).find((account) => account.programId === programId)

/** The account of a redemption request, by its id or by customer and program. */
export const accountOfRequest = (
  { accountId, customerId = '', programId = '' }: RedemptionRequest,
  world: World,
): Result<LoyaltyAccountRecord, Refusal> =>
  accountId === undefined
    ? found(
        accountInProgram(customerId, programId, world),
        `account of customerId ${customerId} in programId ${programId}`,
      )
    : findLoyaltyAccount(accountId, world)
