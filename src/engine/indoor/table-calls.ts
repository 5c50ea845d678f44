/**
 * The calls of the Ordering Application about an account, in the form that the session's conduct chooses: flat paths that
 * name the account in the query or in the body, or the account's own paths (IND-TEN-02, IND-UND-03).
 */
import type { PaymentMethodInfo } from '../../protocol/indoor/account.ts'
import type { IndoorConduct } from '../../protocol/indoor/conduct.ts'
import type { CallIntent } from '../calls/call.ts'
import type { Table } from './world.ts'

type Body = Readonly<Record<string, unknown>>

/** What names the account: its key, and its id where it is known. */
function naming({ accountId, merchantId, operationMode, identifier }: Table) {
  return {
    ...(operationMode === undefined ? {} : { operationMode }),
    ...(identifier === undefined ? {} : { identifier }),
    ...(merchantId === undefined ? {} : { merchantId }),
    ...(accountId === undefined ? {} : { accountId }),
  }
}

const between = { from: 'ordering-application', to: 'software-service', attempt: 1 } as const

/** A call about an account; further parameters of its path, and what its body says besides. */
export function callAbout(
  table: Table,
  operation: CallIntent['operation'],
  conduct: IndoorConduct,
  {
    params,
    body,
  }: { readonly params?: Readonly<Record<string, string>>; readonly body?: Body } = {},
): CallIntent {
  const { accountId } = table
  const scoped = conduct.accountPaths === 'scoped' && accountId !== undefined
  const names = naming(table)
  const isRead = operation.startsWith('list')
  const inBody = !scoped && !isRead && conduct.accountNaming === 'body'
  const path = { ...params, ...(scoped ? { accountId } : {}) }
  const said = { ...(inBody ? names : {}), ...body }
  return {
    ...between,
    operation,
    ...(Object.keys(path).length > 0 ? { params: path } : {}),
    ...(scoped || inBody ? {} : { query: names }),
    ...(isRead ? {} : { body: said }),
  }
}

/** The account by its key, which is the primary lookup (IND-OPS-01); by its id where the key means another one. */
export function lookup(table: Table): CallIntent {
  const { accountId, operationMode, identifier, elsewhere } = table
  const keyed = operationMode !== undefined && identifier !== undefined
  if (accountId !== undefined && (!keyed || elsewhere))
    return { ...between, operation: 'getAccountById', params: { accountId } }
  return { ...between, operation: 'getAccount', query: naming(table) }
}

/** The account of an order's place, of which nothing is known but the place. */
export const lookupFor = (
  orderId: string,
  place: Pick<Required<Table>, 'merchantId' | 'operationMode' | 'identifier'>,
): CallIntent => ({ ...between, operation: 'getAccount', params: { orderId }, query: place })

/** A payment in the standard's form, or with its amount as a price (IND-UND-03). */
export function paymentBody(
  amount: number,
  methodInfo: PaymentMethodInfo,
  tip: number | undefined,
  form: IndoorConduct['paymentBody'],
): Body {
  const more = tip === undefined ? {} : { tip }
  if (form === 'standard') return { amount, methodInfo, ...more }
  return { amount: { value: amount, currency: 'BRL' }, ...methodInfo, ...more }
}

/** Both ways to say it at once: the documents' target and items, the standard's (fields.md, N7). */
export function transferBody(
  target: Table,
  items: readonly { readonly itemId: string; readonly quantity: number }[],
  whole: boolean,
  reason: string | undefined,
): Body {
  const { accountId, operationMode, identifier, merchantId } = target
  const place = {
    ...(accountId === undefined ? {} : { accountId }),
    operationMode,
    identifier,
    ...(merchantId === undefined ? {} : { merchantId }),
  }
  return {
    ...(accountId === undefined ? {} : { targetAccountId: accountId }),
    target: place,
    transferType: whole ? 'FULL_ACCOUNT' : 'ITEMS',
    itemIds: items.map(({ itemId }) => itemId),
    items,
    ...(reason === undefined ? {} : { reason }),
  }
}
