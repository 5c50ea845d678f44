/**
 * Normalises request bodies to the one form that commands use. A body that passed its schema may still lack a
 * required field: the error names it.
 */
import { compact } from '../../base/compact.ts'
import { err, ok, type Result } from '../result.ts'
import { type ChargeAmount, type PaymentMethodInfo, accountPaymentMethods } from './account.ts'
import { decimalAmount, type PaymentBody, type TransferBody } from './bodies.ts'

/** A payment to add to an account. */
export interface PaymentInstruction {
  readonly amount: number
  readonly methodInfo: PaymentMethodInfo
  /**
   * The service charge in or beside the amount: passed through unchanged, and not counted towards covering the
   * account.
   */
  readonly serviceCharge?: ChargeAmount
  readonly tip?: number
  /** The items that it pays for. */
  readonly items?: readonly string[]
  readonly seat?: string
}

/** Items to transfer; `whole` for everything on the account. */
export interface TransferInstruction {
  readonly whole: boolean
  readonly items: readonly { readonly itemId: string; readonly quantity?: number }[]
}

export interface InvalidField {
  readonly field: string
  readonly problem: string
}

/** The Orders documents' names of the same payment methods. */
const methodsOfOrders: ReadonlyMap<string, PaymentMethodInfo['method']> = new Map([
  ['CREDIT', 'CREDIT_CARD'],
  ['DEBIT', 'DEBIT_CARD'],
  ['MEAL_VOUCHER', 'VOUCHER'],
  ['FOOD_VOUCHER', 'VOUCHER'],
])

const isMethod = (name: string): name is PaymentMethodInfo['method'] =>
  (accountPaymentMethods as readonly string[]).includes(name)

const methodOf = (name: string): PaymentMethodInfo['method'] =>
  isMethod(name) ? name : (methodsOfOrders.get(name) ?? 'OTHER')

function methodInfoOf(body: PaymentBody): PaymentMethodInfo | undefined {
  const { methodInfo, method, brand, nsu } = body
  if (methodInfo) return methodInfo
  if (method === undefined) return undefined
  return {
    method: methodOf(method),
    ...compact({ brand, nsu }),
  }
}

export function readPaymentInstruction(
  body: PaymentBody,
): Result<PaymentInstruction, InvalidField> {
  const { serviceCharge, tip, items, seat } = body
  const methodInfo = methodInfoOf(body)
  if (!methodInfo) return err({ field: 'methodInfo', problem: 'the payment needs its method' })
  const amount = decimalAmount(body.amount)
  return ok({
    amount,
    methodInfo,
    ...compact({ serviceCharge, tip, items, seat }),
  })
}

export function readTransferInstruction(
  body: TransferBody,
): Result<TransferInstruction, InvalidField> {
  const { transferType, itemIds, items } = body
  if (transferType === 'FULL_ACCOUNT') return ok({ whole: true, items: [] })
  const listed = items
    ? items.map((item) => {
        if (typeof item === 'string') return { itemId: item }
        const { itemId, quantity } = item
        return quantity === undefined ? { itemId } : { itemId, quantity }
      })
    : itemIds?.map((itemId) => ({ itemId }))
  if (!listed || listed.length === 0)
    return err({ field: 'itemIds', problem: 'the transfer needs the items that it moves' })
  if (new Set(listed.map(({ itemId }) => itemId)).size < listed.length)
    return err({ field: items ? 'items' : 'itemIds', problem: 'the transfer names an item twice' })
  return ok({ whole: false, items: listed })
}
