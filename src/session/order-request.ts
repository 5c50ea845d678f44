/** Converts an order in a few words to a part of a document. */
import { compact } from '../compact.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import { err, ok, type Result } from '../protocol/result.ts'
import type { FieldProblem, ItemRequest } from '../seed-data/complete-items.ts'
import type { OrderRequest } from '../seed-data/complete-order.ts'
import { findMerchant, merchantRemedy } from '../seed-data/lookup.ts'
import type { Population } from '../seed-data/types.ts'
import type { NewOrder, NewOrderItem } from '../session-api/new-order.ts'

function itemRequest({ item, quantity, price, options, observations }: NewOrderItem): ItemRequest {
  const pricing = price === undefined ? undefined : { unitPrice: { value: price } }
  return { reference: item, fields: compact({ quantity, pricing, options, observations }) }
}

/** The request with its merchant found. */
export function orderRequestOf(
  { type, merchant: reference, items, customer, payment }: Omit<NewOrder, 'order'>,
  population: Population,
): Result<OrderRequest, readonly FieldProblem[]> {
  const merchant = reference === undefined ? undefined : findMerchant(population, reference)
  if (reference !== undefined && !merchant)
    return err([
      {
        path: 'merchant',
        wrong: `this session has no merchant "${reference}"`,
        remedy: merchantRemedy(population, reference),
      },
    ])
  const { phone, ...person } = customer ?? {}
  return ok({
    ...compact({ type }),
    ...(typeof items === 'number' ? { lines: items } : {}),
    ...(typeof items === 'object' ? { items: items.map(itemRequest) } : {}),
    document: {
      ...(merchant ? { merchant: { id: merchant.id } } : {}),
      ...(customer
        ? { customer: { ...person, ...(phone === undefined ? {} : { phone: { number: phone } }) } }
        : {}),
      ...(isUnknownRecord(payment) ? { payments: { methods: [payment] } } : {}),
    },
  })
}
