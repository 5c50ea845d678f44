/**
 * Builds the Ordering Application's calls about an account in the form that the session selects: flat paths with the
 * account in query or body, or paths scoped to the account (IND-TEN-02, IND-UND-03).
 */
import { compact } from '../../base/compact.ts'
import type { PaymentMethodInfo } from '../../protocol/indoor/account.ts'
import type { IndoorConduct } from '../../protocol/indoor/conduct.ts'
import type { CallIntent } from '../calls/call.ts'
import type { DiningTable } from './world.ts'

type Body = Readonly<Record<string, unknown>>

/** The account reference: its key, and its id where known. */
function accountReference({ accountId, merchantId, operationMode, identifier }: DiningTable) {
  return compact({ operationMode, identifier, merchantId, accountId })
}

const callBase = { from: 'ordering-application', to: 'software-service', attempt: 1 } as const

/** A call about an account, with further path parameters and body fields. */
export function accountCall(
  table: DiningTable,
  operation: CallIntent['operation'],
  conduct: IndoorConduct,
  {
    params,
    body,
  }: { readonly params?: Readonly<Record<string, string>>; readonly body?: Body } = {},
): CallIntent {
  const { accountId } = table
  const scoped = conduct.accountPaths === 'scoped' && accountId !== undefined
  const names = accountReference(table)
  const isRead = operation.startsWith('list')
  const inBody = !scoped && !isRead && conduct.accountNaming === 'body'
  const path = { ...params, ...(scoped ? { accountId } : {}) }
  const bodyWithReference = { ...(inBody ? names : {}), ...body }
  return {
    ...callBase,
    operation,
    ...(Object.keys(path).length > 0 ? { params: path } : {}),
    ...(scoped || inBody ? {} : { query: names }),
    ...(isRead ? {} : { body: bodyWithReference }),
  }
}

/**
 * Reads the account by its key, the primary lookup (IND-OPS-01); by its id where the key is missing or means another
 * account.
 */
export function accountLookup(table: DiningTable): CallIntent {
  const { accountId, operationMode, identifier, elsewhere } = table
  const keyed = operationMode !== undefined && identifier !== undefined
  if (accountId !== undefined && (!keyed || elsewhere))
    return { ...callBase, operation: 'getAccountById', params: { accountId } }
  return { ...callBase, operation: 'getAccount', query: accountReference(table) }
}

/** Reads the account at an order's place. */
export const orderAccountLookup = (
  orderId: string,
  place: Pick<Required<DiningTable>, 'merchantId' | 'operationMode' | 'identifier'>,
): CallIntent => ({ ...callBase, operation: 'getAccount', params: { orderId }, query: place })

/** The body of a payment: the standard's form, or with the amount as a price (IND-UND-03). */
export function paymentRequestBody(
  amount: number,
  methodInfo: PaymentMethodInfo,
  tip: number | undefined,
  form: IndoorConduct['paymentBody'],
): Body {
  const tipField = tip === undefined ? {} : { tip }
  if (form === 'standard') return { amount, methodInfo, ...tipField }
  return { amount: { value: amount, currency: 'BRL' }, ...methodInfo, ...tipField }
}

/** The body of a transfer, with the field names of the documents and of the standard side by side (fields.md, N7). */
export function transferRequestBody(
  target: DiningTable,
  items: readonly { readonly itemId: string; readonly quantity: number }[],
  whole: boolean,
  reason: string | undefined,
): Body {
  const { accountId, operationMode, identifier, merchantId } = target
  const place = {
    ...compact({ accountId }),
    operationMode,
    identifier,
    ...compact({ merchantId }),
  }
  return {
    ...compact({ targetAccountId: accountId }),
    target: place,
    transferType: whole ? 'FULL_ACCOUNT' : 'ITEMS',
    itemIds: items.map(({ itemId }) => itemId),
    items,
    ...compact({ reason }),
  }
}
