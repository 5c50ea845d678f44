/** Query parameters of the lists of Loyalty (C10). */
import { z } from 'zod'
import { pageFields, periodFields } from '../customer/queries.ts'
import { plainObject } from '../../base/lazy-object.ts'

const filters = {
  programId: 'Only those of this program.',
  merchantId: 'Only those of this merchant.',
  customerId: 'Only those of this customer.',
} as const

type Filter = keyof typeof filters

const filterFields = (names: readonly Filter[]) =>
  Object.fromEntries(names.map((name) => [name, z.string().optional().describe(filters[name])]))

/** The query of a paged list with these filters. */
export const loyaltyQuery = (...names: readonly Filter[]): z.ZodObject =>
  plainObject(() => ({ ...pageFields(), ...filterFields(names) }))

/** The list of a customer's accounts is not paged. */
export const AccountsQuery = plainObject(() => filterFields(['programId']))

export const TransactionsQuery = plainObject(() => ({
  ...pageFields(),
  ...periodFields('created', true),
}))
