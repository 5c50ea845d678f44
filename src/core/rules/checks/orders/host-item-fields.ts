/** Checks of the items, options and prices of an order that an Ordering Application shows: ORD-FLD-14 to 16. */
import type { OrderType } from '../../../protocol/orders/order.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import {
  absent,
  body,
  each,
  isArrayValue,
  isInteger,
  isNumber,
  isObject,
  isText,
  optional,
  type PlacedValue,
  replyIs,
  required,
  valuesAt,
  where,
} from '../assertion.ts'
import { defineChecks } from '../check.ts'
import { orderHost, shownOrders, shownOrdersWith } from './hosted-orders.ts'

/** The block under fulfillment, and the profile that it belongs to. */
export const profileBlocks: readonly (readonly [string, OrderType])[] = [
  ['delivery', 'DELIVERY'],
  ['takeout', 'TAKEOUT'],
  ['indoor', 'INDOOR'],
]

/** Below an option, at every depth. */
function optionsBelow({ path, value }: PlacedValue): readonly PlacedValue[] {
  if (!isUnknownRecord(value)) return []
  const own = valuesAt(value, '/options/*').map((option) => ({
    ...option,
    path: `${path}${option.path}`,
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

export const itemPrices = ['unitPrice', 'originalPrice', 'optionsPrice', 'totalPrice', 'price']

/** The first problem of the options of an order, at every depth. */
const eachOption =
  (test: (option: unknown) => string | undefined) =>
  (order: unknown): string | undefined => {
    for (const { path, value } of optionTree(order)) {
      const problem = test(value)
      if (problem !== undefined) return `${path}${problem.startsWith('/') ? '' : ': '}${problem}`
    }
    return undefined
  }

const optionShape = body(
  isObject,
  optional('/pricing', isObject),
  optional('/defaultQuantity', isInteger),
  optional('/options', isArrayValue),
)

export const orderItemFieldChecks = defineChecks(
  { ...orderHost, procedures: ['full-order'] },
  {
    'ORD-FLD-14': {
      assertion: each(
        shownOrdersWith('/items/*/options/*'),
        replyIs(
          eachOption(
            body(
              isObject,
              optional('/pricing', isObject),
              ...itemPrices.map((field) => absent(`/${field}`)),
            ),
          ),
        ),
      ),
      remedy: 'Group the prices of an option under its pricing.',
    },
    'ORD-FLD-15': {
      assertion: each(
        where(shownOrders, ({ reply }) =>
          optionTree(reply).some(
            ({ value }) => isUnknownRecord(value) && 'defaultQuantity' in value,
          ),
        ),
        replyIs(eachOption(optional('/defaultQuantity', isInteger))),
      ),
      remedy: 'Show defaultQuantity of an option as a whole number.',
    },
    'ORD-FLD-16': {
      assertion: each(
        shownOrdersWith('/items/*/options/*/options'),
        replyIs(eachOption(optionShape)),
      ),
      remedy: 'Show options within options as a list of options, at every depth.',
    },
  },
)
