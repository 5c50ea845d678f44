/** Procedures with a Software Service as Indoor host that need more than its calls: fiscal documents, payments, lost events. */
import { defineProcedure, type ProcedureContext } from '../procedure.ts'
import { emittedEvents } from '../trace.ts'
import { paymentIds } from './account-looks.ts'
import {
  callAccount,
  type CertifiedAccount,
  openAccounts,
  pay,
  readByName,
  settle,
  untilStatus,
} from './accounts.ts'
import { untilEvents } from './host-procedures.ts'

/** How long the outcome of a request for a fiscal document may take. */
const fiscalMs = 60_000

const untilFiscalOutcome = (context: ProcedureContext, count: number) =>
  context.until(
    () =>
      emittedEvents(context.seen()).filter(
        ({ eventType }) => eventType === 'FISCAL_ISSUED' || eventType === 'FISCAL_ERROR',
      ).length >= count,
    { within: fiscalMs },
  )

const requestDocument = (context: ProcedureContext, step: string, account: CertifiedAccount) =>
  callAccount(context, step, 'requestFiscalDocument', account, { body: { printDocument: false } })

/** The document is requested before the account is closed, which must not wait for it. */
export const accountFiscal = defineProcedure({
  name: 'account-fiscal',
  about: 'requests fiscal documents before and after an account is closed',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  changes: 'one account, which ends as CLOSED, and the fiscal documents of it',
  async run(context) {
    const [account] = await openAccounts(context, 5, 'fiscal')
    if (!account) return
    await pay(context, 'pay', account)
    await callAccount(context, 'pre-close', 'preCloseAccount', account)
    await untilStatus(context, 'read-locked', account, 'IN_PAYMENT')
    await requestDocument(context, 'request', account)
    await readByName(context, 'read-requested', account)
    await callAccount(context, 'close', 'closeAccount', account)
    await untilStatus(context, 'read-closed', account, 'CLOSED')
    await untilFiscalOutcome(context, 1)
    await readByName(context, 'read-outcome', account)
    await callAccount(context, 'list-documents', 'listAccountFiscalDocuments', account)
    await requestDocument(context, 'request-closed', account)
    context.leaves(`the fiscal document of table ${account.identifier}`)
  },
})

/** An issuance that fails: only its operator can bring that about. */
export const fiscalFailure = defineProcedure({
  name: 'fiscal-failure',
  about: 'lets the issuance of a fiscal document fail, and closes the account all the same',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  wishes: ['the failure of a fiscal document'],
  changes: 'one account, which ends as CLOSED',
  async run(context) {
    const [account] = await openAccounts(context, 6, 'failed')
    if (!account) return
    const { identifier, accountId = '' } = account
    await requestDocument(context, 'request', account)
    await context.ask({
      kind: 'other',
      instruction: `Let the issuance of the fiscal document of table ${identifier} fail.`,
      command: { kind: 'account.conclude-fiscal', accountId, outcome: 'error' },
    })
    await untilFiscalOutcome(context, 1)
    await callAccount(context, 'list-documents', 'listAccountFiscalDocuments', account)
    await readByName(context, 'read-outcome', account)
    await pay(context, 'pay', account)
    await callAccount(context, 'pre-close', 'preCloseAccount', account)
    await untilStatus(context, 'read-locked', account, 'IN_PAYMENT')
    await callAccount(context, 'close', 'closeAccount', account)
    await untilStatus(context, 'read-closed', account, 'CLOSED')
  },
})

export const paymentAdjustment = defineProcedure({
  name: 'payment-adjustment',
  about: 'has a payment corrected at the service',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  wishes: ['the correction of a payment'],
  changes: 'one account, which ends as CLOSED',
  async run(context) {
    const [account] = await openAccounts(context, 7, 'adjusted')
    if (!account) return
    const { identifier, accountId = '' } = account
    await pay(context, 'pay', account, 2)
    const list = await callAccount(context, 'list-payments', 'listAccountPayments', account)
    const [paymentId = ''] = paymentIds(list.reply)
    await readByName(context, 'read-before', account)
    await context.ask({
      kind: 'other',
      instruction: `Correct the payment of 2.00 of table ${identifier} to 1.00.`,
      command: { kind: 'account.adjust-payment', accountId, paymentId, amount: 1 },
    })
    await untilEvents(context, 'PAYMENT_UPDATED')
    await readByName(context, 'read-adjusted', account)
    await settle(context, account)
  },
})

/** An event that is lost: what the account tells of itself must make up for it. */
export const lostAccountEvent = defineProcedure({
  name: 'lost-account-event',
  about: 'takes no account event for a while, and reads the account',
  roles: ['software-service'],
  needs: ['orders', 'indoor'],
  changes: 'one account, which ends as CLOSED',
  async run(context) {
    const [account] = await openAccounts(context, 8, 'unheard')
    if (!account) return
    context.fault({ fail: { operation: 'receiveAccountEvent', status: 503 } })
    await callAccount(context, 'pre-close', 'preCloseAccount', account)
    await untilStatus(context, 'read-locked', account, 'IN_PAYMENT')
    await readByName(context, 'read-last-event', account)
    await settle(context, account)
  },
})
