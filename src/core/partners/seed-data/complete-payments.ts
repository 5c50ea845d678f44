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
  return methods.map((input) => {
    if (!isUnknownRecord(input)) return input
    const value = input['value'] ?? fromUnits(rest)
    if (input['value'] === undefined) rest = 0
    const { method } = input
    const units = toUnits(numberOf(value))
    return {
      type: typeOf(method, situation),
      value,
      currency,
      ...(method === 'CASH' ? { changeFor: fromUnits(drawCashAmount(chance, units)) } : {}),
      ...input,
    }
  })
}

export function completePayments(input: unknown, context: PaymentContext): unknown {
  const drawn = (): UnknownRecord => {
    const { chance, situation, amountUnits, currency } = context
    return drawPayments(chance, situation, amountUnits, currency)
  }
  if (input === undefined) return drawn()
  if (!isUnknownRecord(input)) return input
  if (!Array.isArray(input['methods'])) return { ...drawn(), ...input }
  const methods = completeMethods(input['methods'], context)
  return {
    prepaid: fromUnits(unitsIn(methods, 'PREPAID')),
    pending: fromUnits(unitsIn(methods, 'PENDING')),
    ...input,
    methods,
  }
}
