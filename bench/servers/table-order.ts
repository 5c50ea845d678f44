/**
 * Indoor orders of guests at tables, made of the shared documents: the items of three documents each, already
 * delivered.
 */
import type { BenchOrder } from '../documents.ts'

/** Final for the order: its items are on the account. */
const status = 'DELIVERED'

const nothing = { value: 0, currency: 'BRL' }

/** The next order, at this table, with the items of three documents under fresh ids. */
export function tableOrder(nextOrder: () => BenchOrder, identifier: string): BenchOrder {
  const first = nextOrder()
  const items = [first, nextOrder(), nextOrder()].flatMap((each) => each.items)
  const { otherFees: _fees, discounts: _discounts, ...rest } = first
  return {
    ...rest,
    status,
    lastEvent: status,
    items: items.map((item) => ({ ...item, id: crypto.randomUUID() })),
    total: { ...first.total, otherFees: nothing, discount: nothing },
    fulfillment: {
      orderType: 'INDOOR',
      indoor: {
        operationMode: 'TABLE',
        identifier,
        originChannel: { type: 'QR_CODE' },
        consumptionType: 'DINE_IN',
      },
    },
  }
}
