/** Checks of what a Loyalty host shows, accounts and records: LOY-REC, LOY-FLW, LOY-ACC, LOY-PRM-01. */
import { couponStatuses, couponTypes } from '../../../protocol/loyalty/coupon.ts'
import { transactionTypes } from '../../../protocol/loyalty/transaction.ts'
import { defineChecks, type Assertion } from '../check.ts'
import {
  body,
  each,
  every,
  hasStatus,
  isNumber,
  isOneOf,
  isText,
  notice,
  optional,
  required,
  observation,
  type Selection,
  type Test,
  where,
} from '../assertion.ts'
import { ofTrace, perMessage } from '../live.ts'
import type { Observed, Trace } from '../trace.ts'
import { entriesIn, succeedsWith, served, ofCrm } from './assertions.ts'
import {
  accountAt,
  accountsIn,
  accountsShown,
  couponsShown,
  eachShown,
  inWords,
  readingAt,
  transactionsShown,
} from './loyalty-views.ts'
import { ofLoyaltyLife } from './loyalty-life.ts'
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

/** Of a customer whom the service has shown before, or who was made known to it by a procedure of Loyalty. */
const isOfKnownCustomer = ({ exchange, step }: Observed, trace: Trace): boolean =>
  step?.startsWith('loyalty-') === true ||
  sharedRecords(trace, 'customer').some(
    ({ observed, record }) =>
      observed.exchange.seq < exchange.seq &&
      containsText(record, exchange.params?.['customerId'] ?? ''),
  )

/** A list of one customer has one account in each program; one who was known by two ids may have brought two. */
const onePerProgram = perMessage(function* (trace) {
  for (const list of accountLists(trace)) {
    const entries = entriesIn(list.reply).filter(({ programId }) => programId !== undefined)
    const twice = entries.flatMap(({ programId, customerId }, index) => {
      const before = entries.slice(0, index).find((one) => one['programId'] === programId)
      const text = `it lists two accounts of one customer in program ${JSON.stringify(programId)}`
      return before ? [before['customerId'] === customerId ? text : notice(text)] : []
    })
    if (entries.length > 0)
      yield observation([list], twice.find((one) => typeof one === 'string') ?? twice[0])
  }
})

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

/** Reads of a balance since one of them has shown the account: before, there may be none. */
const balanceReads: Selection = (trace) => {
  const reads = ['opening', 'given', 'suspended', 'blocked', 'reactivated'].flatMap((step) =>
    trace.at(`loyalty-suspension/${step}`),
  )
  const first = reads.find((read) => accountsIn(read).length > 0)
  return reads.filter(({ exchange }) => first && exchange.seq >= first.exchange.seq)
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
      assertion: every(
        succeedsWith(200, 'listCustomerLoyaltyAccounts'),
        // The id that a service assigns to a customer is shown by other messages.
        ofTrace(
          each(
            where(
              served(accountLists),
              (list, trace) => list.status === 200 || isOfKnownCustomer(list, trace),
            ),
            (list, trace) =>
              list.status === 200 ? isOfCustomerAsked(list, trace) : hasStatus(200)(list, trace),
          ),
        ),
      ),
      remedy: 'Answer with 200 and the accounts of the customer who is asked for.',
    },
    'LOY-ACC-01': {
      assertion: newAccountIsEnrolled,
      remedy: 'Open an account as ENROLLED, without a transaction.',
    },
    'LOY-ACC-02': {
      assertion: every(movedAccountIsActive, ofLoyaltyLife('LOY-ACC-02')),
      remedy: 'Take an account to ACTIVE with its first transaction.',
    },
    'LOY-ACC-04': {
      procedures: ['loyalty-suspension'],
      assertion: every(reactivation, ofLoyaltyLife('LOY-ACC-04')),
      remedy: 'Take an account that is reactivated back to ACTIVE.',
    },
    'LOY-PRM-01': {
      procedures: ['loyalty-suspension'],
      assertion: each(balanceReads, hasStatus(200)),
      remedy: 'Answer reads of the balance whatever the status of the account.',
    },
  },
)

const couponTest = body(
  required('/code', isText),
  optional('/type', isOneOf(...couponTypes)),
  optional('/status', isOneOf(...couponStatuses)),
)

const redemptions: readonly string[] = ['loyalty-redemption/redeem', 'loyalty-suspension/coupon']

/** What a redemption has in its body is not documented, so that ours may be refused for it (LOY-UND-05). */
const isRedeemed: Test<Observed> = (observed, trace) => {
  const problem = hasStatus(202)(observed, trace)
  return typeof problem === 'string' && (observed.status === 400 || observed.status === 422)
    ? notice(`${problem}, to a redemption whose body is ours`)
    : problem
}

export const loyaltyRecordChecks = defineChecks(
  { ...ofCrm, procedures: ['loyalty-redemption'] },
  {
    'LOY-REC-03': {
      procedures: ['loyalty-accrual'],
      assertion: every(
        eachShown(transactionsShown, (transaction) =>
          inWords('a transaction', required('/type', isOneOf(...transactionTypes))(transaction)),
        ),
        ofLoyaltyLife('LOY-REC-03'),
      ),
      remedy: 'Give each transaction one of the types earn, burn, expire and adjust.',
    },
    'LOY-REC-04': {
      assertion: eachShown(couponsShown, (coupon) =>
        inWords('a coupon', required('/code', isText)(coupon)),
      ),
      remedy: 'Give each coupon its code.',
    },
    'LOY-REC-05': {
      assertion: eachShown(
        (trace) => couponsShown(trace).filter(({ record }) => 'type' in record),
        (coupon) => inWords('a coupon', optional('/type', isOneOf(...couponTypes))(coupon)),
      ),
      remedy: 'Give each coupon one of the types discount, free_item and cashback.',
    },
    'LOY-REC-06': {
      assertion: eachShown(
        (trace) => couponsShown(trace).filter(({ record }) => 'status' in record),
        (coupon) => inWords('a coupon', optional('/status', isOneOf(...couponStatuses))(coupon)),
      ),
      remedy: 'Give each coupon one of the five statuses of the documents.',
    },
    'LOY-FLW-02': {
      procedures: ['customer-operations'],
      assertion: every(
        succeedsWith(200, 'listLoyaltyRewards'),
        each(
          served((trace) => trace.at('customer-operations/listLoyaltyRewards')),
          hasStatus(200),
        ),
      ),
      remedy: 'Answer GET /loyalty/rewards with 200.',
    },
    'LOY-FLW-03': {
      assertion: every(
        succeedsWith(202, 'createLoyaltyRedemption'),
        each((trace) => redemptions.flatMap((step) => trace.at(step)), isRedeemed),
      ),
      remedy: 'Answer a redemption that the balance covers with 202.',
    },
    'LOY-FLW-04': {
      assertion: every(
        succeedsWith(200, 'listLoyaltyCoupons'),
        ofTrace(
          each(
            served((trace) => trace.answers('listLoyaltyCoupons')),
            hasStatus(200),
          ),
        ),
        eachShown(couponsShown, (coupon) => {
          const lacking = ['type', 'status'].find((field) => !(field in coupon))
          return lacking === undefined ? undefined : notice(`a coupon has no ${lacking}`)
        }),
        ofTrace(eachShown(couponsShown, (coupon) => inWords('a coupon', couponTest(coupon)))),
      ),
      remedy: 'Answer GET /loyalty/coupons with 200 and coupons with their code, type and status.',
    },
  },
)
