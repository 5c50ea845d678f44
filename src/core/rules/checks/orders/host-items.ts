/** Checks of cancellations of items at an Ordering Application: ORD-ITM, and what belongs to them. */
import {
  body,
  bodyValue,
  type Deviation,
  every,
  isAcceptedCall,
  isOneOf,
  isText,
  notice,
  observation,
  optional,
} from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { inSessions, isSettled } from '../status-life.ts'
import { type Assertion, defineChecks } from '../check.ts'
import { eachOrderSpan, type OrderSpan } from './order-life.ts'
import { declaresItemCancellation, itemsIn, leavesStatus } from './host-assertions.ts'
import {
  distinctEvents,
  eachOrder,
  type HostedOrder,
  orderHost,
  orderPhrase,
  readBefore,
  readsAfter,
  seqNumber,
  statusOf,
} from './hosted-orders.ts'
import { toUnits } from '../../../protocol/orders/price.ts'

// Cancellations of items at an Ordering Application, with the order before and after each.

/** A cancellation of an item, with the order before it, and before the next call. */
interface ItemCancelCall {
  readonly call: Observed
  readonly itemId: string
  /** The whole item when undefined. */
  readonly quantity: unknown
  readonly before: Observed
  readonly after: Observed
}

const itemOf = (read: Observed, itemId: string): unknown =>
  itemsIn(read).find((item) => bodyValue(item, '/id') === itemId)

const itemStatus = (read: Observed, itemId: string): unknown =>
  bodyValue(itemOf(read, itemId), '/status')

function cancellationsOf(history: HostedOrder): readonly ItemCancelCall[] {
  return history.calls.flatMap((call, index) => {
    const itemId = call.exchange.params?.['itemId']
    const before = readBefore(history, call)
    const next = history.calls[index + 1]
    const after = readsAfter(history, call).findLast(
      (read) => !next || seqNumber(read) < seqNumber(next),
    )
    return call.operation === 'cancelOrderItem' && itemId !== undefined && before && after
      ? [{ call, itemId, quantity: bodyValue(call.request, '/quantity'), before, after }]
      : []
  })
}

/** Each cancellation of an item that was accepted, and to which the test applies. */
const eachAccepted = (
  judge: (found: ItemCancelCall, history: HostedOrder) => Deviation,
  applies: (found: ItemCancelCall) => boolean = () => true,
) =>
  eachOrder(function* (history) {
    for (const found of cancellationsOf(history))
      if (isAcceptedCall(found.call) && applies(found))
        yield observation([found.before, found.call, found.after], judge(found, history))
  })

const hasTakenEffect = ({ after, itemId }: ItemCancelCall): boolean =>
  ['CANCELLED', 'PARTIALLY_CANCELLED'].some((status) => status === itemStatus(after, itemId))

/** The events of cancelled items that came no later than those of the next call. */
const itemEvents = (history: HostedOrder) => distinctEvents(history, 'ITEM_CANCELLED')

const statusFits = ({ quantity, after, itemId }: ItemCancelCall): string | undefined => {
  const status = itemStatus(after, itemId)
  const expected = quantity === undefined ? 'CANCELLED' : 'PARTIALLY_CANCELLED'
  const what = quantity === undefined ? 'without quantity' : 'of a part'
  return status === expected
    ? undefined
    : `after a cancellation ${what} its item is ${JSON.stringify(status)}, not ${expected}`
}

/** The value of what was cancelled, in units. */
function cancelledUnits({ before, itemId, quantity }: ItemCancelCall): number | undefined {
  const item = itemOf(before, itemId)
  const price = bodyValue(item, '/pricing/totalPrice/value')
  const count = bodyValue(item, '/quantity')
  if (typeof price !== 'number' || typeof count !== 'number' || count === 0) return undefined
  if (quantity === undefined)
    return bodyValue(item, '/status') === 'PARTIALLY_CANCELLED' ? undefined : toUnits(price)
  return typeof quantity === 'number' ? Math.round((toUnits(price) * quantity) / count) : undefined
}

const totalFields = ['orderAmount', 'itemsPrice'] as const

/** By how much a total is less than before, in units. */
const reductions = ({ before, after }: ItemCancelCall): readonly number[] =>
  totalFields.flatMap((field) => {
    const [first, second] = [before, after].map(({ reply }) =>
      bodyValue(reply, `/total/${field}/value`),
    )
    return typeof first === 'number' && typeof second === 'number'
      ? [toUnits(first) - toUnits(second)]
      : []
  })

/** What is of another form is not understood. */
const areTotalsKnown = (found: ItemCancelCall): boolean =>
  (cancelledUnits(found) ?? 0) !== 0 && reductions(found).length > 0

function totalsProblem(found: ItemCancelCall): Deviation {
  const expected = cancelledUnits(found)
  const less = reductions(found)
  if (less.every((units) => units === 0))
    return 'it left the totals of an order as they were after the cancellation of an item'
  return less.some((units) => units === expected)
    ? undefined
    : notice(
        'it changed the totals of an order by another amount than the price of what was cancelled',
      )
}

/** The one item that was cancelled between two reads, of which the second shows it. */
const cancellationIn = ({
  calls,
  before,
  after,
  isWhole,
}: OrderSpan): ItemCancelCall | undefined => {
  const [call, more] = calls
  const itemId = call?.exchange.params?.['itemId']
  if (!call || more || !isWhole || itemId === undefined || !isAcceptedCall(call)) return undefined
  const found = { call, itemId, quantity: bodyValue(call.request, '/quantity'), before, after }
  // One that was cancelled in part before shows nothing of this one.
  const isNew = !hasTakenEffect({ ...found, after: before })
  return call.operation === 'cancelOrderItem' && isNew && hasTakenEffect(found) ? found : undefined
}

const eachShown = (
  judge: (found: ItemCancelCall) => Deviation,
  applies: (found: ItemCancelCall) => boolean = () => true,
): Assertion =>
  eachOrderSpan(
    (span) => {
      const found = cancellationIn(span)
      return found && judge(found)
    },
    (span) => {
      const found = cancellationIn(span)
      return found !== undefined && applies(found)
    },
  )

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

/** An order that has shown for long that all its items are cancelled. */
const emptyOrdersEnd = eachOrderSpan(
  ({ to, type }) =>
    to !== 'CANCELLED' &&
    to !== 'CONCLUDED' &&
    `it shows ${orderPhrase({ type })} whose items are all cancelled as ${to}`,
  ({ before, after }) =>
    itemsIn(before).length > 0 &&
    !hasItemsLeft(before) &&
    !hasItemsLeft(after) &&
    isSettled(before, after),
)

const everyCancellationIsAnnounced = eachOrder(function* (history) {
  const accepted = cancellationsOf(history).filter(({ call }) => isAcceptedCall(call))
  const events = itemEvents(history)
  if (accepted.length > 0)
    yield observation(
      [...accepted.map(({ call }) => call), ...new Set(events.map(({ observed }) => observed))],
      events.length < accepted.length &&
        `it accepted ${accepted.length} cancellations of items, and emitted ITEM_CANCELLED ${events.length} times`,
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

/** What the body of a cancellation of an item may hold. */
export const itemCancellationFields = body(
  optional('/reason', isText),
  optional('/code', isText),
  optional('/mode', isOneOf('AUTO', 'MANUAL')),
)

/** Its own requests to cancel an item, if it makes any. */
const ownFields = function* (trace: Trace) {
  for (const call of trace.calls('cancelOrderItem')) {
    const problem = itemCancellationFields(call.request)
    yield observation([call], problem && `its cancellation of an item is wrong: ${problem}`)
  }
}

const fullOrder = ['introduction', 'full-order']

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
              statusOf(before) !== statusOf(after) &&
                `with the cancellation of an item ${orderPhrase(history)} went from ${String(statusOf(before))} to ${String(statusOf(after))}`,
            )
      }),
      remedy: 'Leave the status of an order as it is while it has items left.',
    },
    'ORD-RUL-04': {
      assertion: every(noItemsNoOrder, inSessions(emptyOrdersEnd)),
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
      assertion: every(eachAccepted(statusFits), inSessions(eachShown(statusFits))),
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
      assertion: every(
        eachAccepted(totalsProblem, areTotalsKnown),
        inSessions(eachShown(totalsProblem, areTotalsKnown)),
      ),
      whyUnobserved:
        'its totals or the prices of its items are not in the form of the documents: /total/orderAmount/value',
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
