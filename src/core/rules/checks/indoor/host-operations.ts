/** Checks of the calls about an account, and of their effects at its host: IND-OPS, IND-RUL and two tensions. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { readAccount } from '../../../protocol/indoor/read.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  answersOf,
  atSteps,
  bodyValue,
  each,
  every,
  hasStatus,
  isAcceptedCall,
  notice,
  observation,
  successful,
  valuesAt,
  where,
} from '../assertion.ts'
import { ofTrace } from '../live.ts'
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

/** Of an account whose payments are all ours no more of them is listed, and no more money, than may have been accepted. */
const listsOnlyOurs: Assertion = function* (trace) {
  const list = trace.at(inLife('list-payments-again')).at(-1)
  const entries = bodyValue(list?.reply, '/payments') ?? list?.reply
  if (!list || list.status !== 200 || !Array.isArray(entries)) return
  const paid = trace
    .at('account-life')
    .filter(
      ({ operation, status, exchange }) =>
        operation === 'createPayment' &&
        exchange.seq < list.exchange.seq &&
        (status < 400 || status >= 500),
    )
  const sumOf = (bodies: readonly unknown[]): number =>
    bodies.reduce<number>((sum, one) => sum + Number(bodyValue(one, '/amount')), 0)
  const isMore =
    entries.length > paid.length &&
    sumOf(entries) > sumOf(paid.map(({ request }) => request)) + 0.005
  yield observation(
    [...paid, list],
    isMore && `it lists ${entries.length} payments of ${paid.length} that were asked for`,
  )
}

/** A payment that comes again under its X-Request-Id is the same one, by advice: dialects say nothing of it (TRN-UND-03). */
const sameRequestPaysOnce: Assertion = function* (trace) {
  if (trace.form) return
  const calls = atSteps('account-fiscal/pay-first', 'account-fiscal/pay-repeated')(trace)
  const ids = calls.map((call) => isAcceptedCall(call) && bodyValue(call.reply, '/paymentId'))
  if (ids.length === 2 && ids.every((id) => typeof id === 'string'))
    yield observation(
      calls,
      ids[0] !== ids[1] &&
        notice('it made two payments of one that came again under the same X-Request-Id'),
    )
}

/** The sums of an account are those of what it lists; the documents do not say of what they are sums, so this is advice. */
const addsUp = ofTrace(
  each(successful(answersOf('getAccount', 'getAccountById')), ({ reply }) => {
    const read = readAccount(reply)
    const hasOptions = valuesAt(reply, '/items/*/options/*').length > 0
    const found = (read.ok && !hasOptions && read.value.differences) || []
    const [name] = found.find((text) => !text.startsWith('totals.due'))?.split(' is ') ?? []
    return name !== undefined && notice(`its ${name} is not the sum of what it lists`)
  }),
)

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
    procedures: ['account-life', 'account-fiscal'],
    assertion: every(
      each(atSteps(inLife('pay-in-use'), inLife('pay-locked')), hasStatus(200)),
      accepts('createPayment', 200),
      listsOnlyOurs,
      sameRequestPaysOnce,
    ),
    remedy: 'Answer a payment with 200, and list it once among the payments of the account.',
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
      every(livesShow('IND-RUL-08'), addsUp),
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
