/** Schema of a request for a new order, as scenarios and the control API take it. */
import { z } from 'zod'
import { operationModes } from '../../protocol/indoor/labels.ts'
import { orderTypes } from '../../protocol/orders/order.ts'
import {
  paymentMethodChoices,
  paymentMethodNamed,
} from '../../protocol/orders/payment-method-names.ts'
import { sampleNames } from '../../partners/seed-data/samples.ts'
import { strictObject } from '../../base/lazy-object.ts'

const text = z.string().trim().min(1).max(200)

const maxItems = 500

/** The mode and the identifier of a place; without a mode it is a table. */
const placePattern = new RegExp(`^(?:(${operationModes.join('|')}):)?([^:]+)$`)

/** The account of a place as an INDOOR order names it. */
export function placeOf(table: string) {
  const [, operationMode = 'TABLE', identifier = table] = placePattern.exec(table) ?? []
  return { operationMode, identifier }
}

const Item = strictObject(() => ({
  item: text.describe('code or name of an item of the menu; any other text with a price'),
  quantity: z.exactOptional(z.number().positive().max(10_000)).describe('1 when absent'),
  price: z
    .exactOptional(z.number().min(0).max(1_000_000))
    .describe('price of one unit; that of the menu when absent'),
  options: z
    .exactOptional(z.array(text).max(100))
    .describe('codes or names of options; those that the menu requires when absent'),
  observations: z.exactOptional(z.string().max(2000)).describe('remark of the customer'),
}))

const Customer = strictObject(() => ({
  name: text.describe('a made-up customer of the session is known by the name'),
  phone: z.exactOptional(text),
  email: z.exactOptional(text),
  documentNumber: z.exactOptional(text),
}))

const Payment = strictObject(() => ({
  method: z
    .string()
    .transform((name, context) => {
      const method = paymentMethodNamed(name)
      if (method.ok) return method.value
      context.issues.push({ code: 'custom', input: name, message: method.error })
      return z.NEVER
    })
    .describe(`a payment method: ${paymentMethodChoices.join(', ')}`),
  type: z
    .exactOptional(z.enum(['PREPAID', 'PENDING']))
    .describe(
      'whether it is paid already; cash and the bill at a table are not, anything else is, when absent',
    ),
  changeFor: z
    .exactOptional(z.number().min(0))
    .describe('the cash that the customer hands over, with method cash'),
}))

/** What may be said of an order in a few words. */
export const newOrderFields = () => ({
  type: z
    .exactOptional(z.enum(orderTypes))
    .describe('DELIVERY, TAKEOUT or INDOOR; drawn when absent'),
  table: z
    .exactOptional(text.regex(placePattern, 'is no place: write 7, TAB:12 or COUNTER:3'))
    .describe('the table of an INDOOR order: 7, TAB:12 or COUNTER:3; drawn when absent'),
  merchant: z
    .exactOptional(text)
    .describe(
      'id, externalCode or name of a merchant; drawn when absent, from those that sell the items',
    ),
  items: z
    .exactOptional(z.union([z.int().min(1).max(maxItems), z.array(Item).min(1).max(maxItems)]))
    .describe('how many items it has, or the items; drawn when absent'),
  customer: z.exactOptional(Customer).describe('drawn when absent'),
  payment: z.exactOptional(Payment).describe('how it is paid; drawn when absent'),
  sample: z
    .exactOptional(z.enum(sampleNames, 'there is no such sample: see sparring list samples'))
    .describe('an order that is not nice, as sparring list samples names them'),
})

export const NewOrderRequest = strictObject(() => ({
  ...newOrderFields(),
  order: z
    .exactOptional(z.record(z.string(), z.unknown()))
    .describe(
      'an order document, whole or in part, in place of the other fields; what it leaves out is made up from the seed',
    ),
})).refine((request) => request.order === undefined || Object.keys(request).length === 1, {
  message: 'an order document takes no other field beside it: say everything in the document',
})
