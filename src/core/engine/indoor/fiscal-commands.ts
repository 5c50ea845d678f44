/**
 * Fiscal documents: requested now, issued or failed later (IND-RUL-06), independent of the account's status
 * (IND-RUL-07). Requests are deduplicated: a repeated one gets the pending document, or the issued one for the same
 * amount.
 */
import type { FiscalDocument } from '../../protocol/indoor/account.ts'
import { fiscalStep } from '../../protocol/indoor/fiscal.ts'
import { accountSums } from '../../protocol/indoor/totals.ts'
import { ok } from '../../protocol/result.ts'
import type { Chance } from '../chance.ts'
import type { CommandOf } from '../command.ts'
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { refuse } from '../refusal.ts'
import {
  accountLabel,
  invalidAccountState,
  onAccount,
  onAccountAllowing,
} from './account-trigger-check.ts'
import { withAccountEvent } from './account-events.ts'
import type { DiningAccountRecord, FiscalRecord } from './world.ts'

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

export const fiscalDecisions: Decisions<
  CommandOf<'account.request-fiscal' | 'account.conclude-fiscal'>
> = {
  'account.request-fiscal': onAccountAllowing('request-fiscal', (account, { own }, context) => {
    if (isTooLate(account, context) && !own)
      return invalidAccountState(account, 'request-fiscal', context)
    const { accountId, documents } = account
    if (documents.some((each) => statusOf(each) === 'PENDING')) return ok([])
    const cents = coveredCents(account, context)
    const issued = documents.findLast((each) => statusOf(each) === 'ISSUED' && each.cents === cents)
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
