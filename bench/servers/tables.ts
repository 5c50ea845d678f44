/** Orders of guests at tables, out of the documents that every server is given: three lines each, eaten by now. */
import type { OrderDocument } from '../documents.ts'

/** The food has come: nothing more becomes of the order, and the account has it. */
const status = 'DELIVERED'

const nothing = { value: 0, currency: 'BRL' }

/** The next order, at this table; lines of three documents are its own. */
export function tableOrder(press: () => OrderDocument, identifier: string): OrderDocument {
  const first = press()
  const items = [first, press(), press()].flatMap((each) => each.items)
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
