/**
 * Schemas of the account as GET returns it (document 2, Indoor account; shapes that it leaves open from
 * spec/fields.md, N1 to N5). Unknown fields are kept: partners may send extra ones (IND-UND-01).
 */
import { z } from 'zod'
import { accountEventTypes } from './events.ts'
import { fiscalStates } from './fiscal.ts'
import { OperationMode } from './labels.ts'
import { AccountStatus } from './status.ts'
import { looseObject } from '../../base/lazy-object.ts'

const dateTime = z.iso.datetime({ offset: true })

/** `PAID`: an item of a closed account whose payments covered it. */
export const accountItemStatuses = ['ACTIVE', 'CANCELLED', 'PAID'] as const
export type AccountItemStatus = (typeof accountItemStatuses)[number]

export const AccountItemOption = looseObject(() => ({
  externalCode: z.string().optional(),
  name: z.string(),
  quantity: z.number(),
  unitPrice: z.number().optional(),
  totalPrice: z.number().optional(),
  get options() {
    return z.array(AccountItemOption).optional()
  },
}))
export type AccountItemOption = z.infer<typeof AccountItemOption>

export const AccountItem = looseObject(() => ({
  itemId: z.string(),
  externalCode: z.string().optional(),
  name: z.string(),
  quantity: z.number(),
  unitPrice: z.number().optional(),
  discount: z.number().optional(),
  totalPrice: z.number().optional(),
  origin: z.enum(['ORDERING_APPLICATION', 'POS', 'OTHER']).optional(),
  addedAt: dateTime,
  status: z.enum(accountItemStatuses),
  notes: z.string().optional(),
  seat: z.string().optional(),
  options: z.array(AccountItemOption).optional(),
}))
export type AccountItem = z.infer<typeof AccountItem>

export const accountPaymentMethods = [
  'CASH',
  'CREDIT_CARD',
  'DEBIT_CARD',
  'PIX',
  'VOUCHER',
  'OTHER',
] as const
export const cardBrands = [
  'VISA',
  'MASTERCARD',
  'AMEX',
  'ELO',
  'HIPERCARD',
  'AURA',
  'SODEXO',
  'VR',
  'BENEFIT',
  'OTHER',
] as const

export const PaymentMethodInfo = looseObject(() => ({
  method: z.enum(accountPaymentMethods),
  brand: z.enum(cardBrands).optional(),
  nsu: z.string().optional(),
}))
export type PaymentMethodInfo = z.infer<typeof PaymentMethodInfo>

export const ChargeAmount = looseObject(() => ({
  rate: z.number().optional(),
  amount: z.number().optional(),
}))
export type ChargeAmount = z.infer<typeof ChargeAmount>

export const AccountPayment = looseObject(() => ({
  paymentId: z.string(),
  paidAt: dateTime,
  amount: z.number(),
  methodInfo: PaymentMethodInfo,
  serviceCharge: ChargeAmount.optional(),
  tip: z.number().optional(),
  items: z.array(z.string()).optional(),
  seat: z.string().optional(),
}))
export type AccountPayment = z.infer<typeof AccountPayment>

export const FiscalDocument = looseObject(() => ({
  documentId: z.string(),
  documentStatus: z.enum(fiscalStates),
  documentNumber: z.string().optional(),
  documentSeries: z.string().optional(),
  documentKey: z.string().optional(),
  environment: z.enum(['1', '2']).optional(),
  authorizationProtocol: z.string().optional(),
  model: z.string().optional(),
  issuedAt: dateTime.optional(),
  statusCode: z.string().optional(),
  statusReason: z.string().optional(),
  issuanceType: z.enum(['1', '9']).optional(),
}))
export type FiscalDocument = z.infer<typeof FiscalDocument>

export const AccountTotals = looseObject(() => ({
  itemsSubtotal: z.number(),
  serviceCharge: ChargeAmount,
  taxes: z.looseObject({ amount: z.number() }),
  discount: z.number(),
  paid: z.number(),
  due: z.number(),
}))
export type AccountTotals = z.infer<typeof AccountTotals>

export const Account = looseObject(() => ({
  accountId: z.string().optional(),
  operationMode: OperationMode,
  identifier: z.string(),
  status: AccountStatus,
  /** Always present (IND-ACC-03). */
  lastEvent: z.enum(accountEventTypes),
  openedAt: dateTime,
  closedAt: dateTime.optional(),
  orders: z.array(
    z.looseObject({
      orderId: z.string(),
      originChannel: z.string().optional(),
      createdAt: dateTime,
    }),
  ),
  items: z.array(AccountItem),
  payments: z.array(AccountPayment),
  totals: AccountTotals,
  fiscal: z
    .looseObject({ documentIssued: z.boolean(), documentId: z.string().optional() })
    .optional(),
}))
export type Account = z.infer<typeof Account>

/** Either of the two shapes that a session may select (IND-UND-01). */
export const AccountAnswer = z.union([Account, looseObject(() => ({ status: z.string() }))])

export const PaymentList = looseObject(() => ({ payments: z.array(AccountPayment) }))
export const FiscalDocumentList = looseObject(() => ({ documents: z.array(FiscalDocument) }))

/** The body of a 202. */
export const AccountReceipt = looseObject(() => ({ status: z.string(), correlationId: z.string() }))

/** Maximum number of payments or documents in one list (fields.md, N10). */
export const maxListed = 1000
