/** Checks of the items, options and prices of an order that an Ordering Application shows: ORD-FLD-12 to 17. */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import {
  absent,
  body,
  each,
  isArrayValue,
  isInteger,
  isObject,
  isText,
  optional,
  replyIs,
  where,
} from '../assertion.ts'
import { defineChecks } from '../check.ts'
import { optionTree, priceProblem } from './host-order-shape.ts'
import { orderHost, shownOrders, shownOrdersWith } from './hosted-orders.ts'

const itemPrices = ['unitPrice', 'originalPrice', 'optionsPrice', 'totalPrice', 'price']

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
    'ORD-FLD-12': {
      assertion: each(
        shownOrders,
        replyIs(
          body(optional('/items/*/observations', isText), absent('/items/*/specialInstructions')),
        ),
      ),
      remedy: 'Put the remarks of an item into its observations, and drop specialInstructions.',
    },
    'ORD-FLD-13': {
      procedures: ['order-life'],
      assertion: each(
        shownOrders,
        replyIs(
          (order) =>
            body(
              optional('/items/*/pricing', isObject),
              ...itemPrices.map((field) => absent(`/items/*/${field}`)),
            )(order) ??
            (JSON.stringify(order).includes('"subtotalPrice":')
              ? 'it has a subtotalPrice'
              : undefined),
        ),
      ),
      remedy: 'Group the prices of an item under its pricing, and drop subtotalPrice.',
    },
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
    'ORD-FLD-17': {
      procedures: ['order-life', 'full-order'],
      assertion: each(shownOrders, replyIs(priceProblem)),
      remedy: 'Show every price as an object of value and currency.',
    },
  },
)
