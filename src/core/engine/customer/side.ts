/** The two sides of Customer, each with its own store: the CRM (host) and the Ordering Application (supplier). */
import type { Role } from '../../protocol/role.ts'
import type { CustomerStore, CustomerWorld } from './world.ts'

export type SidePrefix = 'customer' | 'relation'

export interface CustomerSide<Own extends SidePrefix = SidePrefix> {
  /** Prefix of the kinds of its facts and commands. */
  readonly prefix: Own
  readonly role: Role
  readonly partner: Role
  readonly store: (world: { readonly customer: CustomerWorld }) => CustomerStore
}

export const crmSide: CustomerSide<'customer'> = {
  prefix: 'customer',
  role: 'crm',
  partner: 'ordering-application',
  store: ({ customer }) => customer.crm,
}

export const applicationSide: CustomerSide<'relation'> = {
  prefix: 'relation',
  role: 'ordering-application',
  partner: 'crm',
  store: ({ customer }) => customer.application,
}

/** The rows of one side under their kinds: `saved` of the CRM is `customer.saved`. */
export const ofSide = <Own extends SidePrefix, Rows extends Readonly<Record<string, unknown>>>(
  side: CustomerSide<Own>,
  rowsOf: (side: CustomerSide) => Rows,
) =>
  Object.fromEntries(
    Object.entries(rowsOf(side)).map(([word, row]) => [`${side.prefix}.${word}`, row]),
  ) as { readonly [Word in keyof Rows & string as `${Own}.${Word}`]: Rows[Word] }

/** The side that a role plays. */
export const sideOfRole = (role: Role): CustomerSide =>
  role === applicationSide.role ? applicationSide : crmSide
