/** Checks of the calls about an account, and of their effects at its host: IND-OPS, IND-RUL and two tensions. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  answersOf,
  atSteps,
  each,
  every,
  hasStatus,
  observation,
  successful,
  valuesAt,
  where,
  isAcceptedCall,
} from '../assertion.ts'
import { livesShow } from './account-life.ts'
import type { Trace } from '../trace.ts'
import {
  announces,
  accountReadAt,
  inLife,
  itemOf,
  madeAt,
  reads,
  whenTried,
} from './account-assertions.ts'

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

const isActiveItem = (trace: Trace, step: string, itemId: string): boolean | undefined => {
  const items = accountReadAt(trace, step)?.view.items
  return items && items.some((item) => item.itemId === itemId && item.isActive)
}

/** An accepted cancel shows on the item. */
const cancelShows: Assertion = function* (trace) {
  for (const call of trace.at(inLife('cancel-item'))) {
    const after = accountReadAt(trace, inLife('read-cancelled'))
    const stillActive = isActiveItem(trace, inLife('read-cancelled'), itemOf(call))
    yield observation(
      [call, ...(after ? [after.observed] : [])],
      call.status !== 200
        ? `it answered ${call.status} to the cancel of an item, not 200`
        : stillActive
          ? 'it shows an item as active after it answered its cancel with 200'
          : undefined,
    )
  }
}

/** The item of an accepted transfer has left one account and is on the other, as often as it was moved. */
const transferMoves: Assertion = function* (trace) {
  const countAt = (step: string): number | undefined =>
    accountReadAt(trace, `account-transfer/${step}`)?.view.items.filter(({ isActive }) => isActive)
      .length
  for (const call of trace.at('account-transfer/transfer')) {
    const [before, after] = [countAt('target-read-before'), countAt('target-read-moved')]
    const [had, left] = [countAt('source-read-two'), countAt('source-read-moved')]
    yield observation(
      [call],
      call.status !== 200
        ? `it answered ${call.status} to a transfer between two accounts in use, not 200`
        : after === undefined || left === undefined
          ? 'one of the accounts cannot be read after the transfer'
          : after <= (before ?? 0)
            ? 'the target account has no more items after the transfer'
            : left >= (had ?? 0)
              ? 'the source account still has all its items after the transfer'
              : undefined,
    )
  }
}

const listsPayments: Assertion = function* (trace) {
  for (const list of atSteps(inLife('list-payments'), inLife('list-payments-again'))(trace)) {
    const accepted = atSteps(
      inLife('pay-in-use'),
      inLife('pay-locked'),
    )(trace).filter((call) => isAcceptedCall(call) && call.exchange.seq < list.exchange.seq)
    const listed = [...valuesAt(list.reply, '/payments/*'), ...valuesAt(list.reply, '/*')].filter(
      ({ value }) => isUnknownRecord(value),
    ).length
    yield observation(
      [...accepted, list],
      list.status !== 200
        ? `it answered ${list.status} to a list of payments, not 200`
        : listed < accepted.length
          ? `it lists ${listed} payments of ${accepted.length} that it accepted`
          : undefined,
    )
  }
}

const amountOf = (trace: Trace, step: string): number | undefined =>
  accountReadAt(trace, inLife(step))?.view.amount
const paidAt = (trace: Trace, step: string): number | undefined =>
  accountReadAt(trace, inLife(step))?.view.paid

export const hostOperationChecks = defineChecks(life, acceptedCalls.map(statusCheck), {
  'IND-OPS-06': {
    assertion: every(cancelShows, accepts('cancelAccountItem', 200), livesShow('IND-OPS-06')),
    remedy: 'Answer the cancel of an item with 200, and show the item as cancelled.',
  },
  'IND-OPS-07': {
    ...host,
    procedures: ['account-transfer'],
    assertion: every(
      transferMoves,
      accepts('transferAccountContent', 200),
      livesShow('IND-OPS-07'),
    ),
    remedy: 'Answer a transfer with 200, and move the items from the source to the target account.',
  },
  'IND-OPS-08': {
    assertion: every(
      each(atSteps(inLife('pay-in-use'), inLife('pay-locked')), hasStatus(200)),
      accepts('createPayment', 200),
      listsPayments,
    ),
    remedy: 'Answer a payment with 200, and list it among the payments of the account.',
  },
  'IND-OPS-09': {
    assertion: whenTried(
      madeAt(inLife('pay-in-use'), inLife('pay-locked'), inLife('list-payments-again')),
      every(listsPayments, accepts('listAccountPayments', 200), livesShow('IND-OPS-09')),
    ),
    whyUnobserved: 'no payments were listed after a second one',
    remedy: 'Answer GET /accounts/payments with 200 and every payment that you have accepted.',
  },
  'IND-RUL-08': {
    procedures: ['account-life', 'account-transfer'],
    assertion: whenTried(
      [cancelShows, transferMoves],
      every(
        reads(inLife('read-paid'), (view, _, trace) => {
          const before = paidAt(trace, 'read-in-use') ?? 0
          return trace.at(inLife('pay-in-use')).some(isAcceptedCall) && view.paid <= before
            ? 'the paid total does not show a payment that it has just accepted'
            : undefined
        }),
        reads(inLife('read-cancelled'), (view, _, trace) =>
          view.amount > (amountOf(trace, 'read-paid') ?? view.amount)
            ? 'the total has grown after an item was cancelled'
            : undefined,
        ),
        livesShow('IND-RUL-08'),
      ),
    ),
    whyUnobserved: 'no item was cancelled, or none was moved to another account',
    remedy: 'Show cancellations, transfers and new orders in totals and items at once.',
  },
  'IND-TEN-04': {
    assertion: every(
      cancelShows,
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
