/** Checks of the events that an Ordering Application emits: ORD-EVT, ORD-EVR. */
import { type Check, defineChecks, type Assertion } from '../check.ts'
import {
  orderEvents,
  orderEventTypes,
  type OrderEventType,
} from '../../../protocol/orders/events.ts'
import { type OrderType, orderTypes } from '../../../protocol/orders/order.ts'
import { every, observation } from '../assertion.ts'
import { eventShows, leavesStatus, statusHasEvent } from './host-assertions.ts'
import { inSessions } from '../status-life.ts'
import { changeIsAnnounced, noForbiddenEvents, readsFollowEvents } from './order-life.ts'
import { orderHost, distinctEvents, eachOrder, orderPhrase } from './hosted-orders.ts'

/** The profiles for which an event has this obligation. */
const profilesWith = (eventType: OrderEventType, obligation: string): readonly OrderType[] =>
  orderTypes.filter((type) => orderEvents[eventType].obligation[type] === obligation)

const typesWhere = (holds: (type: OrderEventType) => boolean): readonly OrderEventType[] =>
  orderEventTypes.filter(holds)

const informational = typesWhere((type) => orderEvents[type].projects === undefined)
const projecting = typesWhere((type) => orderEvents[type].projects !== undefined)
const demandedEvents = projecting.filter((type) => profilesWith(type, 'MUST').length > 0)
const forbiddenSomewhere = typesWhere((type) => profilesWith(type, 'MUST NOT').length > 0)

/** Every order that was had created is announced. */
const everyOrderIsAnnounced: Assertion = function* (trace) {
  for (const { text } of trace.notes('unannounced-order'))
    yield observation([], `it emitted no CREATED event of a new ${text} order within 60 s`)
  yield* eachOrder(function* ofOrder(history) {
    const [created] = distinctEvents(history, 'CREATED')
    const [read] = history.reads
    const shown = created ? [created.observed] : read ? [read] : []
    yield observation(
      shown,
      !created && `it shows ${orderPhrase(history)} that no CREATED event announced`,
    )
  })(trace)
}

/** Where the profile demands an event, an order that became what it projects has it. */
const isAnnounced = (eventType: OrderEventType): Assertion =>
  statusHasEvent(
    orderEvents[eventType].projects ?? 'CREATED',
    eventType,
    profilesWith(eventType, 'MUST'),
  )

type EventCheck = Omit<Check, 'roles' | 'needs'>

/** An event that every profile, or some, must have. */
const demanded = (
  clause: string,
  eventType: OrderEventType,
  ...procedures: string[]
): EventCheck => {
  const types = profilesWith(eventType, 'MUST')
  const status = orderEvents[eventType].projects ?? 'CREATED'
  return {
    clauses: [clause],
    procedures,
    assertion: every(isAnnounced(eventType), inSessions(changeIsAnnounced(eventType))),
    remedy: `Emit ${eventType} of every ${types.join(', ')} order that becomes ${status}.`,
  }
}

/** An event that may come, and shows on GET when it does. */
const shown = (clause: string, eventType: OrderEventType, ...procedures: string[]): EventCheck => {
  const status = orderEvents[eventType].projects ?? 'CREATED'
  return {
    clauses: [clause],
    procedures,
    assertion: eventShows(eventType),
    remedy: `Emit ${eventType} only when GET shows ${status}, or what follows it.`,
  }
}

/** An event that moves nothing. */
const informing = (
  clause: string,
  eventType: OrderEventType,
  ...procedures: string[]
): EventCheck => ({
  clauses: [clause],
  procedures,
  assertion: leavesStatus(eventType),
  remedy: `Leave the status of an order as it is with ${eventType}.`,
})

const eventChecks: readonly EventCheck[] = [
  demanded('ORD-EVT-02', 'CONFIRMED', 'order-life'),
  informing('ORD-EVT-03', 'PREPARATION_REQUESTED', 'courier-events'),
  shown('ORD-EVT-04', 'PREPARING', 'order-life'),
  demanded('ORD-EVT-05', 'READY_FOR_PICKUP', 'order-life'),
  informing('ORD-EVT-06', 'PICKUP_ONGOING', 'courier-events'),
  informing('ORD-EVT-07', 'RIDER_ARRIVED_AT_STORE', 'courier-events'),
  shown('ORD-EVT-08', 'DISPATCHED', 'order-life'),
  shown('ORD-EVT-09', 'ORDER_COLLECTED', 'courier-events'),
  informing('ORD-EVT-10', 'DELIVERY_ONGOING', 'courier-events'),
  informing('ORD-EVT-11', 'ARRIVED_AT_CUSTOMER', 'courier-events'),
  demanded('ORD-EVT-12', 'DELIVERED', 'order-life'),
  demanded('ORD-EVT-16', 'CANCELLED', 'order-cancellation', 'own-cancellation'),
  shown('ORD-EVT-17', 'CONCLUDED', 'order-life', 'order-conclusion'),
]

export const orderHostEventChecks = defineChecks(
  { ...orderHost, procedures: ['order-life'] },
  {
    'ORD-FLO-05': {
      assertion: every(...demandedEvents.map(isAnnounced)),
      remedy:
        'Emit an event of its own for each change of an order, and show the same status on GET.',
    },
    'ORD-EVT-01': {
      assertion: everyOrderIsAnnounced,
      remedy: 'Emit CREATED of every order, in every profile.',
    },
  },
  eventChecks,
  {
    'ORD-EVR-01': {
      procedures: ['order-life', 'order-cancellation'],
      assertion: every(eventShows(...projecting), inSessions(readsFollowEvents)),
      remedy: 'Show on GET what your events have said: status on GET is the source of truth.',
    },
    'ORD-EVR-05': {
      procedures: ['courier-events', 'order-cancellation'],
      assertion: leavesStatus(...informational),
      remedy: 'Change the status of an order only together with an event that projects it.',
    },
    'ORD-EVR-07': {
      assertion: noForbiddenEvents,
      remedy: `Emit none of ${forbiddenSomewhere.join(', ')} for TAKEOUT and INDOOR orders.`,
    },
  },
)
