/** Checks of the lifecycle of orders at an Ordering Application: ORD-TRA, ORD-STA. */
import { orderStatuses } from '../../../protocol/orders/order.ts'
import { each, isAcceptedCall, every, observation, where } from '../assertion.ts'
import { defineChecks } from '../check.ts'
import { callLeadsTo, isBeforeNextCall, statusChanges, statusHasEvent } from './host-assertions.ts'
import { orderChanges } from './order-life.ts'
import {
  orderHost,
  distinctEvents,
  eachOrder,
  orderPhrase,
  seqNumber,
  shownOrders,
  statusOf,
  typeOf,
} from './hosted-orders.ts'

/** The first read of an order, before any call that changes it. */
const startsAsCreated = eachOrder(function* (history) {
  const [first] = history.reads
  const isUntouched = !history.calls.some((call) => first && seqNumber(call) < seqNumber(first))
  if (!first || !isUntouched || distinctEvents(history, 'CREATED').length === 0) return
  const status = statusOf(first)
  yield observation(
    [first],
    status !== 'CREATED' && `${orderPhrase(history)} begins as ${String(status)} at it`,
  )
})

/** An order is concluded only after its end: it was shown, announced or asked for. */
const concludedAfterEnd = eachOrder(function* (history) {
  const { reads, calls } = history
  const read = reads.find((one) => statusOf(one) === 'CONCLUDED')
  if (!read) return
  const isOver =
    reads.some(
      (one) =>
        seqNumber(one) < seqNumber(read) &&
        ['DELIVERED', 'CANCELLED'].some((status) => status === statusOf(one)),
    ) ||
    distinctEvents(history, 'DELIVERED', 'CANCELLED').some(({ observed }) =>
      isBeforeNextCall(history, observed, read),
    ) ||
    calls.some(
      (call) =>
        seqNumber(call) < seqNumber(read) &&
        isAcceptedCall(call) &&
        (call.operation === 'setOrderDelivered' || call.operation === 'requestCancellation'),
    )
  yield observation(
    [read],
    !isOver && `it concluded ${orderPhrase(history)} that was neither delivered nor cancelled`,
  )
})

const inDeliveryOnce = eachOrder(function* (history) {
  const changes = [...statusChanges(history)]
  const entries = changes.filter(({ to }) => statusOf(to) === 'IN_DELIVERY')
  const [first, second] = entries
  if (!first) return
  yield observation(
    [first.from, first.to, ...(second ? [second.to] : [])],
    second &&
      `it took ${orderPhrase(history)} to IN_DELIVERY again, from ${String(statusOf(second.from))}`,
  )
})

const cancelsOpenOrders = orderChanges((from, to) => from !== to && to === 'CANCELLED')

export const orderHostTransitionChecks = defineChecks(
  { ...orderHost, procedures: ['order-life'] },
  {
    'ORD-TRA-01': {
      assertion: startsAsCreated,
      remedy: 'Show a new order as CREATED until it is confirmed.',
    },
    'ORD-TRA-02': {
      assertion: callLeadsTo('confirmOrder', 'CREATED', 'CONFIRMED'),
      remedy: 'Set the order to CONFIRMED after its confirmation, and emit CONFIRMED.',
    },
    'ORD-TRA-03': {
      assertion: callLeadsTo('setOrderPreparing', 'CONFIRMED', 'PREPARING'),
      remedy: 'Set a CONFIRMED order to PREPARING after preparing.',
    },
    'ORD-TRA-04': {
      assertion: callLeadsTo('setOrderReadyForPickup', 'PREPARING', 'READY'),
      remedy: 'Set a PREPARING order to READY after ready-for-pickup.',
    },
    'ORD-TRA-05': {
      assertion: callLeadsTo('setOrderReadyForPickup', 'CONFIRMED', 'READY'),
      remedy: 'Take ready-for-pickup of a CONFIRMED order, which skips PREPARING.',
    },
    'ORD-TRA-06': {
      assertion: every(
        callLeadsTo('dispatchOrder', 'READY', 'IN_DELIVERY'),
        each(
          where(shownOrders, (read) => (typeOf(read) ?? 'DELIVERY') !== 'DELIVERY'),
          (read) =>
            statusOf(read) === 'IN_DELIVERY' &&
            `it shows ${orderPhrase({ type: typeOf(read) })} as IN_DELIVERY`,
        ),
      ),
      remedy:
        'Set a READY order to IN_DELIVERY after dispatch, if it is a DELIVERY order, and no other order.',
    },
    'ORD-TRA-07': {
      procedures: ['order-life', 'order-misuse'],
      assertion: callLeadsTo('setOrderDelivered', 'READY', 'DELIVERED', { mayRefuse: 'DELIVERY' }),
      remedy: 'Set a READY order to DELIVERED after delivered.',
    },
    'ORD-TRA-08': {
      assertion: callLeadsTo('setOrderDelivered', 'IN_DELIVERY', 'DELIVERED'),
      remedy: 'Set an order in delivery to DELIVERED after delivered, and emit DELIVERED.',
    },
    'ORD-TRA-09': {
      procedures: ['order-cancellation', 'own-cancellation'],
      assertion: every(cancelsOpenOrders, statusHasEvent('CANCELLED', 'CANCELLED')),
      remedy: 'Cancel orders that are not delivered yet, and emit CANCELLED when you do.',
    },
    'ORD-TRA-10': {
      procedures: ['order-life', 'order-conclusion'],
      assertion: concludedAfterEnd,
      remedy: 'Conclude an order only when it is delivered or cancelled.',
    },
    'ORD-TRA-11': {
      procedures: ['order-cancellation', 'order-conclusion'],
      assertion: orderChanges((from) => from === 'CANCELLED'),
      remedy: 'Leave a cancelled order CANCELLED, or conclude it.',
    },
    'ORD-STA-01': {
      procedures: ['order-life', 'order-conclusion'],
      assertion: orderChanges(
        (from, to) => from !== to && from !== 'CANCELLED' && to !== 'CANCELLED',
      ),
      remedy: `Show no status but ${orderStatuses.join(', ')}, and move an order only as the lifecycle has it.`,
    },
    'ORD-TEN-03': {
      procedures: ['order-life', 'courier-events'],
      assertion: inDeliveryOnce,
      remedy:
        'Take an order to IN_DELIVERY once, at DISPATCHED or ORDER_COLLECTED, whichever is first.',
    },
  },
)
