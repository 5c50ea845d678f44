/**
 * The merchants that an application is authorized for (AUT-MER-01). The documents show no body and the field knows two:
 * a list in pages, and a bare array; either is understood, and which one we serve is a setting (AUT-UND-02).
 */
import { compact } from '../../compact.ts'
import { z } from 'zod'

const statuses = ['OPEN', 'CLOSED', 'PAUSED'] as const

export const MerchantRow = z.looseObject({
  merchantId: z.string(),
  name: z.string(),
  status: z.enum(statuses),
  /** What the store is called in the Software Service's own books (MIG-MER-05). */
  externalCode: z.string().optional(),
})
export type MerchantRow = z.infer<typeof MerchantRow>

/** Somebody else's row: the merchant under either name, and no more than that is needed. */
const ReceivedRow = z
  .looseObject({
    id: z.string().optional(),
    merchantId: z.string().optional(),
    name: z.string().default(''),
    status: z.enum(statuses).catch('OPEN'),
    externalCode: z.string().optional(),
  })
  .transform(({ id, merchantId, name, status, externalCode }): MerchantRow | undefined => {
    const known = merchantId ?? id
    if (known === undefined) return undefined
    return {
      merchantId: known,
      name,
      status,
      ...compact({ externalCode }),
    }
  })

const Rows = z
  .array(ReceivedRow)
  .transform((rows) => rows.filter((row): row is MerchantRow => row !== undefined))

/** What somebody answers to GET /merchants, as the rows in it. */
export const MerchantsReceived = z.union([
  Rows,
  z.looseObject({ merchants: Rows }).transform(({ merchants }) => merchants),
])

export const merchantLists = ['paged', 'array'] as const

export const MerchantPage = z.looseObject({
  merchants: z.array(MerchantRow.extend({ id: z.string() })),
  pagination: z.looseObject({
    page: z.int(),
    pageSize: z.int(),
    totalItems: z.int(),
    totalPages: z.int(),
  }),
})
export type MerchantPage = z.infer<typeof MerchantPage>

/** What we answer: in pages, or the bare array. */
export const MerchantList = z.union([MerchantPage, z.array(MerchantRow)])

/** The most that one page holds. */
export const mostPerPage = 200

/** Both names of the field for the one identifier. */
const named = (row: MerchantRow): MerchantRow & { readonly id: string } => ({
  id: row.merchantId,
  ...row,
})

export function pageOf(rows: readonly MerchantRow[], page: number, pageSize: number): MerchantPage {
  const first = (page - 1) * pageSize
  return {
    merchants: rows.slice(first, first + pageSize).map(named),
    pagination: {
      page,
      pageSize,
      totalItems: rows.length,
      totalPages: Math.ceil(rows.length / pageSize),
    },
  }
}
