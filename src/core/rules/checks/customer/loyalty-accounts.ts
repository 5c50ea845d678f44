/** Checks of loyalty accounts: LOY-REC-01, LOY-REC-02, LOY-FLW-01, LOY-ACC, LOY-PRM-01. */
import { defineChecks, type Assertion } from '../check.ts'
import {
  body,
  each,
  hasStatus,
  isNumber,
  isText,
  required,
  observation,
  type Test,
} from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { entriesIn } from './assertions.ts'
import { accountAt, accountsShown, eachShown, inWords, readingAt } from './loyalty-views.ts'
import { served, ofCrm } from './assertions.ts'
import { containsText, sharedRecords } from './records.ts'

/** Customers are called by our id, or by the one that the service assigned. */
const isOfCustomerAsked: Test<Observed> = ({ exchange, reply }, trace) => {
  const asked = exchange.params?.['customerId'] ?? ''
  const own = sharedRecords(trace, 'customer').flatMap(({ record }) =>
    containsText(record, asked) ? [record['id']] : [],
  )
  const stranger = entriesIn(reply).find(
    ({ customerId }) => customerId !== asked && !own.includes(customerId),
  )
  return stranger
    ? `it lists an account of ${String(stranger['customerId'])} for ${asked}`
    : undefined
}

const accountLists = (trace: Trace): readonly Observed[] =>
  trace.answers('listCustomerLoyaltyAccounts')

/** A list of one customer has one account in each program. */
const onePerProgram: Assertion = function* (trace) {
  for (const list of accountLists(trace)) {
    const programs = entriesIn(list.reply).map(({ programId }) => programId)
    const again = programs.find((id, index) => programs.indexOf(id) < index)
    if (programs.length > 0)
      yield observation(
        [list],
        again !== undefined &&
          `it lists two accounts of one customer in program ${JSON.stringify(again)}`,
      )
  }
}

/** The status that the account of a reading has; the documents do not name its field (LOY-UND-02). */
const statusAt = (
  trace: Trace,
  step: string,
): { reading: Observed; status: string } | undefined => {
  const reading = readingAt(trace, step)
  const status = accountAt(trace, reading)?.['status']
  return reading && typeof status === 'string' ? { reading, status } : undefined
}

const transactionsAt = (trace: Trace, step: string): number | undefined => {
  const reading = readingAt(trace, step)
  return reading && entriesIn(reading.reply).length
}

const newAccountIsEnrolled: Assertion = function* (trace) {
  const reported = statusAt(trace, 'loyalty-accrual/opened')
  if (!reported || transactionsAt(trace, 'loyalty-accrual/opened-transactions') !== 0) return
  yield observation(
    [reported.reading],
    reported.status !== 'ENROLLED' && `a new account without a movement is ${reported.status}`,
  )
}

const movedAccountIsActive: Assertion = function* (trace) {
  const reported = statusAt(trace, 'loyalty-accrual/accrued')
  const count = transactionsAt(trace, 'loyalty-accrual/completed-transactions') ?? 0
  if (!reported || count === 0) return
  yield observation(
    [reported.reading],
    reported.status === 'ENROLLED' && 'an account with a transaction is still ENROLLED',
  )
}

/** What follows SUSPENDED in the readings of an account. */
const reactivation: Assertion = function* (trace) {
  const before = statusAt(trace, 'loyalty-suspension/blocked')
  const after = statusAt(trace, 'loyalty-suspension/reactivated')
  if (before?.status !== 'SUSPENDED' || !after || after.status === 'SUSPENDED') return
  yield observation(
    [before.reading, after.reading],
    after.status !== 'ACTIVE' && `an account that was SUSPENDED becomes ${after.status}`,
  )
}

export const loyaltyAccountChecks = defineChecks(
  { ...ofCrm, procedures: ['loyalty-accrual'] },
  {
    'LOY-REC-01': {
      assertion: onePerProgram,
      remedy: 'Keep one account for each customer in each program.',
    },
    'LOY-REC-02': {
      assertion: eachShown(accountsShown, (account) =>
        inWords(
          'an account',
          body(
            required('/customerId', isText),
            required('/programId', isText),
            required('/summary/pointsAvailable', isNumber),
            required('/summary/pointsPending', isNumber),
            required('/summary/pointsExpiringSoon', isNumber),
          )(account),
        ),
      ),
      remedy: 'Give each account its customerId, programId and the three figures of summary.',
    },
    'LOY-FLW-01': {
      assertion: each(served(accountLists), (list, trace) =>
        list.status === 200 ? isOfCustomerAsked(list, trace) : hasStatus(200)(list, trace),
      ),
      remedy: 'Answer with 200 and the accounts of the customer who is asked for.',
    },
    'LOY-ACC-01': {
      assertion: newAccountIsEnrolled,
      remedy: 'Open an account as ENROLLED, without a transaction.',
    },
    'LOY-ACC-02': {
      assertion: movedAccountIsActive,
      remedy: 'Take an account to ACTIVE with its first transaction.',
    },
    'LOY-ACC-04': {
      procedures: ['loyalty-suspension'],
      assertion: reactivation,
      remedy: 'Take an account that is reactivated back to ACTIVE.',
    },
    'LOY-PRM-01': {
      procedures: ['loyalty-suspension'],
      assertion: each(
        (trace) =>
          ['opening', 'given', 'suspended', 'blocked', 'reactivated'].flatMap((step) =>
            trace.at(`loyalty-suspension/${step}`),
          ),
        hasStatus(200),
      ),
      remedy: 'Answer reads of the balance whatever the status of the account.',
    },
  },
)
