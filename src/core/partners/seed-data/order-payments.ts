/**
 * Random payments of an order: one or two methods, prepaid or pending, that add up to the amount. The odds depend on
 * where the payment is made.
 */
import type { Chance } from '../../engine/chance.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { fromUnits, type Price, priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { type WeightedValue, drawOptional, drawWeighted } from './draw.ts'
import { percentOfUnits, unitsPerCent } from './money.ts'

type Payments = Order['payments']
type PaymentMethod = Payments['methods'][number]

/** Where the payment is made: the app for a delivery or takeout, a counter, or a table with a bill at the end. */
export type PaymentSituation = 'DELIVERY' | 'TAKEOUT' | 'COUNTER' | 'SEATED'

type MethodKind = readonly [type: PaymentMethod['type'], method: PaymentMethod['method']]

const weightedMethod = (weight: number, ...value: MethodKind): WeightedValue<MethodKind> => ({
  weight,
  value,
})

const methodsBySituation: Readonly<Record<PaymentSituation, readonly WeightedValue<MethodKind>[]>> =
  {
    DELIVERY: [
      weightedMethod(6, 'PREPAID', 'CREDIT'),
      weightedMethod(5, 'PREPAID', 'PIX'),
      weightedMethod(2, 'PREPAID', 'DIGITAL_WALLET'),
      weightedMethod(2, 'PREPAID', 'MEAL_VOUCHER'),
      weightedMethod(3, 'PENDING', 'CASH'),
      weightedMethod(2, 'PENDING', 'DEBIT'),
      weightedMethod(1, 'PENDING', 'CREDIT'),
      weightedMethod(1, 'PENDING', 'PIX'),
    ],
    TAKEOUT: [
      weightedMethod(4, 'PREPAID', 'CREDIT'),
      weightedMethod(4, 'PREPAID', 'PIX'),
      weightedMethod(1, 'PREPAID', 'FOOD_VOUCHER'),
      weightedMethod(2, 'PENDING', 'CASH'),
      weightedMethod(2, 'PENDING', 'DEBIT'),
    ],
    COUNTER: [
      weightedMethod(3, 'PREPAID', 'CREDIT'),
      weightedMethod(3, 'PREPAID', 'DEBIT'),
      weightedMethod(3, 'PREPAID', 'PIX'),
      weightedMethod(2, 'PREPAID', 'MEAL_VOUCHER'),
      weightedMethod(1, 'PENDING', 'CASH'),
    ],
    SEATED: [
      weightedMethod(3, 'PENDING', 'CREDIT'),
      weightedMethod(3, 'PENDING', 'DEBIT'),
      weightedMethod(2, 'PENDING', 'PIX'),
      weightedMethod(1, 'PENDING', 'MEAL_VOUCHER'),
      weightedMethod(1, 'PENDING', 'CASH'),
      weightedMethod(1, 'PREPAID', 'PIX'),
    ],
  }

type Brand = NonNullable<PaymentMethod['brand']>

const vouchers: readonly Brand[] = ['VR_BENEFICIOS', 'SODEXO', 'TICKET']

const brands: Partial<Record<PaymentMethod['method'], readonly Brand[]>> = {
  CREDIT: ['VISA', 'MASTERCARD', 'ELO', 'AMEX', 'HIPERCARD'],
  DEBIT: ['VISA', 'MASTERCARD', 'ELO'],
  MEAL_VOUCHER: vouchers,
  FOOD_VOUCHER: vouchers,
}

/** CNPJ of the acquirer of all card payments: fourteen digits with valid check digits, of no known company. */
const acquirerDocument = '12345678000195'

export function drawPayments(
  chance: Chance,
  situation: PaymentSituation,
  amountUnits: number,
  currency: string,
): Payments {
  const first = chance.oneIn(10) ? percentOfUnits(amountUnits, chance.between(3, 7) * 10) : 0
  const parts = first > 0 ? [first, amountUnits - first] : [amountUnits]
  const methods: PaymentMethod[] = []
  const units = { PREPAID: 0, PENDING: 0 }
  for (const part of parts) {
    const [type, method] = drawWeighted(chance, methodsBySituation[situation])
    units[type] += part
    methods.push(payment(chance, [type, method], priceFromUnits(part, currency)))
  }
  return { prepaid: fromUnits(units.PREPAID), pending: fromUnits(units.PENDING), methods }
}

function payment(
  chance: Chance,
  [type, method]: MethodKind,
  { value, currency }: Price,
): PaymentMethod {
  const known = brands[method]
  const paidByCard = type === 'PREPAID' && known !== undefined
  return {
    type,
    method,
    ...(known ? { brand: chance.pick(known) } : {}),
    ...(paidByCard ? { methodInfo: `Cartão final ${chance.between(1000, 9999)}` } : {}),
    value,
    currency,
    // Always set for cash, also when the exact amount is handed over.
    ...(method === 'CASH' ? { changeFor: fromUnits(drawCashAmount(chance, toUnits(value))) } : {}),
    ...(paidByCard
      ? drawOptional(chance, 2, () => ({
          transaction: {
            authorizationCode: String(chance.between(100_000, 999_999)),
            acquirerDocument,
          },
        }))
      : {}),
  }
}

/** The amount rounded up to a multiple of one banknote, or exact in one of six cases. */
export function drawCashAmount(chance: Chance, units: number): number {
  if (chance.oneIn(6)) return units
  const note = chance.pick([10, 20, 50, 100]) * 100 * unitsPerCent
  return Math.ceil(units / note) * note
}
