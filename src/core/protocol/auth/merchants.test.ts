/** Bodies of GET /merchants: ours and those of partners. */
import { expect, test } from 'vitest'
import { MerchantList, ReceivedMerchants, merchantPageOf } from './merchants.ts'

const row = { merchantId: 'loja-1', name: 'Loja Um', status: 'OPEN' } as const

test('[AUT-UND-02, AUT-MER-01] a paged list and a bare array are read, with id or merchantId as the only required field', () => {
  const bare = [{ merchantId: 'loja-1', name: 'Loja Um', status: 'OPEN' }]
  for (const body of [
    bare,
    { merchants: bare },
    { merchants: [{ id: 'loja-1', name: 'Loja Um', status: 'OPEN' }], pagination: {} },
    [{ id: 'loja-1', name: 'Loja Um' }],
    [{ id: 'loja-1', name: 'Loja Um', status: 'on fire', more: true }],
    [...bare, { name: 'nobody' }],
  ])
    expect(ReceivedMerchants.parse(body)).toEqual([row])
  expect(ReceivedMerchants.parse([])).toEqual([])
  for (const wrong of [{}, 'x', undefined, { merchants: 'x' }])
    expect(ReceivedMerchants.safeParse(wrong).success).toBe(false)
})

test('[MIG-MER-05] the external code of a store is preserved unchanged', () => {
  const [read] = ReceivedMerchants.parse([{ id: 'x', name: 'X', externalCode: ' Loja #7 ' }])
  expect(read?.externalCode).toBe(' Loja #7 ')
})

test('[AUT-UND-02] a page holds pageSize merchants, and the last page the remainder', () => {
  const rows = Array.from({ length: 5 }, (_, index) => ({ ...row, merchantId: `loja-${index}` }))
  const page = merchantPageOf(rows, 3, 2)
  expect(MerchantList.safeParse(page).success).toBe(true)
  expect(page.merchants).toEqual([{ id: 'loja-4', ...row, merchantId: 'loja-4' }])
  expect(page.pagination).toEqual({ page: 3, pageSize: 2, totalItems: 5, totalPages: 3 })
  expect(merchantPageOf(rows, 9, 2).merchants).toEqual([])
  expect(merchantPageOf([], 1, 50).pagination.totalPages).toBe(0)
})
