/** Checks of what a Loyalty host shows: LOY-REC, LOY-FLW, LOY-ACC, LOY-PRM-01. */
import type { OperationId } from '../../protocol/catalogue.ts'
import { couponStatuses, couponTypes } from '../../protocol/loyalty/coupon.ts'
import { transactionTypes } from '../../protocol/loyalty/transaction.ts'
import type { UnknownRecord } from '../../protocol/unknown-record.ts'
import { defineChecks, type Look } from '../check.ts'
import { removeMember, setMember, wrongReply, type Defect } from '../defect.ts'
import {
  body,
  type Deviation,
  each,
  every,
  hasStatus,
  isNumber,
  isOneOf,
  isText,
  notice,
  optional,
  required,
  sighting,
  type Test,
} from '../look.ts'
import type { Observed, Trace } from '../trace.ts'
import { itemsIn } from './loyalty-host.ts'
import {
  accountsShown,
  couponsShown,
  readingAt,
  type Shown,
  transactionsShown,
} from './loyalty-views.ts'
import { answerWith, crm, served } from './looks.ts'
import { containsText, sharedRecords } from './records.ts'

const eachShown = (
  shown: (trace: Trace) => readonly Shown[],
  test: (record: UnknownRecord) => Deviation,
): Look =>
  function* look(trace) {
    for (const { observed, record } of shown(trace)) yield sighting([observed], test(record))
  }

const inWords = (what: string, problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `${what} is wrong at ${problem}`

/** The records of these replies are changed. */
const wrongItems = (
  about: string,
  operations: readonly OperationId[],
  change: (record: UnknownRecord) => void,
): Defect =>
  wrongReply(about, operations, (reply) => {
    const items = itemsIn(reply.body)
    for (const record of items) change(record)
    if (items.length === 0 && reply.status === 200) change(reply.body as UnknownRecord)
  })

const accountReads = ['listCustomerLoyaltyAccounts', 'getLoyaltyAccountById'] as const

/** Customers are called by our id, or by the one that the service has given. */
const isOfCustomerAsked: Test<Observed> = ({ exchange, reply }, trace) => {
  const asked = exchange.params?.['customerId'] ?? ''
  const own = sharedRecords(trace, 'customer').flatMap(({ record }) =>
    containsText(record, asked) ? [record['id']] : [],
  )
  const stranger = itemsIn(reply).find(
    ({ customerId }) => customerId !== asked && !own.includes(customerId),
  )
  return stranger
    ? `it lists an account of ${String(stranger['customerId'])} for ${asked}`
    : undefined
}

const accountLists = (trace: Trace): readonly Observed[] =>
  trace.answers('listCustomerLoyaltyAccounts')

/** A list of one customer has one account in each program. */
const onePerProgram: Look = function* look(trace) {
  for (const list of accountLists(trace)) {
    const programs = itemsIn(list.reply).map(({ programId }) => programId)
    const again = programs.find((id, index) => programs.indexOf(id) < index)
    if (programs.length > 0)
      yield sighting(
        [list],
        again === undefined
          ? undefined
          : `it lists two accounts of one customer in program ${String(again)}`,
      )
  }
}

const couponTest = body(
  required('/code', isText),
  optional('/type', isOneOf(...couponTypes)),
  optional('/status', isOneOf(...couponStatuses)),
)

/** The status that the first account of a reading has; the documents do not name its field (LOY-UND-02). */
const statusAt = (
  trace: Trace,
  step: string,
): { reading: Observed; status: string } | undefined => {
  const reading = readingAt(trace, step)
  const status = itemsIn(reading?.reply)[0]?.['status']
  return reading && typeof status === 'string' ? { reading, status } : undefined
}

const transactionsAt = (trace: Trace, step: string): number | undefined => {
  const reading = readingAt(trace, step)
  return reading && itemsIn(reading.reply).length
}

const newAccountIsEnrolled: Look = function* look(trace) {
  const seen = statusAt(trace, 'loyalty-accrual/opened')
  if (!seen || transactionsAt(trace, 'loyalty-accrual/opened-transactions') !== 0) return
  yield sighting(
    [seen.reading],
    seen.status === 'ENROLLED' ? undefined : `a new account without a movement is ${seen.status}`,
  )
}

const movedAccountIsActive: Look = function* look(trace) {
  const seen = statusAt(trace, 'loyalty-accrual/accrued')
  const count = transactionsAt(trace, 'loyalty-accrual/completed-transactions') ?? 0
  if (!seen || count === 0) return
  yield sighting(
    [seen.reading],
    seen.status === 'ENROLLED' ? 'an account with a transaction is still ENROLLED' : undefined,
  )
}

/** What follows SUSPENDED in the readings of an account. */
const reactivation: Look = function* look(trace) {
  const before = statusAt(trace, 'loyalty-suspension/blocked')
  const after = statusAt(trace, 'loyalty-suspension/reactivated')
  if (before?.status !== 'SUSPENDED' || !after || after.status === 'SUSPENDED') return
  yield sighting(
    [before.reading, after.reading],
    after.status === 'ACTIVE' ? undefined : `an account that was SUSPENDED becomes ${after.status}`,
  )
}

const redemptions: readonly string[] = ['loyalty-redemption/redeem', 'loyalty-suspension/coupon']

/** What a redemption has in its body is not documented, so that ours may be refused for it (LOY-UND-05). */
const isRedeemed: Test<Observed> = (observed, trace) => {
  const problem = hasStatus(202)(observed, trace)
  return typeof problem === 'string' && (observed.status === 400 || observed.status === 422)
    ? notice(`${problem}, to a redemption whose body is ours`)
    : problem
}

const wrongStatus = (about: string, from: string, to: string): Defect => {
  let wasSuspended = false
  return wrongItems(about, accountReads, (record) => {
    if (record['status'] === 'SUSPENDED') wasSuspended = true
    if (record['status'] === from && (from === 'ENROLLED' || wasSuspended || to === 'ENROLLED'))
      setMember(record, ['status'], to)
  })
}

export const loyaltyRecordChecks = defineChecks([
  {
    clauses: ['LOY-REC-01'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-accrual'],
    look: onePerProgram,
    remedy: 'Keep one account for each customer in each program.',
    defect: wrongReply('lists each account twice', 'listCustomerLoyaltyAccounts', (reply) => {
      const items = itemsIn(reply.body)
      reply.body = { items: [...items, ...items] }
    }),
  },
  {
    clauses: ['LOY-REC-02'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-accrual'],
    look: eachShown(accountsShown, (account) =>
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
    defect: wrongItems('has no points that expire soon', accountReads, (record) =>
      removeMember(record, 'summary', 'pointsExpiringSoon'),
    ),
  },
  {
    clauses: ['LOY-REC-03'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-accrual'],
    look: eachShown(transactionsShown, (transaction) =>
      inWords('a transaction', required('/type', isOneOf(...transactionTypes))(transaction)),
    ),
    remedy: 'Give each transaction one of the types earn, burn, expire and adjust.',
    defect: wrongItems('has transactions of type credit', ['listLoyaltyTransactions'], (record) =>
      setMember(record, ['type'], 'credit'),
    ),
  },
  {
    clauses: ['LOY-REC-04'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-redemption'],
    look: eachShown(couponsShown, (coupon) =>
      inWords('a coupon', required('/code', isText)(coupon)),
    ),
    remedy: 'Give each coupon its code.',
    defect: wrongItems('has coupons without a code', ['listLoyaltyCoupons'], (record) =>
      removeMember(record, 'code'),
    ),
  },
  {
    clauses: ['LOY-REC-05'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-redemption'],
    look: eachShown(
      (trace) => couponsShown(trace).filter(({ record }) => 'type' in record),
      (coupon) => inWords('a coupon', optional('/type', isOneOf(...couponTypes))(coupon)),
    ),
    remedy: 'Give each coupon one of the types discount, free_item and cashback.',
    defect: wrongItems('has coupons of type percentage', ['listLoyaltyCoupons'], (record) =>
      setMember(record, ['type'], 'percentage'),
    ),
  },
  {
    clauses: ['LOY-REC-06'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-redemption'],
    look: eachShown(
      (trace) => couponsShown(trace).filter(({ record }) => 'status' in record),
      (coupon) => inWords('a coupon', optional('/status', isOneOf(...couponStatuses))(coupon)),
    ),
    remedy: 'Give each coupon one of the five statuses of the documents.',
    defect: wrongItems('has coupons that are active', ['listLoyaltyCoupons'], (record) =>
      setMember(record, ['status'], 'active'),
    ),
  },
  {
    clauses: ['LOY-FLW-01'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-accrual'],
    look: each(served(accountLists), (list, trace) =>
      list.status === 200 ? isOfCustomerAsked(list, trace) : hasStatus(200)(list, trace),
    ),
    remedy: 'Answer with 200 and the accounts of the customer who is asked for.',
    defect: wrongItems(
      'lists the accounts of somebody else',
      ['listCustomerLoyaltyAccounts'],
      (record) => setMember(record, ['customerId'], 'somebody-else'),
    ),
  },
  {
    clauses: ['LOY-FLW-02'],
    roles: crm,
    needs: ['customer'],
    procedures: ['customer-operations'],
    look: each(
      served((trace) => trace.at('customer-operations/listLoyaltyRewards')),
      hasStatus(200),
    ),
    remedy: 'Answer GET /loyalty/rewards with 200.',
    defect: wrongReply('answers the rewards with 204', 'listLoyaltyRewards', answerWith(204)),
  },
  {
    clauses: ['LOY-FLW-03'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-redemption'],
    look: each((trace) => redemptions.flatMap((step) => trace.at(step)), isRedeemed),
    remedy: 'Answer a redemption that the balance covers with 202.',
    defect: wrongReply('answers a redemption with 201', 'createLoyaltyRedemption', (reply) => {
      if (reply.status === 202) reply.status = 201
    }),
  },
  {
    clauses: ['LOY-FLW-04'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-redemption'],
    look: every(
      each(
        served((trace) => trace.answers('listLoyaltyCoupons')),
        hasStatus(200),
      ),
      eachShown(couponsShown, (coupon) => {
        const problem = inWords('a coupon', couponTest(coupon))
        if (problem !== undefined) return problem
        const lacking = ['type', 'status'].find((field) => !(field in coupon))
        return lacking === undefined ? undefined : notice(`a coupon has no ${lacking}`)
      }),
    ),
    remedy: 'Answer GET /loyalty/coupons with 200 and coupons with their code, type and status.',
    defect: wrongReply('answers the coupons with 202', 'listLoyaltyCoupons', (reply) => {
      reply.status = 202
    }),
  },
  {
    clauses: ['LOY-ACC-01'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-accrual'],
    look: newAccountIsEnrolled,
    remedy: 'Open an account as ENROLLED, without a transaction.',
    defect: wrongStatus('opens accounts as ACTIVE', 'ENROLLED', 'ACTIVE'),
  },
  {
    clauses: ['LOY-ACC-02'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-accrual'],
    look: movedAccountIsActive,
    remedy: 'Take an account to ACTIVE with its first transaction.',
    defect: wrongStatus('leaves accounts ENROLLED', 'ACTIVE', 'ENROLLED'),
  },
  {
    clauses: ['LOY-ACC-04'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-suspension'],
    look: reactivation,
    remedy: 'Take an account that is reactivated back to ACTIVE.',
    defect: wrongStatus('reactivates accounts as ENROLLED', 'ACTIVE', 'ENROLLED'),
  },
  {
    clauses: ['LOY-PRM-01'],
    roles: crm,
    needs: ['customer'],
    procedures: ['loyalty-suspension'],
    look: each(
      (trace) =>
        ['opening', 'given', 'suspended', 'blocked', 'reactivated'].flatMap((step) =>
          trace.at(`loyalty-suspension/${step}`),
        ),
      hasStatus(200),
    ),
    remedy: 'Answer reads of the balance whatever the status of the account.',
    defect: wrongReply(
      'shows no balance while suspended',
      'listCustomerLoyaltyAccounts',
      (reply) => {
        if (containsText(reply.body, 'SUSPENDED')) reply.status = 409
      },
    ),
  },
])
