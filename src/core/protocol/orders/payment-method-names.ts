/** Plain names of payment methods, besides those of the protocol. */
import { findClosestName } from '../closest-name.ts'
import { err, ok, type Result } from '../result.ts'
import { paymentMethods } from './payments.ts'

type PaymentMethodName = (typeof paymentMethods)[number]

const plainNames: Readonly<Record<string, PaymentMethodName>> = {
  CARD: 'CREDIT',
  CREDIT_CARD: 'CREDIT',
  DEBIT_CARD: 'DEBIT',
  VOUCHER: 'MEAL_VOUCHER',
  WALLET: 'DIGITAL_WALLET',
  MONEY: 'CASH',
}

type Hyphenated<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}-${Hyphenated<Rest>}`
  : Name

/** A method as people type it: in lower case, with hyphens. */
export type PaymentMethodChoice = Hyphenated<Lowercase<PaymentMethodName>>

export const paymentMethodChoices: readonly string[] = paymentMethods.map((method) =>
  method.toLowerCase().replaceAll('_', '-'),
)

/** The method of a name in any case, with hyphens, spaces or underscores; the error names the known ones. */
export function paymentMethodNamed(text: string): Result<PaymentMethodName, string> {
  const name = text
    .trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_')
  const method = paymentMethods.find((each) => each === name) ?? plainNames[name]
  if (method) return ok(method)
  const known = [
    ...paymentMethodChoices,
    ...Object.keys(plainNames).map((each) => each.toLowerCase()),
  ]
  const near = findClosestName(text, known)
  return err(
    `"${text}" is no payment method${near === undefined ? '' : `; the nearest is ${near}`}. Known: ${paymentMethodChoices.join(', ')}`,
  )
}
