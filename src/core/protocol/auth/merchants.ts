/**
 * Bodies of GET /merchants, the merchants that an application is authorized for (AUT-MER-01). The documents show no body
 * and real partners use two: a paged list and a bare array. Both are read; which one we serve is an option (AUT-UND-02).
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

export const merchantStatuses = ['OPEN', 'CLOSED', 'PAUSED'] as const

export const ListedMerchant = looseObject(() => ({
  merchantId: z.string(),
  name: z.string(),
  status: z.enum(merchantStatuses),
  /** The store's code in the Software Service's own system (MIG-MER-05). */
  externalCode: z.string().optional(),
}))
export type ListedMerchant = z.infer<typeof ListedMerchant>
export type MerchantStatus = ListedMerchant['status']

/** A partner's row: only the identifier is required, as `merchantId` or `id`. */
const ReceivedRow = looseObject(() => ({
  id: z.string().optional(),
  merchantId: z.string().optional(),
  name: z.string().default(''),
  status: z.enum(merchantStatuses).catch('OPEN'),
  externalCode: z.string().optional(),
})).transform(({ id, merchantId, name, status, externalCode }): ListedMerchant | undefined => {
  const identifier = merchantId ?? id
  if (identifier === undefined) return undefined
  return {
    merchantId: identifier,
    name,
    status,
    ...compact({ externalCode }),
  }
})

const ReceivedRows = z
  .array(ReceivedRow)
  .transform((rows) => rows.filter((row): row is ListedMerchant => row !== undefined))

/** A partner's answer to GET /merchants in either shape, normalised to its rows. */
export const ReceivedMerchants = z.union([
  ReceivedRows,
  looseObject(() => ({ merchants: ReceivedRows })).transform(({ merchants }) => merchants),
])

export const merchantLists = ['paged', 'array'] as const

export const MerchantPage = looseObject(() => ({
  merchants: z.array(ListedMerchant.extend({ id: z.string() })),
  pagination: z.looseObject({
    page: z.int(),
    pageSize: z.int(),
    totalItems: z.int(),
    totalPages: z.int(),
  }),
}))
export type MerchantPage = z.infer<typeof MerchantPage>

/** Our answer: a page, or the bare array. */
export const MerchantList = z.union([MerchantPage, z.array(ListedMerchant)])

/** Maximum number of merchants in one page. */
export const maxMerchantsPerPage = 200

/** Adds `id`, the other name for the identifier that partners use. */
const withBothIds = (row: ListedMerchant): ListedMerchant & { readonly id: string } => ({
  id: row.merchantId,
  ...row,
})

export function merchantPageOf(
  rows: readonly ListedMerchant[],
  page: number,
  pageSize: number,
): MerchantPage {
  const first = (page - 1) * pageSize
  return {
    merchants: rows.slice(first, first + pageSize).map(withBothIds),
    pagination: {
      page,
      pageSize,
      totalItems: rows.length,
      totalPages: Math.ceil(rows.length / pageSize),
    },
  }
}
