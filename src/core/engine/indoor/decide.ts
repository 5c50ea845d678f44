/** Decides the commands of Indoor, at the host and at its client. */
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import { accountDecisions } from './account-commands.ts'
import { bookOrder } from './booking.ts'
import { mirrorCancellations } from './cancellation-mirror.ts'
import type { IndoorCommand } from './commands.ts'
import { tableDecisions } from './table-commands.ts'
import { compact } from '../../base/compact.ts'
import { accountSums, fromCents, toCents } from '../../protocol/indoor/totals.ts'
import { ok } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import { isoOf } from '../instant.ts'
import { refuse } from '../refusal.ts'
import {
  accountLabel,
  invalidAccountState,
  onAccount,
  onAccountAllowing,
} from './account-trigger-check.ts'
import { withAccountEvent } from './account-events.ts'
import type { DiningAccountRecord, FiscalRecord, PaymentRecord } from './world.ts'
import type { FiscalDocument } from '../../protocol/indoor/account.ts'
import { fiscalStep } from '../../protocol/indoor/fiscal.ts'
import type { Chance } from '../chance.ts'

// Fiscal documents: requested now, issued or failed later (IND-RUL-06), independent of the
// account's status (IND-RUL-07). Requests are deduplicated: a repeated one gets the pending
// document, or the issued one for the same amount.

/**
 * What a document would cover now, in cents: the payments where each payment is invoiced, else the account's amount.
 */
function coveredCents(account: DiningAccountRecord, { settings }: DecisionContext): number {
  const { amount, paid } = accountSums(account)
  return settings.conduct.indoor.invoiceIssueMoment === 'payment' ? paid : amount
}

/** Whether a closed account no longer accepts a request for a document (IND-TEN-03). */
function isTooLate({ status }: DiningAccountRecord, { settings }: DecisionContext): boolean {
  const { fiscalOnClosed, invoiceIssueMoment } = settings.conduct.indoor
  if (status !== 'CLOSED' || fiscalOnClosed === 'always') return false
  return fiscalOnClosed === 'never' || invoiceIssueMoment !== 'account_closing'
}

const statusOf = ({ document }: FiscalRecord) => document.documentStatus

function concludedFacts(
  account: DiningAccountRecord,
  document: FiscalDocument,
  context: DecisionContext,
): Decision {
  const { documentId, documentStatus, documentKey, statusCode, statusReason } = document
  const eventType = documentStatus === 'ISSUED' ? 'FISCAL_ISSUED' : 'FISCAL_ERROR'
  const payload = { documentStatus, documentKey, statusCode, statusReason }
  const { accountId } = account
  return ok(
    withAccountEvent(
      { kind: 'account.fiscal-concluded', accountId, document },
      eventType,
      account,
      {
        ...context,
        details: { documentId, payload },
      },
    ),
  )
}

const digits = (chance: Chance, count: number): string =>
  Array.from({ length: count }, () => String(chance.below(10))).join('')

/** The check digit at the end of an access key: modulo 11 with the weights 2 to 9 from the right. */
function checkDigit(text: string): string {
  let sum = 0
  for (let index = 0; index < text.length; index++)
    sum += Number(text[text.length - 1 - index]) * (2 + (index % 8))
  const rest = sum % 11
  return String(rest < 2 ? 0 : 11 - rest)
}

/** The issuer's CNPJ in every document; it belongs to no company known to us. */
const issuerDocument = '12345678000195'

/** An electronic consumer invoice (NFC-e, model 65) of the test environment. */
function issuedDocument(documentId: string, context: DecisionContext): FiscalDocument {
  const chance = context.chance('indoor.fiscal')
  const issuedAt = isoOf(context.now)
  const number = digits(chance, 9)
  const head = `35${issuedAt.slice(2, 4)}${issuedAt.slice(5, 7)}${issuerDocument}65001${number}1`
  const body = `${head}${digits(chance, 8)}`
  return {
    documentId,
    documentStatus: 'ISSUED',
    documentNumber: number,
    documentSeries: '1',
    documentKey: `${body}${checkDigit(body)}`,
    environment: '2',
    authorizationProtocol: `1${digits(chance, 14)}`,
    model: '65',
    issuedAt,
    statusCode: '100',
    statusReason: 'Autorizado o uso da NF-e',
    issuanceType: '1',
  }
}

const failedDocument = (
  documentId: string,
  {
    statusCode = '999',
    statusReason = 'Rejeição: erro não catalogado',
  }: CommandOf<'account.conclude-fiscal'>,
): FiscalDocument => ({ documentId, documentStatus: 'ERROR', statusCode, statusReason })

const fiscalDecisions: Decisions<CommandOf<'account.request-fiscal' | 'account.conclude-fiscal'>> =
  {
    'account.request-fiscal': onAccountAllowing('request-fiscal', (account, { own }, context) => {
      if (isTooLate(account, context) && !own)
        return invalidAccountState(account, 'request-fiscal', context)
      const { accountId, documents } = account
      if (documents.some((each) => statusOf(each) === 'PENDING')) return ok([])
      const cents = coveredCents(account, context)
      const issued = documents.findLast(
        (each) => statusOf(each) === 'ISSUED' && each.cents === cents,
      )
      // The caller waits for an event, so the existing document is announced again.
      if (issued) return own ? ok([]) : concludedFacts(account, issued.document, context)
      const documentId = context.chance('indoor.fiscal').uuid()
      return ok([{ kind: 'account.fiscal-requested', accountId, documentId, cents }])
    }),

    'account.conclude-fiscal': onAccount((account, command, context) => {
      const { documentId, outcome } = command
      const record = account.documents.find((each) =>
        documentId === undefined
          ? statusOf(each) === 'PENDING'
          : each.document.documentId === documentId,
      )
      if (!record)
        return refuse(
          'NOT_FOUND',
          `${accountLabel(account)} waits for no fiscal document ${documentId ?? ''}`,
        )
      const id = record.document.documentId
      const step = fiscalStep(statusOf(record), outcome === 'issued' ? 'issue' : 'fail')
      if (step.kind === 'applied') return ok([])
      if (step.kind === 'refused')
        return refuse('CONFLICT', `the fiscal document ${id} is ${statusOf(record)} already`)
      const document =
        outcome === 'issued' ? issuedDocument(id, context) : failedDocument(id, command)
      return concludedFacts(account, document, context)
    }),
  }

// Payments, discounts and courtesy of an account. A payment needs no lock (IND-RUL-01) and changes
// no status; concurrent payments cannot add up to more than the account's amount, unless the
// session accepts overpayment.

/**
 * The refusal message of a payment that exceeds what is due; undefined when it fits or the session accepts
 * overpayment.
 */
function excessMessage(
  account: DiningAccountRecord,
  cents: number,
  { settings }: DecisionContext,
): string | undefined {
  const { due } = accountSums(account)
  return cents <= due || settings.conduct.indoor.overpayment === 'accept'
    ? undefined
    : `${accountLabel(account)} has ${fromCents(due)} due: a payment of ${fromCents(cents)} is over it`
}

const paymentPayload = ({ cents, methodInfo }: PaymentRecord) => ({
  amount: fromCents(cents),
  method: methodInfo.method,
})

const moneyDecisions: Decisions<
  CommandOf<'account.pay' | 'account.adjust-payment' | 'account.discount' | 'account.courtesy'>
> = {
  'account.pay': onAccountAllowing('pay', (account, { payment }, context) => {
    const { accountId } = account
    const { amount, items, ...rest } = payment
    const cents = toCents(amount)
    if (cents <= 0) return refuse('UNPROCESSABLE', `amount is ${amount}: a payment is above zero`)
    const unknownItem = items?.find((id) => !account.items.some(({ itemId }) => itemId === id))
    if (unknownItem !== undefined)
      return refuse('UNPROCESSABLE', `items: ${accountLabel(account)} has no item ${unknownItem}`)
    const excess = excessMessage(account, cents, context)
    if (excess !== undefined) return refuse('PAYMENT_EXCEEDS_DUE', excess)
    const record: PaymentRecord = {
      paymentId: context.chance('indoor.payments').uuid(),
      paidAt: isoOf(context.now),
      cents,
      ...rest,
      ...compact({ items }),
    }
    const details = { paymentId: record.paymentId, payload: paymentPayload(record) }
    return ok(
      withAccountEvent(
        { kind: 'account.paid', accountId, payment: record },
        'PAYMENT_CREATED',
        account,
        { ...context, details },
      ),
    )
  }),

  'account.adjust-payment': onAccountAllowing('adjust-payment', (account, command, context) => {
    const { accountId, paymentId, amount, reason } = command
    const before = account.payments.find((each) => each.paymentId === paymentId)
    if (!before) return refuse('NOT_FOUND', `${accountLabel(account)} has no payment ${paymentId}`)
    const cents = toCents(amount)
    if (cents < 0)
      return refuse('UNPROCESSABLE', `amount is ${amount}: a payment is not below zero`)
    const excess = excessMessage(account, cents - before.cents, context)
    if (excess !== undefined) return refuse('PAYMENT_EXCEEDS_DUE', excess)
    const payment = { ...before, cents }
    return ok(
      withAccountEvent(
        { kind: 'account.payment-adjusted', accountId, payment, ...compact({ reason }) },
        'PAYMENT_UPDATED',
        account,
        { ...context, details: { paymentId, payload: paymentPayload(payment) } },
      ),
    )
  }),

  /** A discount by the host: visible in the totals only, as the protocol has no event for it. */
  'account.discount': onAccountAllowing('discount', ({ accountId }, { amount, reason }) => {
    const cents = toCents(amount)
    return cents <= 0
      ? refuse('UNPROCESSABLE', `amount is ${amount}: a discount is above zero`)
      : ok([{ kind: 'account.discounted', accountId, cents, ...compact({ reason }) }])
  }),

  'account.courtesy': onAccountAllowing('courtesy', ({ accountId, courtesy }, { reason }) =>
    ok(courtesy ? [] : [{ kind: 'account.courtesy-granted', accountId, ...compact({ reason }) }]),
  ),
}

export const indoorDecisions: Decisions<IndoorCommand> = {
  'account.book': bookOrder,
  'account.mirror': mirrorCancellations,
  ...accountDecisions,
  ...moneyDecisions,
  ...fiscalDecisions,
  ...tableDecisions,
}
