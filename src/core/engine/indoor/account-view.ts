/** An account as GET returns it (fields.md, N1 to N5), with totals computed at the time of the read (IND-RUL-08). */
import { compact } from '../../base/compact.ts'
import {
  type AccountItem,
  type AccountPayment,
  type AccountTotals,
  type FiscalDocument,
  maxListed,
} from '../../protocol/indoor/account.ts'
import { accountSums, fromCents } from '../../protocol/indoor/totals.ts'
import type { IndoorConduct } from '../../protocol/indoor/conduct.ts'
import type { AccountLine, DiningAccountRecord, PaymentRecord } from './world.ts'

export function accountItemView(line: AccountLine): AccountItem {
  const { orderId: _orderId, lineId: _lineId, cents, options, ...item } = line
  return {
    ...item,
    totalPrice: fromCents(cents),
    origin: 'ORDERING_APPLICATION',
    ...(options ? { options: [...options] } : {}),
  }
}

export function accountPaymentView({ cents, items, ...payment }: PaymentRecord): AccountPayment {
  return { ...payment, amount: fromCents(cents), ...(items ? { items: [...items] } : {}) }
}

export const accountPaymentsView = ({ payments }: DiningAccountRecord): readonly AccountPayment[] =>
  payments.slice(-maxListed).map(accountPaymentView)

export const fiscalDocumentsView = ({
  documents,
}: DiningAccountRecord): readonly FiscalDocument[] =>
  documents.slice(-maxListed).map(({ document }) => document)

export function accountTotalsView(account: DiningAccountRecord): AccountTotals {
  const { items, fees, discount, paid, due } = accountSums(account)
  return {
    itemsSubtotal: fromCents(items),
    serviceCharge: { amount: fromCents(fees) },
    taxes: { amount: 0 },
    discount: fromCents(discount),
    paid: fromCents(paid),
    due: fromCents(due),
  }
}

/** The summary of fiscal documents: the one issued last. */
function fiscalView({ documents }: DiningAccountRecord) {
  const issued = documents.findLast(({ document }) => document.documentStatus === 'ISSUED')
  return issued
    ? { documentIssued: true, documentId: issued.document.documentId }
    : { documentIssued: false }
}

/** The session's options for the shape of an account. */
export type AccountShape = Pick<IndoorConduct, 'usesAccountId' | 'accountShape'>

function common(account: DiningAccountRecord, { usesAccountId }: AccountShape) {
  const { accountId, operationMode, identifier, status, lastEvent } = account
  const { openedAt, closedAt, orders, items } = account
  return {
    ...(usesAccountId ? { accountId } : {}),
    merchantId: account.merchantId,
    operationMode,
    identifier,
    status,
    lastEvent,
    openedAt,
    ...compact({ closedAt }),
    orders,
    items: items.map(accountItemView),
    payments: accountPaymentsView(account),
  }
}

/** The account in the shape that the session selects (IND-UND-01). */
export function diningAccountView(account: DiningAccountRecord, shape: AccountShape): unknown {
  const shared = common(account, shape)
  if (shape.accountShape === 'standard')
    return { ...shared, totals: accountTotalsView(account), fiscal: fiscalView(account) }
  const { amount, paid } = accountSums(account)
  return {
    ...shared,
    fiscalDocuments: fiscalDocumentsView(account),
    total: fromCents(amount),
    paidTotal: fromCents(paid),
  }
}
