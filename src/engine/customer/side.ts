/** The two sides of Customer, each with its own store: the CRM (host) and the Ordering Application (supplier). */
import type { Role } from '../../protocol/role.ts'
import type { CustomerStore, CustomerWorld } from './world.ts'

export type Word = 'customer' | 'relation'

export interface Side<Own extends Word = Word> {
  /** Prefix of the kinds of its facts and commands. */
  readonly word: Own
  readonly role: Role
  readonly partner: Role
  readonly store: (world: { readonly customer: CustomerWorld }) => CustomerStore
}

export const crmSide: Side<'customer'> = {
  word: 'customer',
  role: 'crm',
  partner: 'ordering-application',
  store: ({ customer }) => customer.crm,
}

export const applicationSide: Side<'relation'> = {
  word: 'relation',
  role: 'ordering-application',
  partner: 'crm',
  store: ({ customer }) => customer.application,
}

/** The side of a fact or command, by the prefix of its kind. */
export const sideOf = (kind: `${Word}.${string}`): Side =>
  kind.startsWith('relation.') ? applicationSide : crmSide

/** The side that a role plays. */
export const sidePlayedBy = (role: Role): Side =>
  role === applicationSide.role ? applicationSide : crmSide
