/** Checks of how a Software Service cancels items, and takes their cancellations: ORD-ITM. */
import { itemCancellationFields } from './host-items.ts'
import { ofTrace } from '../live.ts'
import { type Assertion, defineChecks, type Observation } from '../check.ts'
import type { Observed, Trace } from '../trace.ts'
import {
  bodyValue,
  callsOf,
  each,
  hasStatus,
  isInteger,
  optional,
  requestIs,
  observation,
} from '../assertion.ts'
import {
  observedBegin,
  callsAbout,
  eachNoted,
  observedEnd,
  orderObservation,
  readsAbout,
  eventsReceivedAbout,
  ofService,
  ofServedOrders,
} from './client-assertions.ts'

const itemCancelled = { ...ofService, procedures: ['service-item-cancel'] }

/** Orders of which we have cancelled an item, where its event was received. */
const eachCancelledByUs = (
  judge: (
    trace: Trace,
    orderId: string,
    received: readonly Observed[],
    first: Observed,
  ) => Observation,
): Assertion =>
  eachNoted('item-cancelled-by-us', (trace, orderId) => {
    const received = eventsReceivedAbout(trace, orderId, 'ITEM_CANCELLED').map(
      ({ observed }) => observed,
    )
    const [first] = received
    return first ? [judge(trace, orderId, received, first)] : []
  })

export const orderItemChecks = defineChecks(itemCancelled, {
  'ORD-BOD-04': {
    assertion: each(callsOf('cancelOrderItem'), requestIs(itemCancellationFields)),
    remedy: 'Send reason and code of an item cancel as strings, and mode as AUTO or MANUAL.',
  },
  'ORD-BOD-05': {
    assertion: each(callsOf('cancelOrderItem'), requestIs(optional('/quantity', isInteger))),
    remedy:
      'Send the quantity of an item cancel as a whole number, or leave it out for the whole line.',
  },
  'ORD-OPS-11': {
    assertion: ofTrace(each(callsOf('cancelOrderItem'), hasStatus(202))),
    remedy:
      'Cancel an item by POST /orders/{orderId}/items/{itemId}/cancel, of an item that the order has.',
  },
  'ORD-ITM-06': {
    assertion: function* (trace) {
      const declares = (isOurs: boolean) => {
        const reads = isOurs ? trace.calls('getManifest') : trace.answers('getManifest')
        const texts = reads.flatMap(({ exchange }) => exchange.reply?.body ?? [])
        return texts.length === 0 || texts.some((text) => text.includes('partialItemCancellation'))
      }
      for (const call of trace.calls('cancelOrderItem'))
        yield observation(
          [call],
          (!declares(true) || !declares(false)) &&
            'it cancelled an item although not both manifests declare partialItemCancellation',
        )
    },
    remedy: 'Cancel items only where both manifests declare partialItemCancellation.',
  },
  'ORD-ITM-01': {
    ...ofServedOrders,
    assertion: eachCancelledByUs((trace, orderId, received, first) => {
      const denied = trace
        .calls()
        .filter(
          (call) =>
            call.url.pathname.includes(orderId) &&
            observedBegin(call) > observedEnd(first) &&
            /deny|accept|reject/i.test(call.url.pathname),
        )
      return orderObservation(
        received,
        denied,
        ({ url }) => `it answered an item cancel by ${url.pathname}`,
      )
    }),
    remedy: 'Take an item cancel as it is, with no accept and no deny.',
  },
  'ORD-ITM-04': {
    ...ofServedOrders,
    assertion: eachCancelledByUs((trace, orderId, _, first) => {
      const read = readsAbout(trace, orderId).find(
        (one) => observedBegin(one) >= observedBegin(first),
      )
      return observation(
        [first, ...(read ? [read] : [])],
        !read && 'it did not read the order after ITEM_CANCELLED',
      )
    }),
    remedy: 'Read the order with GET after ITEM_CANCELLED.',
  },
  'ORD-ITM-05': {
    ...ofService,
    procedures: ['unavailable-item', 'service-item-cancel'],
    assertion: function* (trace) {
      for (const call of trace.calls('cancelOrderItem')) {
        const orderId = call.exchange.orderId ?? ''
        const confirmed = callsAbout(trace, orderId, 'confirmOrder').find(
          (one) => one.status === 202 && observedEnd(one) <= observedBegin(call),
        )
        yield observation(
          [...(confirmed ? [confirmed] : []), call],
          !confirmed && 'it cancelled an item of an order that it had not confirmed',
        )
      }
      for (const { text } of trace.notes('unavailable'))
        for (const call of callsAbout(trace, text, 'requestCancellation'))
          yield observation(
            [call],
            bodyValue(call.request, '/code') !== 'UNAVAILABLE_ITEM' &&
              'its cancellation before confirmation, for an item out of stock, has not the code UNAVAILABLE_ITEM',
          )
    },
    remedy: 'Before confirmation cancel the whole order, with the code UNAVAILABLE_ITEM.',
  },
})
