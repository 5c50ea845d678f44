/** Completes the payments of an order: methods that are named pay what is left of the amount. */
import type { Chance } from '../../engine/chance.ts'
import { fromUnits, toUnits } from '../../protocol/orders/price.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { numberOf } from './complete-items.ts'
import { drawCashAmount, drawPayments, type PaymentSituation } from './order-payments.ts'

interface PaymentContext {
  readonly chance: Chance
  readonly situation: PaymentSituation
  readonly amountUnits: number
  readonly currency: string
}

const unitsIn = (methods: readonly unknown[], type?: string): number =>
  methods
    .filter(isUnknownRecord)
    .filter((method) => type === undefined || method['type'] === type)
    .reduce((sum, { value }) => sum + toUnits(numberOf(value)), 0)

/** Cash is handed over, and a bill at a table is paid at the end. */
const typeOf = (method: unknown, situation: PaymentSituation): 'PREPAID' | 'PENDING' =>
  method === 'CASH' || situation === 'SEATED' ? 'PENDING' : 'PREPAID'

/** The first method without a value pays the rest of the amount. */
function completeMethods(
  methods: readonly unknown[],
  { chance, situation, amountUnits, currency }: PaymentContext,
): readonly unknown[] {
  let rest = Math.max(0, amountUnits - unitsIn(methods))
  return methods.map((given) => {
    if (!isUnknownRecord(given)) return given
    const value = given['value'] ?? fromUnits(rest)
    if (given['value'] === undefined) rest = 0
    const { method } = given
    const units = toUnits(numberOf(value))
    return {
      type: typeOf(method, situation),
      value,
      currency,
      ...(method === 'CASH' ? { changeFor: fromUnits(drawCashAmount(chance, units)) } : {}),
      ...given,
    }
  })
}

export function completePayments(given: unknown, context: PaymentContext): unknown {
  const drawn = (): UnknownRecord => {
    const { chance, situation, amountUnits, currency } = context
    return drawPayments(chance, situation, amountUnits, currency)
  }
  if (given === undefined) return drawn()
  if (!isUnknownRecord(given)) return given
  const { methods: input } = given
  if (input === undefined) return { ...drawn(), ...given }
  if (!Array.isArray(input)) return { ...drawn(), ...given }
  const methods = completeMethods(input, context)
  return {
    prepaid: fromUnits(unitsIn(methods, 'PREPAID')),
    pending: fromUnits(unitsIn(methods, 'PENDING')),
    ...given,
    methods,
  }
}
