/**
 * Random payments of an order: one or two methods, prepaid or pending, that add up to the amount. The odds depend on
 * where the payment is made.
 */
import type { Chance } from '../../engine/chance.ts'
import type { Order } from '../../protocol/orders/order.ts'
import { fromUnits, type Price, priceFromUnits, toUnits } from '../../protocol/orders/price.ts'
import { type WeightedValue, drawOptional, drawWeighted, weightedBy } from './draw.ts'
import { percentOfUnits, unitsPerCent } from './money.ts'

type Payments = Order['payments']
type PaymentMethod = Payments['methods'][number]

/** Where the payment is made: the app for a delivery or takeout, a counter, or a table with a bill at the end. */
export type PaymentSituation = 'DELIVERY' | 'TAKEOUT' | 'COUNTER' | 'SEATED'

type MethodKind = readonly [type: PaymentMethod['type'], method: PaymentMethod['method']]

/** The methods of both kinds, by their weights. */
const methodOdds = (
  weights: Readonly<
    Partial<Record<MethodKind[0], Readonly<Partial<Record<MethodKind[1], number>>>>>
  >,
): readonly WeightedValue<MethodKind>[] =>
  (Object.entries(weights) as [MethodKind[0], Partial<Record<MethodKind[1], number>>][]).flatMap(
    ([type, methods]) =>
      weightedBy(methods).map(({ weight, value }) => ({ weight, value: [type, value] as const })),
  )

const methodsBySituation = {
  DELIVERY: methodOdds({
    PREPAID: { CREDIT: 6, PIX: 5, DIGITAL_WALLET: 2, MEAL_VOUCHER: 2 },
    PENDING: { CASH: 3, DEBIT: 2, CREDIT: 1, PIX: 1 },
  }),
  TAKEOUT: methodOdds({
    PREPAID: { CREDIT: 4, PIX: 4, FOOD_VOUCHER: 1 },
    PENDING: { CASH: 2, DEBIT: 2 },
  }),
  COUNTER: methodOdds({
    PREPAID: { CREDIT: 3, DEBIT: 3, PIX: 3, MEAL_VOUCHER: 2 },
    PENDING: { CASH: 1 },
  }),
  SEATED: methodOdds({
    PENDING: { CREDIT: 3, DEBIT: 3, PIX: 2, MEAL_VOUCHER: 1, CASH: 1 },
    PREPAID: { PIX: 1 },
  }),
} satisfies Record<PaymentSituation, unknown>

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
