/** Checks of what a Loyalty host shows: LOY-REC, LOY-FLW, LOY-ACC, LOY-PRM-01. */
import { couponStatuses, couponTypes } from '../../../protocol/loyalty/coupon.ts'
import { transactionTypes } from '../../../protocol/loyalty/transaction.ts'
import { defineChecks } from '../check.ts'
import {
  body,
  each,
  every,
  hasStatus,
  isOneOf,
  isText,
  notice,
  optional,
  required,
  type Test,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { couponsShown, eachShown, inWords, transactionsShown } from './loyalty-views.ts'
import { served, ofCrm } from './assertions.ts'

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
      assertion: eachShown(transactionsShown, (transaction) =>
        inWords('a transaction', required('/type', isOneOf(...transactionTypes))(transaction)),
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
      assertion: each(
        served((trace) => trace.at('customer-operations/listLoyaltyRewards')),
        hasStatus(200),
      ),
      remedy: 'Answer GET /loyalty/rewards with 200.',
    },
    'LOY-FLW-03': {
      assertion: each((trace) => redemptions.flatMap((step) => trace.at(step)), isRedeemed),
      remedy: 'Answer a redemption that the balance covers with 202.',
    },
    'LOY-FLW-04': {
      assertion: every(
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
    },
  },
)
