/** Checks of the fields of an order that an Ordering Application shows: ORD-FLD. */
import {
  orderTypes,
  OrderStatus,
  orderStatuses,
  UnavailabilityPreference,
} from '../../../protocol/orders/order.ts'
import {
  absent,
  body,
  bodyValue,
  each,
  isAcceptedCall,
  isObject,
  isOneOf,
  isText,
  optional,
  replyIs,
  required,
  type Selection,
  type Test,
  type ValueTest,
  every,
  where,
} from '../assertion.ts'
import { type Assertion, defineChecks, type Rows, rowsOf } from '../check.ts'
import { isOrderEventType, orderEvents } from '../../../protocol/orders/events.ts'
import { ofTrace } from '../live.ts'
import { inSessions } from '../status-life.ts'
import {
  endOfCall,
  isPoll,
  type Observed,
  type ObservedEvent,
  startOf,
  type Trace,
} from '../trace.ts'
import { cameBefore } from './host-assertions.ts'
import { itemPrices, priceProblem, profileBlocks } from './host-item-fields.ts'
import {
  orderHost,
  distinctEvents,
  hostedOrders,
  isAtOrPast,
  shownOrders,
  shownOrdersWith,
  statusOf,
  typeOf,
} from './hosted-orders.ts'
import { lastEventsFollow } from './order-life.ts'

const ordersOfType = (type: string): Selection =>
  where(shownOrders, ({ reply }) => bodyValue(reply, '/fulfillment/orderType') === type)

const isDate = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : `${JSON.stringify(value)} is not a date`

const timingFields = ['orderTiming', 'schedule', 'preparationStartDateTime', 'orderPriority']
const lifeAndFull = ['order-life', 'full-order']

/** The last event projects a status that the order is at, or has passed. */
const contradictsStatus: Test<Observed> = (read) => {
  const last = String(bodyValue(read.reply, '/lastEvent'))
  const projected = isOrderEventType(last) ? orderEvents[last].projects : undefined
  return (
    projected !== undefined &&
    OrderStatus.safeParse(statusOf(read)).success &&
    !isAtOrPast(statusOf(read), projected, typeOf(read)) &&
    `its lastEvent is ${last}, and its status ${String(statusOf(read))}`
  )
}

/** How long the event that a read shows may take to be handed over, in ms. */
const settleMs = 1500

const eventsOf = (id: string | undefined, trace: Trace): readonly ObservedEvent[] => {
  const history = hostedOrders(trace).find(({ orderId }) => orderId === id)
  return history ? distinctEvents(history) : []
}

/** Reads whose last event was handed over, or could have been: by a later poll, or by a webhook in the time that went on. */
const settledReads = where(shownOrdersWith('/lastEvent'), (read, trace) => {
  const last = bodyValue(read.reply, '/lastEvent')
  const isPushed = trace.calls('receiveOrderEvent').length > 0
  return (
    eventsOf(read.exchange.orderId, trace).some(({ eventType }) => eventType === last) ||
    trace.all.some(
      (later) =>
        startOf(later) >= endOfCall(read) + settleMs &&
        (isPushed || (isPoll(later.operation) && isAcceptedCall(later))),
    )
  )
})

/** The block of the profile is under fulfillment, and no other. */
const hasOwnBlock: ValueTest = (order) => {
  const type = bodyValue(order, '/fulfillment/orderType')
  // Another clause says so.
  if (type === undefined) return undefined
  for (const [block, owner] of profileBlocks) {
    const problem = body(
      absent(`/${block}`),
      type === owner
        ? optional(`/fulfillment/${block}`, isObject)
        : absent(`/fulfillment/${block}`),
    )(order)
    if (problem !== undefined) return `${problem} in a ${JSON.stringify(type)} order`
  }
  return undefined
}

/** What every order shows that is read. */
const fields: Rows<ValueTest> = {
  'ORD-FLD-02': [
    required('/status', isOneOf(...orderStatuses)),
    `Show the status of an order as one of ${orderStatuses.join(', ')}.`,
  ],
  'ORD-FLD-04 MIG-ORD-07': [
    body(required('/fulfillment/orderType', isOneOf(...orderTypes)), absent('/type')),
    'Put the type of an order into fulfillment.orderType, and leave out the root type.',
  ],
  'ORD-FLD-05': [
    hasOwnBlock,
    'Put the block of the profile under fulfillment, and no block of another profile.',
  ],
  'ORD-FLD-13 MIG-ORD-08': [
    (order) =>
      body(
        optional('/items/*/pricing', isObject),
        ...itemPrices.map((field) => absent(`/items/*/${field}`)),
      )(order) ??
      (JSON.stringify(order).includes('"subtotalPrice":') ? 'it has a subtotalPrice' : undefined),
    'Group the prices of an item under its pricing, and drop subtotalPrice.',
  ],
}

/** The same, where an order that holds everything optional shows more. */
const fullFields: Rows<ValueTest> = {
  'ORD-FLD-07': [
    (order) =>
      body(
        ...timingFields.map((field) => absent(`/${field}`)),
        optional('/timing', isObject),
        bodyValue(order, '/timing/orderTiming') === 'SCHEDULED'
          ? required('/timing/schedule', isObject)
          : () => undefined,
      )(order),
    'Put orderTiming, schedule, preparationStartDateTime and orderPriority under timing, with a schedule for a SCHEDULED order.',
  ],
  'ORD-FLD-12': [
    body(optional('/items/*/observations', isText), absent('/items/*/specialInstructions')),
    'Put the remarks of an item into its observations, and drop specialInstructions.',
  ],
  'ORD-FLD-17': [priceProblem, 'Show every price as an object of value and currency.'],
}

const eachOrderShows = (test: ValueTest): Assertion => each(shownOrders, replyIs(test))

export const fullOrderFieldChecks = defineChecks(
  { ...orderHost, procedures: lifeAndFull },
  rowsOf(fullFields, eachOrderShows),
)

export const orderFieldChecks = defineChecks(
  { ...orderHost, procedures: ['order-life'] },
  rowsOf(fields, eachOrderShows),
  {
    'ORD-FLD-01': {
      assertion: each(shownOrders, ({ reply, exchange }) => {
        const id = bodyValue(reply, '/id')
        return id === exchange.orderId
          ? undefined
          : `the id in its order is ${JSON.stringify(id)}, not the one in its events and in the path`
      }),
      remedy:
        'Give the order one id, a text, and show it in events, in paths and in the order alike.',
    },
    'ORD-FLD-03': {
      assertion: every(
        ofTrace(
          each(settledReads, ({ reply, step, exchange }, trace) => {
            const last = bodyValue(reply, '/lastEvent')
            const events = eventsOf(exchange.orderId, trace)
            if (!events.some(({ eventType }) => eventType === last))
              return `its lastEvent is ${JSON.stringify(last)}, which is no event of the order`
            const before = events.filter(({ observed }) => observed.exchange.seq < exchange.seq)
            const latest = before.filter((event) =>
              before.every((other) => other === event || !cameBefore(event, other)),
            )
            return step !== 'order-life/read-end' ||
              latest.length === 0 ||
              // One that is handed over later may have been emitted already.
              events.some(
                (event) =>
                  event.eventType === last && (latest.includes(event) || !before.includes(event)),
              )
              ? undefined
              : `its lastEvent is ${JSON.stringify(last)} when the last event was ${latest[0]?.eventType}`
          }),
        ),
        inSessions(every(each(shownOrdersWith('/lastEvent'), contradictsStatus), lastEventsFollow)),
      ),
      remedy:
        'Set lastEvent to the type of the last event of the order, and status to what that event says.',
    },
    'ORD-FLD-06 MIG-ORD-09': {
      procedures: lifeAndFull,
      assertion: each(
        ordersOfType('DELIVERY'),
        replyIs(
          body(
            required('/customer', isObject),
            optional('/customer/birthDate', isDate),
            optional('/customer/gender', isText),
          ),
        ),
      ),
      remedy:
        'Give every DELIVERY order its customer, with a birthDate as a date and a gender as a text if any.',
    },
  },
  (
    [
      ['ORD-FLD-08', '/context/salesChannel'],
      ['ORD-FLD-09', '/observations'],
      ['ORD-FLD-11', '/items/*/itemOfferId'],
    ] as const
  ).map(([clause, pointer]) => ({
    clauses: [clause] as const,
    procedures: ['full-order'],
    assertion: each(shownOrdersWith(pointer), replyIs(optional(pointer, isText))),
    remedy: `Show ${pointer.slice(1).replaceAll('/', '.')} as a text.`,
  })),
  {
    'ORD-FLD-10': {
      procedures: ['full-order'],
      assertion: each(
        shownOrdersWith('/unavailabilityPreference', '/items/*/unavailabilityPreference'),
        replyIs(
          body(
            optional('/unavailabilityPreference', isOneOf(...UnavailabilityPreference.options)),
            absent('/items/*/unavailabilityPreference'),
          ),
        ),
      ),
      remedy:
        'Put unavailabilityPreference at the order, not at its items, as REMOVE_ITEM or CANCEL_ORDER.',
    },
  },
)
