/** Checks of the calls about an account, and of their effects at its host: IND-OPS, IND-RUL and two tensions. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import { answersOf, atSteps, each, every, hasStatus, successful, where } from '../assertion.ts'
import { livesShow } from './account-life.ts'
import { announces, inLife, madeAt, whenTried } from './account-assertions.ts'

const host = { roles: ['software-service'], needs: ['indoor'] } as const
const life = { ...host, procedures: ['account-life'] } as const

/** What is answered with success has the status of its operation. */
const accepts = (operation: OperationId, status: number): Assertion =>
  each(successful(answersOf(operation)), hasStatus(status))

const acceptedCalls = [
  ['IND-OPS-03', 'pre-close', 'preCloseAccount', 'POST /accounts/pre-close'],
  ['IND-OPS-04', 'unlock', 'unlockAccount', 'POST /accounts/unlock'],
  [
    'IND-OPS-05',
    'close',
    'closeAccount',
    'POST /accounts/close of an account that is locked and paid',
  ],
] as const

const statusCheck = ([clause, step, operation, path]: (typeof acceptedCalls)[number]): Check => ({
  clauses: [clause],
  ...host,
  procedures: ['account-life'],
  assertion: every(each(atSteps(inLife(step)), hasStatus(202)), accepts(operation, 202)),
  remedy: `Answer ${path} with 202.`,
})

export const hostOperationChecks = defineChecks(life, acceptedCalls.map(statusCheck), {
  'IND-OPS-06': {
    assertion: every(accepts('cancelAccountItem', 200), livesShow('IND-OPS-06')),
    remedy: 'Answer the cancel of an item with 200, and show the item as cancelled.',
  },
  'IND-OPS-07': {
    ...host,
    procedures: ['account-transfer'],
    assertion: every(accepts('transferAccountContent', 200), livesShow('IND-OPS-07')),
    remedy: 'Answer a transfer with 200, and move the items from the source to the target account.',
  },
  'IND-OPS-08': {
    assertion: every(
      each(atSteps(inLife('pay-in-use'), inLife('pay-locked')), hasStatus(200)),
      accepts('createPayment', 200),
    ),
    remedy: 'Answer a payment with 200, and list it among the payments of the account.',
  },
  'IND-OPS-09': {
    assertion: whenTried(
      madeAt(inLife('pay-in-use'), inLife('pay-locked'), inLife('list-payments-again')),
      every(accepts('listAccountPayments', 200), livesShow('IND-OPS-09')),
    ),
    whyUnobserved: 'no payments were listed after a second one',
    remedy: 'Answer GET /accounts/payments with 200 and every payment that you have accepted.',
  },
  'IND-RUL-08': {
    procedures: ['account-life', 'account-transfer'],
    assertion: whenTried(
      madeAt(inLife('cancel-item'), 'account-transfer/transfer'),
      livesShow('IND-RUL-08'),
    ),
    whyUnobserved: 'no item was cancelled, or none was moved to another account',
    remedy: 'Show cancellations, transfers and new orders in totals and items at once.',
  },
  'IND-TEN-04': {
    assertion: every(
      announces('account-life', 'life', ['cancel-item'], 'ACCOUNT_ITEM_CANCELLED'),
      each(
        where(
          (trace) => trace.calls('receiveAccountEvent'),
          ({ request }) => isUnknownRecord(request),
        ),
        ({ request }) =>
          isUnknownRecord(request) &&
          request['eventType'] === 'ITEM_CANCELLED' &&
          'it announces the cancel of an account item by the event of Orders',
      ),
    ),
    remedy:
      'Cancel the item of the account and announce it with ACCOUNT_ITEM_CANCELLED; Orders has its own.',
  },
})
