/** Checks of the account events that an Indoor host sends: IND-EVR and IND-EVT. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import type { AccountEventType } from '../../../protocol/indoor/events.ts'
import { orderEventTypes } from '../../../protocol/orders/events.ts'
import { type Check, defineChecks, type Assertion } from '../check.ts'
import { eachEmitted, every, notice, observation, isAcceptedCall } from '../assertion.ts'
import { livesShow } from './account-life.ts'
import type { ObservedEvent, Trace } from '../trace.ts'
import {
  announces,
  eventCount,
  accountReadAt,
  inLife,
  reads,
  readsStatus,
} from './account-assertions.ts'
import { concerns, eventsOf, notedAccount } from './noted-accounts.ts'

const host = { roles: ['software-service'], needs: ['indoor'] } as const
const life = { ...host, procedures: ['account-life'] } as const

/** Calls of the account's life that have an event each. */
const announcedCalls = {
  ACCOUNT_ITEM_CANCELLED: ['cancel-item'],
  PAYMENT_CREATED: ['pay-in-use', 'pay-locked'],
  ACCOUNT_PRE_CLOSED: ['pre-close', 'pre-close-again'],
  ACCOUNT_CLOSED: ['close'],
} as const satisfies Partial<Record<AccountEventType, readonly string[]>>

const announced = Object.entries(announcedCalls).map(([type, steps]) =>
  announces('account-life', 'life', steps, type as keyof typeof announcedCalls),
)

interface EventRow {
  readonly clause: string
  readonly type: keyof typeof announcedCalls
  readonly shows?: Assertion
  readonly remedy: string
}

const paidInStatus = (before: string, after: string): Assertion =>
  reads(inLife(after), (view, _, trace) => {
    const status = accountReadAt(trace, inLife(before))?.view.status
    return status === undefined || view.status === status
      ? undefined
      : `a payment changed the account from ${status} to ${view.status}`
  })

const rows: readonly EventRow[] = [
  {
    clause: 'IND-EVT-04',
    type: 'ACCOUNT_ITEM_CANCELLED',
    shows: readsStatus(inLife('read-cancelled'), 'IN_USE'),
    remedy: 'Send ACCOUNT_ITEM_CANCELLED for each item that you cancel; the account stays IN_USE.',
  },
  {
    clause: 'IND-EVT-05',
    type: 'PAYMENT_CREATED',
    shows: every(
      paidInStatus('read-in-use', 'read-paid'),
      paidInStatus('read-locked-again', 'read-paid-locked'),
    ),
    remedy:
      'Send PAYMENT_CREATED for each payment that you accept, and keep the status of the account.',
  },
  {
    clause: 'IND-EVT-07',
    type: 'ACCOUNT_PRE_CLOSED',
    remedy: 'Send ACCOUNT_PRE_CLOSED for each lock; the account is IN_PAYMENT then.',
  },
  {
    clause: 'IND-EVT-11',
    type: 'ACCOUNT_CLOSED',
    remedy: 'Send ACCOUNT_CLOSED when the account is closed.',
  },
]

const eventCheck = ({ clause, type, shows, remedy }: EventRow): Check => ({
  clauses: [clause],
  ...life,
  assertion: every(
    announces('account-life', 'life', announcedCalls[type], type),
    ...(shows ? [shows] : []),
    livesShow(clause),
  ),
  remedy,
})

const callsBefore = (trace: Trace, { observed }: ObservedEvent, operation: OperationId): number =>
  trace
    .answers(operation)
    .filter((each) => isAcceptedCall(each) && each.exchange.seq < observed.exchange.seq).length

/** Each ACCOUNT_UNLOCKED came after an unlock, and no more often than there were unlocks. */
const unlocksExplained: Assertion = function* (trace) {
  const events = trace.emitted().filter(({ eventType }) => eventType === 'ACCOUNT_UNLOCKED')
  const first = new Map(events.toReversed().map((event) => [event.eventId, event]))
  for (const [index, event] of events
    .filter((each) => first.get(each.eventId) === each)
    .entries()) {
    const unlocks = callsBefore(trace, event, 'unlockAccount')
    yield observation(
      [event.observed],
      index >= unlocks &&
        (unlocks === 0
          ? 'it sent ACCOUNT_UNLOCKED although no account was unlocked'
          : 'it sent ACCOUNT_UNLOCKED more often than accounts were unlocked'),
    )
  }
}

export const accountEventChecks = defineChecks(
  { ...host, procedures: ['lost-account-event'] },
  {
    'IND-EVR-02': {
      ...life,
      assertion: every(
        eventCount('account-life', 'life', 'ACCOUNT_OPENED', { least: 1 }),
        ...announced,
      ),
      remedy: 'Notify the Ordering Application of every transition of an account.',
    },
    'IND-EVR-04': {
      assertion: function* (trace) {
        const account = notedAccount(trace, 'lost-account-event', 'unheard')
        const read = accountReadAt(trace, 'lost-account-event/read-last-event')
        if (!account || !read) return
        const { lastEvent, status } = read.view
        const sent = eventsOf(trace, account, 'ACCOUNT_PRE_CLOSED').find(
          ({ observed }) => observed.exchange.seq < read.observed.exchange.seq,
        )
        if (sent)
          yield observation(
            [sent.observed, read.observed],
            status === 'IN_PAYMENT' &&
              lastEvent !== 'ACCOUNT_PRE_CLOSED' &&
              `lastEvent is ${lastEvent ?? 'missing'} after a pre-close whose event was not taken`,
          )
      },
      whyUnobserved: 'it sent no ACCOUNT_PRE_CLOSED while events were refused',
      remedy: 'Set lastEvent to the type of the last event, whether or not it could be delivered.',
    },
    'IND-EVR-05': {
      ...life,
      assertion: eachEmitted(
        undefined,
        ({ eventType = '', observed }) =>
          observed.operation === 'receiveAccountEvent' &&
          orderEventTypes.some((type) => type === eventType) &&
          `it sends the event ${eventType} of Orders as an account event`,
      ),
      remedy:
        'Send events of accounts, payments and fiscal documents only, and none that is of an order.',
    },
    'IND-EVT-02': {
      procedures: ['account-opening', 'account-transfer'],
      assertion: every(
        eventCount('account-opening', 'opened', 'ACCOUNT_ITEM_ADDED', { least: 1 }),
        livesShow('IND-EVT-02'),
        function* (trace) {
          if (trace.at('account-transfer/transfer').some(isAcceptedCall))
            yield* eventCount('account-transfer', 'target', 'ACCOUNT_ITEM_ADDED', { least: 1 })(
              trace,
            )
        },
      ),
      remedy: 'Send ACCOUNT_ITEM_ADDED for each later order, and for the target of each transfer.',
    },
    'IND-EVT-03': {
      procedures: ['account-transfer'],
      level: 'MAY',
      assertion: function* (trace) {
        const target = notedAccount(trace, 'account-transfer', 'target')
        for (const event of trace.emitted()) {
          if (event.eventType !== 'ACCOUNT_ITEM_REMOVED' || !target) continue
          const isTarget = concerns(event, target) === 'yes'
          const wasMoved = callsBefore(trace, event, 'transferAccountContent') > 0
          yield observation(
            [event.observed],
            isTarget
              ? 'it sent ACCOUNT_ITEM_REMOVED about the account that items were moved to'
              : wasMoved
                ? undefined
                : 'it sent ACCOUNT_ITEM_REMOVED although no items were moved',
          )
        }
      },
      remedy: 'Send ACCOUNT_ITEM_REMOVED for the source account of a transfer only.',
    },
  },
  rows.map(eventCheck),
  {
    'IND-EVT-06': {
      procedures: ['payment-adjustment'],
      level: 'MAY',
      assertion: function* (trace) {
        const account = notedAccount(trace, 'payment-adjustment', 'adjusted')
        const [before, after] = ['read-before', 'read-adjusted'].map(
          (step) => accountReadAt(trace, `payment-adjustment/${step}`)?.view.status,
        )
        if (!account) return
        const created = eventsOf(trace, account, 'PAYMENT_CREATED').map(
          ({ event }) => event['paymentId'],
        )
        for (const { event, observed } of eventsOf(trace, account, 'PAYMENT_UPDATED')) {
          const { paymentId } = event
          yield observation(
            [observed],
            paymentId !== undefined && !created.includes(paymentId)
              ? 'it sent PAYMENT_UPDATED for a payment that it has not announced'
              : before !== after
                ? `the account changed from ${before} to ${after} with PAYMENT_UPDATED`
                : undefined,
          )
        }
      },
      remedy:
        'Send PAYMENT_UPDATED for a payment that was announced, and keep the status of the account.',
    },
    'IND-EVT-08 IND-TEN-05': {
      ...life,
      level: 'MAY',
      assertion: every(unlocksExplained, function* (trace) {
        const account = notedAccount(trace, 'account-life', 'life')
        const [call] = trace.at(inLife('unlock')).filter(isAcceptedCall)
        if (!account || !call) return
        const events = eventsOf(trace, account, 'ACCOUNT_UNLOCKED')
        yield observation(
          [call, ...events.map(({ observed }) => observed)],
          events.length === 0 &&
            notice('it sent no ACCOUNT_UNLOCKED after unlock, which it may leave out'),
        )
      }),
      remedy: 'Send ACCOUNT_UNLOCKED when a lock is reversed, and only then.',
    },
  },
)
