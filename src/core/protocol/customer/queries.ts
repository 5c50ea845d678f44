/** The query parameters of the lists of Customer, as `query.ts` reads them: page, period and filters (CUS-UND-04). */
import { z } from 'zod'
import { DateTime } from '../date-time.ts'
import type { RecordKind } from './batch.ts'
import { identifierTypes } from './identifier.ts'
import { defaultListPageSize, maxListPageSize } from './query.ts'
import { plainObject } from '../../base/lazy-object.ts'

/** The filters of each list beside identity and period (fields.md, C10). */
export const listFilters: Readonly<Record<RecordKind, readonly string[]>> = {
  customer: ['merchantId'],
  lead: ['source', 'status'],
  order: ['storeId', 'originChannel'],
  review: ['merchantId', 'orderId'],
}

/** Plain `from` and `to` filter orders and reviews by creation time, other records by change time. */
export const plainPeriodOf: Readonly<Record<RecordKind, 'created' | 'updated'>> = {
  customer: 'updated',
  lead: 'updated',
  order: 'created',
  review: 'created',
}

export const pageFields = () => ({
  page: z.int().min(1).max(1_000_000).optional().describe('Number of the page, from 1.'),
  pageSize: z
    .int()
    .min(1)
    .max(maxListPageSize)
    .optional()
    .describe(`Entries of a page: ${defaultListPageSize} where nothing is said.`),
})

const bound = (text: string) => DateTime.optional().describe(text).meta({ format: 'date-time' })

/** Both ends of a period; with `plain` also under the names `from` and `to`. */
export const periodFields = (prefix: 'created' | 'updated', plain: boolean) => ({
  [`${prefix}From`]: bound(`Only what was ${prefix} at this time or later.`),
  [`${prefix}To`]: bound(`Only what was ${prefix} at this time or before.`),
  ...(plain
    ? { from: bound(`Another name of ${prefix}From.`), to: bound(`Another name of ${prefix}To.`) }
    : {}),
})

/** The query of a list of these records. */
export const customerListQuery = (kind: RecordKind): z.ZodObject =>
  plainObject(() => ({
    ...pageFields(),
    ...periodFields('created', plainPeriodOf[kind] === 'created'),
    ...periodFields('updated', plainPeriodOf[kind] === 'updated'),
    customerIdentifierType: z
      .enum(identifierTypes)
      .optional()
      .describe('Type of the identifier of the customer, beside its value.'),
    customerIdentifierValue: z
      .string()
      .optional()
      .describe('Only what belongs to the customer with this identifier.'),
    externalId: z
      .string()
      .optional()
      .describe('Only what belongs to the customer with this id elsewhere, such as `app:123`.'),
    ...Object.fromEntries(
      listFilters[kind].map((name) => [
        name,
        z.string().optional().describe(`Only those with this ${name}.`),
      ]),
    ),
  }))
