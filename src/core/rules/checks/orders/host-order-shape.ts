/** The parts of an order whose shape the documents state: profile blocks, options within options, prices. */
import type { OrderType } from '../../../protocol/orders/order.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { isNumber, isObject, isText, type PlacedValue, required, valuesAt } from '../assertion.ts'

/** The block under fulfillment, and the profile that it belongs to. */
export const profileBlocks: readonly (readonly [string, OrderType])[] = [
  ['delivery', 'DELIVERY'],
  ['takeout', 'TAKEOUT'],
  ['indoor', 'INDOOR'],
]

/** Below an option, at every depth. */
function optionsBelow({ path, value }: PlacedValue): readonly PlacedValue[] {
  if (!isUnknownRecord(value)) return []
  const own = valuesAt(value, '/options/*').map((each) => ({
    ...each,
    path: `${path}${each.path}`,
  }))
  return own.flatMap((option) => [option, ...optionsBelow(option)])
}

/** Every option of the items of an order. */
export const optionTree = (order: unknown): readonly PlacedValue[] =>
  valuesAt(order, '/items/*').flatMap(optionsBelow)

/** The members of a pricing that are prices. */
function pricesIn({ path, value }: PlacedValue): readonly PlacedValue[] {
  const pricing = isUnknownRecord(value) ? value['pricing'] : undefined
  if (!isUnknownRecord(pricing)) return []
  return Object.entries(pricing).flatMap(([name, price]) =>
    name.endsWith('Price') ? [{ path: `${path}/pricing/${name}`, value: price }] : [],
  )
}

const isPrice = (value: unknown): string | undefined =>
  isObject(value) ?? required('/value', isNumber)(value) ?? required('/currency', isText)(value)

/** The first price of an order that is no object of value and currency. */
export function priceProblem(order: unknown): string | undefined {
  const prices = [
    ...[...valuesAt(order, '/items/*'), ...optionTree(order)].flatMap(pricesIn),
    ...valuesAt(order, '/otherFees/*/price'),
    ...valuesAt(order, '/discounts/*/amount'),
    ...['itemsPrice', 'otherFees', 'discount', 'orderAmount'].flatMap((name) =>
      valuesAt(order, `/total/${name}`),
    ),
  ]
  for (const { path, value } of prices) {
    const problem = isPrice(value)
    if (problem !== undefined) return `${path}: ${problem}`
  }
  return undefined
}
