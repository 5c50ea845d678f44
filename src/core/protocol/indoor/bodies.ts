/**
 * Request bodies of the calls on an account (IND-UND-03; shapes from spec/fields.md, N4 to N9). Each may also name
 * the account. Every known shape is accepted; missing fields are reported where the body is read.
 */
import { z } from 'zod'
import { Price } from '../orders/price.ts'
import { cardBrands, ChargeAmount, PaymentMethodInfo } from './account.ts'
import { OperationMode } from './labels.ts'
import { looseObject } from '../../base/lazy-object.ts'

const id = z.string().min(1).max(200)
const reason = z.string().max(1000).optional()

/** The account reference of a call to a flat path: the operational key or the id; `merchantId` narrows the key. */
const accountReference = () => ({
  operationMode: OperationMode.optional(),
  identifier: id.optional(),
  accountId: id.optional(),
  merchantId: id.optional(),
})
export const AccountReference = looseObject(accountReference)
export type AccountReference = z.infer<typeof AccountReference>

export const PreCloseBody = looseObject(() => ({
  ...accountReference(),
  reason,
  requestedBy: z.string().max(200).optional(),
}))
export type PreCloseBody = z.infer<typeof PreCloseBody>

export const UnlockBody = looseObject(() => ({ ...accountReference(), reason }))
export type UnlockBody = z.infer<typeof UnlockBody>

/** An upper bound far above any real account, so that a mistyped amount cannot overflow a sum. */
const maxAmount = 1_000_000_000
const Sum = z.number().min(0).max(maxAmount)
const PositiveSum = z.number().positive().max(maxAmount)

/** An amount as a number (the standard's form), or as a price. */
const Amount = z.union([Sum, Price.extend({ value: Sum })])
const PositiveAmount = z.union([PositiveSum, Price.extend({ value: PositiveSum })])
export const decimalAmount = (amount: z.infer<typeof Amount>): number =>
  typeof amount === 'number' ? amount : amount.value

export const CloseBody = looseObject(() => ({
  ...accountReference(),
  reason,
  discount: Amount.optional(),
}))
export type CloseBody = z.infer<typeof CloseBody>

/** `method` is the short form of `methodInfo`; one of the two is required. */
export const PaymentBody = looseObject(() => ({
  ...accountReference(),
  amount: PositiveAmount,
  methodInfo: PaymentMethodInfo.optional(),
  method: z.string().min(1).max(50).optional(),
  brand: z.enum(cardBrands).optional(),
  nsu: z.string().max(100).optional(),
  serviceCharge: ChargeAmount.optional(),
  tip: Sum.optional(),
  items: z.array(id).max(1000).optional(),
  seat: z.string().max(200).optional(),
}))
export type PaymentBody = z.infer<typeof PaymentBody>

/** An item of a transfer: a whole item by id, or part of its quantity. */
const TransferItem = z.union([
  id,
  looseObject(() => ({ itemId: id, quantity: z.number().positive().optional() })),
])

export const transferTypes = ['ITEMS', 'FULL_ACCOUNT'] as const

export const TransferBody = looseObject(() => ({
  ...accountReference(),
  transferType: z.enum(transferTypes).optional(),
  itemIds: z.array(id).max(1000).optional(),
  items: z.array(TransferItem).max(1000).optional(),
  targetAccountId: id.optional(),
  target: AccountReference.optional(),
  reason,
}))
export type TransferBody = z.infer<typeof TransferBody>

export const ItemCancelBody = looseObject(() => ({
  ...accountReference(),
  reason,
  quantity: z.number().positive().optional(),
}))
export type ItemCancelBody = z.infer<typeof ItemCancelBody>

export const FiscalBody = looseObject(() => ({
  ...accountReference(),
  printDocument: z.boolean().optional(),
  paymentNSURequiredForNFCE: z.boolean().optional(),
}))

export const TransferAnswer = looseObject(() => ({
  sourceAccountId: z.string().optional(),
  targetAccountId: z.string().optional(),
  transferredItemIds: z.array(z.string()),
  transferredAt: z.string().optional(),
}))
