/** Lookups in the Loyalty host's world, with a NOT_FOUND refusal. */
import type { RedemptionRequest } from '../../protocol/loyalty/redemption.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import { customerMeant } from '../customer/store.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import type { AccountRecord, CouponRecord, RedemptionRecord } from './world.ts'

const found = <Value>(value: Value | undefined, what: string): Result<Value, Refusal> =>
  value === undefined ? no({ code: 'NOT_FOUND', message: `there is no ${what}` }) : ok(value)

export const findAccount = (
  accountId: string,
  { loyalty }: World,
): Result<AccountRecord, Refusal> =>
  found(loyalty.host.accounts.get(accountId), `loyalty account ${accountId}`)

export const findCoupon = (couponId: string, { loyalty }: World): Result<CouponRecord, Refusal> =>
  found(loyalty.host.coupons.get(couponId), `coupon ${couponId}`)

export const findRedemption = (
  redemptionId: string,
  { loyalty }: World,
): Result<RedemptionRecord, Refusal> =>
  found(loyalty.host.redemptions.get(redemptionId), `redemption ${redemptionId}`)

/**
 * All ids of one customer: the given id, and the CRM's own id if it knows the customer by the given one. Loyalty needs
 * no customer record, but if there is one, two ids of one person must not lead to two balances.
 */
export function idsOf(customerId: string, { customer }: World): ReadonlySet<string> {
  const known = customerMeant({ id: customerId }, 'ordering-application', customer.crm)
  return new Set([customerId, known?.document.id ?? customerId])
}

export function isSameCustomer(one: string, other: string, world: World): boolean {
  if (one === other) return true
  const others = idsOf(other, world)
  return [...idsOf(one, world)].some((id) => others.has(id))
}

/** The accounts of a customer, in order of enrollment. */
export const accountsOf = (customerId: string, world: World): readonly AccountRecord[] => {
  const { accounts, accountsOf: ofCustomer } = world.loyalty.host
  return [...idsOf(customerId, world)].flatMap((id) =>
    (ofCustomer.get(id) ?? []).flatMap((accountId) => accounts.get(accountId) ?? []),
  )
}

export const accountIn = (
  customerId: string,
  programId: string,
  world: World,
): AccountRecord | undefined =>
  accountsOf(customerId, world).find((account) => account.programId === programId)

/** The account of a redemption request, by its id or by customer and program. */
export const namedAccount = (
  { accountId, customerId = '', programId = '' }: RedemptionRequest,
  world: World,
): Result<AccountRecord, Refusal> =>
  accountId === undefined
    ? found(
        accountIn(customerId, programId, world),
        `account of customerId ${customerId} in programId ${programId}`,
      )
    : findAccount(accountId, world)
