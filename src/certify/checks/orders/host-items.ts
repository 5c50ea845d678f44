/** Checks of cancellations of items at an Ordering Application: ORD-ITM, and what belongs to them. */
import {
  isAcceptedCall,
  body,
  bodyValue,
  type Deviation,
  every,
  isOneOf,
  isText,
  optional,
  observation,
} from '../../judge/assertion.ts'
import type { Observed, Trace } from '../../judge/trace.ts'
import { defineChecks } from '../../judge/check.ts'
import {
  cancellationsOf,
  eachAccepted,
  hasTakenEffect,
  type ItemCancelCall,
  itemEvents,
  itemStatus,
  statusFits,
  totalsProblem,
} from './host-item-cancellations.ts'
import { leavesStatus } from './host-assertions.ts'
import { declaresItemCancellation } from './host-manifest.ts'
import { itemsIn } from './host-orders.ts'
import {
  orderHost,
  distinctEvents,
  eachOrder,
  type HostedOrder,
  orderPhrase,
  statusOf,
} from './hosted-orders.ts'

/** Whether an order has an item that is not cancelled as a whole. */
const hasItemsLeft = (read: Observed): boolean =>
  itemsIn(read).some((item) => bodyValue(item, '/status') !== 'CANCELLED')

/** Every item was cancelled as a whole, and the service accepted it. */
const allItemsCancelled = (history: HostedOrder): readonly ItemCancelCall[] => {
  const whole = cancellationsOf(history).filter(
    ({ call, quantity }) => isAcceptedCall(call) && quantity === undefined,
  )
  const [first] = history.reads
  return first &&
    itemsIn(first).length > 0 &&
    itemsIn(first).every((item) => whole.some(({ itemId }) => itemId === bodyValue(item, '/id')))
    ? whole
    : []
}

const noItemsNoOrder = eachOrder(function* (history) {
  const last = allItemsCancelled(history).at(-1)
  if (!last) return
  const status = statusOf(last.after)
  const [event] = distinctEvents(history, 'CANCELLED')
  yield observation(
    [last.call, last.after, ...(event ? [event.observed] : [])],
    status !== 'CANCELLED' && status !== 'CONCLUDED'
      ? `it shows ${orderPhrase(history)} whose items are all cancelled as ${String(status)}`
      : event
        ? undefined
        : `it emitted no CANCELLED of ${orderPhrase(history)} whose items are all cancelled`,
  )
})

const everyCancellationIsAnnounced = eachOrder(function* (history) {
  const accepted = cancellationsOf(history).filter(({ call }) => isAcceptedCall(call))
  const events = itemEvents(history)
  if (accepted.length > 0)
    yield observation(
      [...accepted.map(({ call }) => call), ...new Set(events.map(({ observed }) => observed))],
      events.length < accepted.length
        ? `it accepted ${accepted.length} cancellations of items, and emitted ITEM_CANCELLED ${events.length} times`
        : undefined,
    )
})

/** Cancellations of items of a confirmed order, where the service takes them at all. */
const taken = (
  judge: (found: ItemCancelCall) => Deviation,
  isMeant: (found: ItemCancelCall) => boolean = () => true,
) =>
  function* (trace: Trace) {
    const isDeclared = declaresItemCancellation(trace)
    yield* eachOrder(function* ofOrder(history) {
      for (const found of cancellationsOf(history))
        if ((isDeclared || isAcceptedCall(found.call)) && isMeant(found))
          yield observation([found.before, found.call], judge(found))
    })(trace)
  }

const isTaken = ({ call: { status } }: ItemCancelCall): string | undefined =>
  status === 202 ? undefined : `it answered the cancellation of an item with ${status}, not 202`

const cancellationFields = body(
  optional('/reason', isText),
  optional('/code', isText),
  optional('/mode', isOneOf('AUTO', 'MANUAL')),
)

/** Its own requests to cancel an item, if it makes any. */
const ownFields = function* (trace: Trace) {
  for (const call of trace.calls('cancelOrderItem')) {
    const problem = cancellationFields(call.request)
    yield observation([call], problem && `its cancellation of an item is wrong: ${problem}`)
  }
}

const fullOrder = ['orders-manifest', 'full-order']

export const orderHostItemChecks = defineChecks(
  { ...orderHost, procedures: fullOrder },
  {
    'ORD-FLD-18': {
      assertion: eachAccepted(({ after, itemId }) => {
        const status = itemStatus(after, itemId)
        return isOneOf('CANCELLED', 'PARTIALLY_CANCELLED')(status) === undefined
          ? undefined
          : `the status of a cancelled item is ${JSON.stringify(status)}, not CANCELLED or PARTIALLY_CANCELLED`
      }),
      remedy:
        'Show a cancelled item as CANCELLED, and one that is cancelled in part as PARTIALLY_CANCELLED.',
    },
    'ORD-RUL-03': {
      assertion: eachOrder(function* (history) {
        for (const { call, before, after } of cancellationsOf(history))
          if (isAcceptedCall(call) && hasItemsLeft(after))
            yield observation(
              [before, call, after],
              statusOf(before) === statusOf(after)
                ? undefined
                : `with the cancellation of an item ${orderPhrase(history)} went from ${String(statusOf(before))} to ${String(statusOf(after))}`,
            )
      }),
      remedy: 'Leave the status of an order as it is while it has items left.',
    },
    'ORD-RUL-04': {
      assertion: noItemsNoOrder,
      remedy: 'Cancel an order whose items are all cancelled, and emit CANCELLED.',
    },
    'ORD-OPS-11': {
      assertion: taken(isTaken, ({ before }) => statusOf(before) !== 'CREATED'),
      remedy:
        'Answer the cancellation of an item after confirmation with 202, if you declare partialItemCancellation.',
    },
    'ORD-BOD-04': {
      assertion: every(taken(isTaken), ownFields),
      remedy:
        'Take reason, code and mode of the cancellation of an item as in requestCancellation: two texts, and AUTO or MANUAL.',
    },
    'ORD-BOD-05': {
      assertion: eachAccepted(statusFits),
      remedy: 'Cancel the whole item without quantity, and a part of it with a smaller one.',
    },
    'ORD-ITM-01': {
      assertion: eachAccepted((found, history) =>
        distinctEvents(history, 'CANCELLATION_REQUEST_DENIED').length > 0
          ? 'it denied the cancellation of an item'
          : hasTakenEffect(found)
            ? undefined
            : 'it accepted the cancellation of an item, and did not carry it out',
      ),
      remedy: 'Carry out every cancellation of an item that you accept: there is no denial.',
    },
    'ORD-ITM-02': {
      assertion: eachAccepted((found, history) =>
        itemEvents(history).length === 0
          ? 'it emitted no ITEM_CANCELLED after the cancellation of an item'
          : hasTakenEffect(found)
            ? undefined
            : 'it does not show a cancelled item as CANCELLED or PARTIALLY_CANCELLED',
      ),
      remedy:
        'Emit ITEM_CANCELLED after the cancellation of an item, and show the item as cancelled.',
    },
    'ORD-ITM-03': {
      assertion: eachAccepted(totalsProblem),
      remedy: 'Reduce the totals of the order by the price of what was cancelled.',
    },
    'ORD-ITM-06': {
      assertion: taken(
        (found) =>
          isTaken(found) === undefined
            ? undefined
            : 'it declares partialItemCancellation and the preference REMOVE_ITEM, and refuses the cancellation of an item',
        ({ before }) => bodyValue(before.reply, '/unavailabilityPreference') === 'REMOVE_ITEM',
      ),
      remedy:
        'Take cancellations of items of an order with REMOVE_ITEM, or do not declare partialItemCancellation.',
    },
    'ORD-EVT-18': {
      assertion: every(everyCancellationIsAnnounced, leavesStatus('ITEM_CANCELLED')),
      remedy: 'Emit ITEM_CANCELLED after every cancellation of an item.',
    },
  },
)
