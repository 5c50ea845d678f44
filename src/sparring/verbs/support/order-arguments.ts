/** Parses what describes an order on the command line: items, customer and payment. */
import { problem } from '../../../core/base/problem.ts'
import type { NewOrder, NewOrderItem } from '../../../core/session-api/new-order.ts'

const numberOf = (text: string): number => Number(text.replace(',', '.'))

export const itemForm = '<code or name>[:quantity][@price]'

/** `1001`, `1001:2`, `1001:2@25.90`, `Margherita@25,90`: the item, its quantity and the price of one unit. */
export function parseItemArgument(text: string): NewOrderItem {
  const [, item, quantity, price] =
    /^([^@]+?)(?::(\d+(?:[.,]\d+)?))?(?:@(\d+(?:[.,]\d{1,2})?))?$/.exec(text.trim()) ?? []
  if (item === undefined)
    throw problem(
      'reading --item',
      `"${text}" is no item of an order`,
      `Write ${itemForm}, such as 1001, 1001:2 or 1001:2@25.90.`,
    )
  return {
    item,
    ...(quantity === undefined ? {} : { quantity: numberOf(quantity) }),
    ...(price === undefined ? {} : { price: numberOf(price) }),
  }
}

export const customerForm = '<name>[,phone][,email]'

/** The name comes first; a phone number and an e-mail address are known by what they look like. */
export function parseCustomerArgument(text: string): NonNullable<NewOrder['customer']> {
  const [name = '', ...parts] = text.split(',').map((part) => part.trim())
  let customer: NonNullable<NewOrder['customer']> = { name }
  for (const part of parts.filter((each) => each !== ''))
    if (part.includes('@')) customer = { ...customer, email: part }
    else if (/^\+?[\d ()-]{6,}$/.test(part))
      customer = { ...customer, phone: part.replaceAll(/[ ()-]/g, '') }
    else
      throw problem(
        'reading --customer',
        `"${part}" is neither a phone number nor an e-mail address`,
        `Write ${customerForm}, such as 'Ana Souza,+5511999990000'.`,
      )
  if (name !== '') return customer
  throw problem('reading --customer', 'it has no name', `Write ${customerForm}.`)
}

export const paymentForm = '<method>[@cash][:prepaid|:pending]'

/** `cash`, `cash@100`, `credit:pending`: the method, the cash handed over, and whether it is paid already. */
export function parsePaymentArgument(text: string): NonNullable<NewOrder['payment']> {
  const [, method, changeFor, type] =
    /^([A-Za-z][\w -]*?)(?:@(\d+(?:[.,]\d{1,2})?))?(?::(prepaid|pending))?$/i.exec(text.trim()) ??
    []
  if (method === undefined)
    throw problem(
      'reading --pay',
      `"${text}" is no payment`,
      `Write ${paymentForm}, such as credit, cash@100 or debit:pending.`,
    )
  return {
    method,
    ...(changeFor === undefined ? {} : { changeFor: numberOf(changeFor) }),
    ...(type === undefined
      ? {}
      : { type: type.toLowerCase() === 'prepaid' ? 'PREPAID' : 'PENDING' }),
  }
}
