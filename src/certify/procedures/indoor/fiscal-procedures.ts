/**
 * Procedures with a Software Service as Indoor host that need more than its calls: fiscal documents, payments, lost
 * events.
 */
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { emittedEvents, type Observed } from '../../../core/rules/checks/trace.ts'
import {
  outcomeDue,
  outcomesAfter,
  paymentIds,
} from '../../../core/rules/checks/indoor/account-assertions.ts'
import { concerns } from '../../../core/rules/checks/indoor/noted-accounts.ts'
import { type CertifiedAccount, openAccount } from './accounts.ts'
import { untilAccountEvents } from './host-procedures.ts'

/** How long the outcome of a request for a fiscal document may take. */
const fiscalMs = 60_000

/** Waits for the outcome of a request: an earlier one may have its own meanwhile. Writes down that it had its time. */
async function untilFiscalOutcome(
  context: ProcedureContext,
  account: CertifiedAccount,
  request: Observed,
): Promise<void> {
  await context.until(
    () => outcomesAfter(request, account, emittedEvents(context.observed())).length > 0,
    { within: fiscalMs },
  )
  context.note(outcomeDue, String(request.exchange.seq))
}

const requestDocument = (step: string, account: CertifiedAccount) =>
  account.call(step, 'requestFiscalDocument', { body: { printDocument: false } })

const shared = { roles: ['software-service'], needs: ['orders', 'indoor'] } as const

export const fiscalProcedures = defineProcedures(shared, {
  /** The document is requested before the account is closed, which must not wait for it. */
  'account-fiscal': {
    about:
      'pays an account, once by the same request again, and requests fiscal documents before and after it is closed',
    changes: 'one account, which ends as CLOSED, and the fiscal documents of it',
    async run(context) {
      const account = await openAccount(context, 5, 'fiscal')
      const once = { 'x-request-id': context.unknownId() }
      for (const step of ['pay-first', 'pay-repeated']) await account.pay(step, 1, once)
      await account.pay('pay')
      await account.call('pre-close', 'preCloseAccount')
      await account.untilStatus('read-locked', 'IN_PAYMENT')
      const request = await requestDocument('request', account)
      await account.read('read-requested')
      await account.call('list-requested', 'listAccountFiscalDocuments')
      await account.call('close', 'closeAccount')
      await account.untilStatus('read-closed', 'CLOSED')
      await untilFiscalOutcome(context, account, request)
      await account.read('read-outcome')
      await account.call('list-documents', 'listAccountFiscalDocuments')
      await requestDocument('request-closed', account)
      context.leaves(`the fiscal document of table ${account.identifier}`)
    },
  },
  /** An issuance that fails: only its operator can bring that about. */
  'fiscal-failure': {
    about: 'lets the issuance of a fiscal document fail, and closes the account all the same',
    actions: ['the failure of a fiscal document'],
    changes: 'one account, which ends as CLOSED',
    async run(context) {
      const account = await openAccount(context, 6, 'failed')
      const { identifier, accountId = '' } = account
      const request = await requestDocument('request', account)
      await context.ask({
        kind: 'other',
        instruction: `Let the issuance of the fiscal document of table ${identifier} fail.`,
        command: { kind: 'account.conclude-fiscal', accountId, outcome: 'error' },
      })
      await untilFiscalOutcome(context, account, request)
      await account.call('list-documents', 'listAccountFiscalDocuments')
      await account.read('read-outcome')
      await account.pay('pay')
      await account.call('pre-close', 'preCloseAccount')
      await account.untilStatus('read-locked', 'IN_PAYMENT')
      await account.call('close', 'closeAccount')
      await account.untilStatus('read-closed', 'CLOSED')
    },
  },
  'payment-adjustment': {
    about: 'has a payment corrected at the service',
    actions: ['the correction of a payment'],
    changes: 'one account, which ends as CLOSED',
    async run(context) {
      const account = await openAccount(context, 7, 'adjusted')
      const { identifier, accountId = '' } = account
      await account.pay('pay', 2)
      const list = await account.call('list-payments', 'listAccountPayments')
      const [paymentId = ''] = paymentIds(list.reply)
      await account.read('read-before')
      await context.ask({
        kind: 'other',
        instruction: `Correct the payment of 2.00 of table ${identifier} to 1.00.`,
        command: { kind: 'account.adjust-payment', accountId, paymentId, amount: 1 },
      })
      await untilAccountEvents(context, 'PAYMENT_UPDATED')
      await account.read('read-adjusted')
      await account.settle()
    },
  },
  /** An event that is lost: what the account tells of itself must make up for it. */
  'lost-account-event': {
    about: 'takes no account event for a while, and reads the account',
    changes: 'one account, which ends as CLOSED',
    async run(context) {
      const account = await openAccount(context, 8, 'unheard')
      context.fault({ fail: { operation: 'receiveAccountEvent', status: 503 } })
      await account.call('pre-close', 'preCloseAccount')
      await account.untilStatus('read-locked', 'IN_PAYMENT')
      await context.until(() =>
        emittedEvents(context.observed()).some(
          (event) => event.eventType === 'ACCOUNT_PRE_CLOSED' && concerns(event, account) !== 'no',
        ),
      )
      await account.read('read-last-event')
      await account.settle()
    },
  },
})
