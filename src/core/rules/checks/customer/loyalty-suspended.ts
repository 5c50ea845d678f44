/** Checks of a loyalty account that is suspended: LOY-ACC-03, LOY-PRM-02 to 04, LOY-UND-02. */
import { defineChecks, type Assertion } from '../check.ts'
import { every, observation } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { entriesIn, hasErrorReply, ofCrm } from './assertions.ts'
import {
  eventsAfter,
  isAboutMember,
  memberIds,
  noteAt,
  readingAt,
  transactionCount,
} from './loyalty-views.ts'
import { ofLoyaltyLife } from './loyalty-life.ts'

const at = (step: string): string => `loyalty-suspension/${step}`

/** Exchanges between suspension and reactivation. */
function suspendedWindow(trace: Trace): readonly [number, number | undefined] | undefined {
  const from = noteAt(trace, 'loyalty-suspension', 'suspended')
  const to = noteAt(trace, 'loyalty-suspension', 'reactivated')
  return from === undefined ? undefined : [from, to]
}

/** Transactions of a type that came while the account was suspended. */
const gained = (trace: Trace, type: string): number => {
  const before = transactionCount(trace, at('suspended-transactions'), type)
  const after = transactionCount(trace, at('blocked-transactions'), type)
  return before === undefined || after === undefined ? 0 : after - before
}

const readingsOf = (trace: Trace, ...steps: readonly string[]): readonly Observed[] =>
  steps.flatMap((step) => readingAt(trace, at(step)) ?? [])

/** Whether an order with a coupon came while the account was suspended. */
const isCouponTried = (trace: Trace): boolean =>
  noteAt(trace, 'loyalty-suspension', 'suspended-coupon') !== undefined

const usedCoupons = (trace: Trace): number => {
  const used = (step: string): number =>
    entriesIn(readingAt(trace, at(step))?.reply).filter(
      ({ status }) => status === 'applied' || status === 'used',
    ).length
  return used('blocked-coupons') - used('coupons')
}

interface Movement {
  readonly eventType: string
  readonly isObserved: (trace: Trace) => boolean
  readonly what: string
  /** Whether it was tried; always when absent. */
  readonly isTried?: (trace: Trace) => boolean
}

const earning: Movement = {
  eventType: 'loyalty.points_accrued',
  isObserved: (trace) => gained(trace, 'earn') > 0,
  what: 'earns points',
}
const redeeming: Movement = {
  eventType: 'loyalty.points_redeemed',
  isObserved: (trace) => gained(trace, 'burn') > 0,
  what: 'redeems points',
}
const couponUse: Movement = {
  eventType: 'loyalty.coupon_applied',
  isObserved: (trace) => usedCoupons(trace) > 0,
  isTried: isCouponTried,
  what: 'uses a coupon',
}

/** None of these movements comes while the account is suspended. */
const isBlocked = (...movements: readonly Movement[]): Assertion =>
  function* (trace) {
    const window = suspendedWindow(trace)
    const account = readingAt(trace, at('suspended'))
    if (!window || !account) return
    const readings = [account, ...readingsOf(trace, 'blocked-transactions', 'blocked-coupons')]
    const ids = memberIds(trace, account)
    for (const { eventType, isObserved, what, isTried = () => true } of movements) {
      if (!isTried(trace)) continue
      const events = eventsAfter(trace, window, eventType).filter((each) =>
        isAboutMember(each, ids),
      )
      yield observation(
        [...readings, ...events.map(({ observed }) => observed)],
        (events.length > 0 || isObserved(trace)) && `it ${what} of an account that is suspended`,
      )
    }
  }

/** A movement that is blocked, or that the balance does not cover. */
const isRejected: Assertion = function* (trace) {
  const rows = [
    [at('suspended-redeem'), at('suspended-transactions'), at('blocked-transactions')],
    [
      'loyalty-redemption/over',
      'loyalty-redemption/redeemed-transactions',
      'loyalty-redemption/over-transactions',
    ],
  ] as const
  for (const [step, before, after] of rows)
    for (const call of trace.at(step)) {
      const [was, is] = [before, after].map((each) => transactionCount(trace, each, 'burn'))
      const isMoved = was !== undefined && is !== undefined && is > was
      const { status } = call
      yield observation(
        [call],
        status >= 400 && status < 500
          ? hasErrorReply(call, trace)
          : status === 202
            ? isMoved
              ? 'it burns points for a redemption that it has to reject'
              : undefined
            : `it answered ${status} to a redemption that it has to reject`,
      )
    }
}

const procedures = ['loyalty-suspension']

export const loyaltySuspendedChecks = defineChecks(
  { ...ofCrm, procedures },
  {
    'LOY-ACC-03': {
      assertion: isBlocked(earning, redeeming, couponUse),
      remedy: 'Block every movement of an account while it is SUSPENDED.',
    },
    'LOY-PRM-02': {
      assertion: every(isBlocked(earning), ofLoyaltyLife('LOY-PRM-02')),
      remedy: 'Accrue nothing for an account that is SUSPENDED.',
    },
    'LOY-PRM-03': {
      assertion: every(isBlocked(redeeming), ofLoyaltyLife('LOY-PRM-03')),
      remedy: 'Refuse redemptions of an account that is SUSPENDED.',
    },
    'LOY-PRM-04': {
      assertion: every(isBlocked(couponUse), ofLoyaltyLife('LOY-PRM-04')),
      remedy: 'Apply no coupon of an account that is SUSPENDED.',
    },
    'LOY-UND-02': {
      procedures: ['loyalty-suspension', 'loyalty-redemption'],
      assertion: isRejected,
      remedy:
        'Answer a movement that is not allowed with 4xx and the error body, or with 202 and no movement.',
    },
  },
)
