/** Checks of how an Ordering Application takes account events: IND-GEN, IND-EVR, and what stays apart from Orders. */
import { accountEventTypes } from '../../../protocol/indoor/events.ts'
import { type Assertion, defineChecks } from '../check.ts'
import {
  answersOf,
  callsOf,
  each,
  eachEmitted,
  every,
  isAcceptedCall,
  hasStatus,
  hasStatusClass,
  momentsOf,
  observation,
  where,
} from '../assertion.ts'
import { inSessions } from '../status-life.ts'
import { type Observed, withoutBodies } from '../trace.ts'
import { whenTried } from './account-assertions.ts'
import { isSameAccount } from './account-names.ts'
import { mutations } from './guest-assertions.ts'
import { hostOperations } from './vocabulary.ts'
import { canFollow, hostedOrders, lifecycleCalls, statusOf } from '../orders/hosted-orders.ts'
import { declaresItemCancellation } from '../orders/host-assertions.ts'
import { isUnserved } from '../transport/error-body.ts'
import { capabilityIn } from '../transport/manifests.ts'

const guest = { roles: ['ordering-application'], needs: ['indoor'] } as const
const orders = { ...guest, procedures: ['guest-orders'] } as const

const events = answersOf('receiveAccountEvent')
const isAccountEvent = (type: string): boolean => accountEventTypes.some((known) => known === type)

const isSameCall = (one: Observed, other: Observed): boolean =>
  one.operation === other.operation &&
  one.exchange.request.url === other.exchange.request.url &&
  one.exchange.request.body === other.exchange.request.body

/** It has taken the event of an account that ran to its end. */
const closings: Assertion = function* (trace) {
  for (const { eventType, observed } of trace.received())
    if (eventType === 'ACCOUNT_CLOSED' && isAcceptedCall(observed))
      yield observation([observed], undefined)
}
/** Whether a message shows that it has Indoor: it declares it, or the Software Service has answered a call about an account. */
const hasIndoor = (observed: Observed): boolean => {
  const { operation, isCall, reply } = observed
  if (!isAcceptedCall(observed)) return false
  if (isCall) return hostOperations.some((one) => one === operation)
  const declared = operation === 'getManifest' && capabilityIn(reply, 'indoor')
  return declared ? declared.block['supported'] !== false : false
}

/** A session blames no host for a path that it lacks, but for the events of what it declares or uses. */
const servesEvents = inSessions(
  momentsOf({
    begin() {
      let shown: Observed | undefined
      return {
        take(observed, { role }) {
          if (role !== 'ordering-application' || observed.exchange.fault !== undefined) return []
          if (hasIndoor(observed)) shown ??= withoutBodies(observed)
          const { operation, isCall, status, url } = observed
          if (!shown || operation !== 'receiveAccountEvent' || isCall || !isUnserved(observed))
            return []
          const problem = `it has Indoor and answered ${status} to an account event: serve ${url.pathname}, or name its path in subject.webhooks.accounts`
          return [{ clause: 'IND-OPS-12', exchanges: [shown, observed], problem }]
        },
      }
    },
  })('IND-OPS-12'),
)

const statusAfterCall = ['CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY', 'CONCLUDED'] as const

/** A read shows an order further than its calls and events have taken it, behind an event of its account. */
const movedByAccount: Assertion = function* (trace) {
  for (const { orderId, type, reads, calls, events: own } of hostedOrders(trace)) {
    const heard = trace
      .received()
      .find(
        ({ eventType = '', orderId: about, observed }) =>
          about === orderId && isAccountEvent(eventType) && isAcceptedCall(observed),
      )?.observed
    if (type !== 'INDOOR' || !heard) continue
    for (const read of reads) {
      const isBefore = ({ exchange }: Observed) => exchange.seq < read.exchange.seq
      const called = calls
        .filter(isBefore)
        .map(({ operation }) => lifecycleCalls.findIndex((one) => one === operation))
      const reached = statusAfterCall[Math.max(-1, ...called)] ?? 'CREATED'
      const status = statusOf(read)
      const isAnnounced = own.some(
        ({ eventType = '', observed }) =>
          isBefore(observed) && eventType !== 'CREATED' && eventType !== reached,
      )
      const isFurther = status !== 'CANCELLED' && canFollow(status, reached, type)
      if (!isBefore(heard) || isAnnounced || !isFurther) continue
      const problem = `its order is ${String(status)} after an account event, and calls have taken it to ${reached}`
      yield observation([heard, read], problem)
      break
    }
  }
}

const noClosing = 'no account of its orders was closed, so not all account events came'

export const guestEventChecks = defineChecks(orders, {
  'IND-OPS-12': {
    assertion: every(each(events, hasStatusClass(2)), servesEvents),
    remedy: 'Answer account events with a 2xx status.',
  },
  'IND-GEN-04': {
    ...guest,
    procedures: ['guest-orders', 'guest-visit'],
    assertion: whenTried(
      [each(callsOf(...hostOperations), () => undefined)],
      each(events, hasStatusClass(2)),
    ),
    whyUnobserved: 'no guest of it has made it call the Software Service',
    remedy: 'Call the Software Service about its accounts, and take account events.',
  },
  'IND-GEN-05': {
    ...guest,
    procedures: ['guest-orders', 'guest-visit'],
    assertion: whenTried([closings], function* (trace) {
      yield* movedByAccount(trace)
      for (const [first, last] of [
        ['guest-orders/read-CONFIRMED', 'guest-orders/read-after-event'],
        ['guest-visit/read-before-visit', 'guest-visit/read-after-visit'],
      ] as const) {
        const before = trace.at(first).at(-1)
        const after = trace.at(last).at(-1)
        if (!before || !after) continue
        const heard = events(trace).find(
          ({ exchange }) => exchange.seq > before.exchange.seq && exchange.seq < after.exchange.seq,
        )
        if (heard)
          yield observation(
            [before, heard, after],
            statusOf(before) !== statusOf(after) &&
              `an account event changed its order from ${String(statusOf(before))} to ${String(statusOf(after))}`,
          )
      }
    }),
    whyUnobserved: noClosing,
    remedy: 'Keep the status of an order whatever becomes of its account: Orders alone moves it.',
  },
  'IND-TEN-04': {
    assertion: function* (trace) {
      for (const call of trace.at('guest-orders/cancel-order-item')) {
        // The operation is optional: one that does not have it need not answer 202.
        if (!declaresItemCancellation(trace)) continue
        const event = trace.emitted().find(({ eventType, observed }) => {
          return eventType === 'ITEM_CANCELLED' && observed.exchange.seq > call.exchange.seq
        })
        yield observation(
          [call, ...(event ? [event.observed] : [])],
          call.status === 202
            ? event
              ? undefined
              : 'it sent no ITEM_CANCELLED after it accepted the cancel of an item of an INDOOR order'
            : hasStatus(202)(call, trace),
        )
      }
    },
    whyUnobserved: 'it does not declare partialItemCancellation',
    remedy: 'Cancel the item of the order by the rules of Orders: 202, then ITEM_CANCELLED.',
  },
  'IND-EVR-01': {
    ...guest,
    procedures: ['guest-visit'],
    assertion: every(
      each(events, () => undefined),
      each(
        where(callsOf(), ({ exchange }) => exchange.to.role === 'software-service'),
        ({ operation, url }) =>
          (operation === 'pollingEvents' || /\/accounts\/.*events/.test(url.pathname)) &&
          `it polls for account events at ${url.pathname}`,
      ),
    ),
    remedy: 'Receive account events by webhook: there is nothing to poll for them.',
  },
  'IND-EVR-03': {
    ...guest,
    procedures: ['guest-repeated-events'],
    assertion: function* (trace) {
      const first = new Map<string, Observed>()
      const calls = trace.calls(...mutations)
      for (const { eventId, eventType, observed } of trace.received()) {
        if (eventId === undefined || !isAccountEvent(eventType ?? '')) continue
        const known = first.get(eventId)
        if (!known) {
          first.set(eventId, observed)
          continue
        }
        const isTaken = observed.status >= 200 && observed.status < 300
        const between = calls.filter(
          ({ exchange }) =>
            exchange.seq > known.exchange.seq && exchange.seq < observed.exchange.seq,
        )
        // Payments of the same amount may well follow each other.
        const again = calls.find(
          (call) =>
            call.operation !== 'createPayment' &&
            call.exchange.seq > observed.exchange.seq &&
            between.some((earlier) => isSameCall(earlier, call)),
        )
        yield observation(
          [known, observed, ...(again ? [again] : [])],
          isTaken
            ? again && `it repeats ${again.operation} after ${eventType} came again`
            : `it answered ${observed.status} to an event that it has had`,
        )
      }
    },
    remedy: 'Remember eventIds, answer a repeated event with a 2xx status, and do nothing.',
  },
  'IND-EVR-04': {
    ...guest,
    procedures: ['guest-lost-event'],
    assertion: function* (trace) {
      const [note] = trace.notes('lost')
      if (!note) return
      const calls = trace.calls().filter(({ exchange }) => exchange.seq > note.after)
      const lock = calls.find(
        ({ operation, status }) => operation === 'preCloseAccount' && status === 202,
      )
      const next = calls.find(
        (call) =>
          lock &&
          call.exchange.seq > lock.exchange.seq &&
          mutations.some((operation) => operation === call.operation) &&
          isSameAccount(call, lock),
      )
      if (!lock || !next) return
      const read = calls.find(
        ({ operation, status, exchange }) =>
          (operation === 'getAccount' || operation === 'getAccountById') &&
          status === 200 &&
          exchange.seq > lock.exchange.seq &&
          exchange.seq < next.exchange.seq,
      )
      yield observation(
        [lock, ...(read ? [read] : []), next],
        !read &&
          `it calls ${next.operation} without a read of the account although no event of its lock came`,
      )
    },
    remedy: 'Read the account when an event is missing, before you change anything of it.',
  },
  'IND-EVR-05': {
    ...guest,
    procedures: ['guest-orders', 'guest-visit'],
    assertion: whenTried(
      [closings],
      eachEmitted(
        undefined,
        ({ eventType = '', observed }) =>
          observed.operation !== 'receiveAccountEvent' &&
          isAccountEvent(eventType) &&
          `it sends ${eventType} among the events of Orders`,
      ),
    ),
    whyUnobserved: noClosing,
    remedy: 'Keep the events of accounts out of those of Orders.',
  },
})
