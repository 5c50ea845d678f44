/** Checks of an account's lifecycle at its host: IND-TRA, IND-PRM, and the rules of locking and closing. */
import { defineChecks, type Assertion } from '../check.ts'
import {
  atSteps,
  each,
  every,
  hasStatus,
  hasStatusClass,
  observation,
  isAcceptedCall,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { livesShow } from './account-life.ts'
import {
  accountView,
  eventCount,
  leadsToStatus,
  accountReadAt,
  reads,
  inLife,
  inTransfer,
  closesTried,
  refusedTransfers,
  refusedWhenClosed,
  transfersKept,
  whenTried,
} from './account-assertions.ts'
import { hasErrorCode } from '../transport/error-body.ts'
import { eventsOf, notedAccount } from './noted-accounts.ts'

const life = {
  roles: ['software-service'],
  needs: ['indoor'],
  procedures: ['account-life'],
} as const
const transfers = { ...life, procedures: ['account-transfer'] } as const

/** Once locked, an account is shown as IN_USE again only behind an accepted unlock. */
const staysLocked: Assertion = function* (trace) {
  let locked: Observed | undefined
  for (const observed of trace.at('account-life')) {
    if (observed.operation === 'unlockAccount' && isAcceptedCall(observed)) locked = undefined
    const status = accountView(observed)?.status
    if (locked && status !== undefined)
      yield observation(
        [locked, observed],
        status === 'IN_USE' && 'it unlocks an account by itself',
      )
    if (status !== undefined) locked = status === 'IN_PAYMENT' ? observed : undefined
  }
}

export const lifecycleChecks = defineChecks(life, {
  'IND-TRA-02': {
    assertion: every(
      leadsToStatus(inLife('pre-close'), inLife('read-locked'), 'IN_PAYMENT'),
      livesShow('IND-TRA-02'),
    ),
    remedy:
      'Lock the account with pre-close: IN_PAYMENT, ACCOUNT_PRE_CLOSED, and no further items.',
  },
  'IND-TRA-03': {
    assertion: every(
      leadsToStatus(inLife('unlock'), inLife('read-unlocked'), 'IN_USE'),
      reads(inLife('read-again'), (view, _, trace) => {
        const before = accountReadAt(trace, inLife('before-read-again'))?.view.items.length ?? 0
        return view.items.length > before
          ? undefined
          : 'it took no items of an order after the account was unlocked'
      }),
      livesShow('IND-TRA-03'),
    ),
    remedy: 'Set the account to IN_USE with unlock, and take items of orders again.',
  },
  'MIG-IND-02': {
    assertion: staysLocked,
    remedy:
      'Leave an account IN_PAYMENT until unlock is called: this release has no automatic unlock.',
  },
  'IND-TRA-04': {
    procedures: ['account-opening', 'account-life', 'account-reopening'],
    whyUnobserved: 'no account was closed, or none while it was IN_USE and paid',
    assertion: whenTried(
      closesTried,
      every(
        leadsToStatus(inLife('close'), inLife('read-closed'), 'CLOSED'),
        livesShow('IND-TRA-04'),
      ),
    ),
    remedy:
      'Close an account in IN_PAYMENT that is paid, send ACCOUNT_CLOSED, and never reopen it.',
  },
  'IND-RUL-01': {
    assertion: each(atSteps(inLife('pay-in-use')), hasStatusClass(2)),
    remedy: 'Take payments before any pre-close.',
  },
  'IND-RUL-02': {
    assertion: function* (trace) {
      const account = notedAccount(trace, 'account-life', 'life')
      const [lock] = trace.at(inLife('pre-close'))
      if (!account || !lock) return
      const paid = trace
        .answers('createPayment')
        .filter((call) => call.step?.startsWith('account-life/') && isAcceptedCall(call)).length
      const events = eventsOf(trace, account, 'PAYMENT_CREATED', 'surely')
      yield observation(
        [lock, ...events.map(({ observed }) => observed)],
        events.length > paid &&
          `it sent ${events.length} PAYMENT_CREATED events for ${paid} payments`,
      )
    },
    remedy: 'Lock the account with pre-close and create no payment because of it.',
  },
  'IND-RUL-03': {
    assertion: every(
      each(atSteps(...refusedWhenClosed.map(inLife)), hasStatusClass(4)),
      livesShow('IND-RUL-03'),
    ),
    remedy: 'Refuse every further operation on a CLOSED account, and leave it as it is.',
  },
  'IND-RUL-04 IND-TEN-01': {
    assertion: every(
      each(atSteps(inLife('repeat-pre-close')), hasStatus(202)),
      function* (trace) {
        for (const repeat of trace.at(inLife('repeat-close'))) {
          // A key may stand for no account once it is closed (IND-UND-04).
          const isNamed = notedAccount(trace, 'account-life', 'life')?.accountId !== undefined
          if (isNamed || repeat.status !== 404)
            yield observation([repeat], hasStatus(202)(repeat, trace))
        }
      },
      eventCount('account-life', 'life', 'ACCOUNT_PRE_CLOSED', { most: 2 }),
      livesShow('IND-RUL-04'),
    ),
    remedy: 'Answer a repeated pre-close or close with 202, and do nothing.',
  },
  'IND-RUL-05': {
    ...transfers,
    assertion: every(
      each(atSteps(...refusedTransfers.map(inTransfer)), hasStatusClass(4)),
      transfersKept,
      livesShow('IND-RUL-05'),
    ),
    remedy: 'Refuse a transfer unless both accounts are IN_USE, and move nothing.',
  },
  'IND-UND-06': {
    assertion: every(
      each(
        atSteps(...['cancel-item-locked', ...refusedWhenClosed].map(inLife)),
        (observed, trace) => {
          const problem = hasStatusClass(4)(observed, trace)
          return (
            problem ??
            (hasErrorCode(observed.reply)
              ? undefined
              : 'its refusal has no error body: an object error with code and message')
          )
        },
      ),
    ),
    remedy: 'Refuse what the status of an account does not allow with a 4xx and the error body.',
  },
})
