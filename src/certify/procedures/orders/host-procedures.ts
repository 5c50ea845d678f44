/** Procedures with an Ordering Application: lives of orders that it creates, and what is asked of it besides. */
import { isoOf } from '../../../core/engine/instant.ts'
import { orderEvents, type OrderEventType } from '../../../core/protocol/orders/events.ts'
import { orderTypes } from '../../../core/protocol/orders/order.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { emittedEvents, type Observed } from '../../../core/rules/checks/trace.ts'
import {
  orderHost,
  lifecycleCalls,
  statusOf,
} from '../../../core/rules/checks/orders/hosted-orders.ts'
import {
  callForOrder,
  newOrders,
  type PlacedOrder,
  progress,
  quietMs,
  quietTime,
  readOrder,
  readOrders,
  untilOrderEvents,
  untilStatus,
} from './host-orders.ts'

/** How long a service may take from the end of an order to CONCLUDED: it decides that alone. */
const conclusionMs = 35_000

/** The events that the profile of an order demands until its end. */
const demandedEvents = ({ type }: PlacedOrder): readonly OrderEventType[] =>
  (['CREATED', 'CONFIRMED', 'READY_FOR_PICKUP', 'DELIVERED'] as const).filter(
    (each) => orderEvents[each].obligation[type] === 'MUST',
  )

/** The URL of an order in its CREATED event. */
const orderUrlOf = (observed: readonly Observed[], id: string): unknown =>
  emittedEvents(observed).find(
    ({ orderId, eventType }) => eventType === 'CREATED' && orderId === id,
  )?.event['orderURL']

const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host : undefined

/** Reads an order at the URL that its event names, if that is at the service. */
async function readAtUrl(context: ProcedureContext, { orderId, read }: PlacedOrder): Promise<void> {
  const url = orderUrlOf(context.observed(), orderId)
  if (typeof url !== 'string' || hostOf(url) !== read.url.host) return
  await context.call('read-url', {
    as: 'software-service',
    operation: 'getOrder',
    params: { orderId },
    url,
  })
}

/** Tries to create an order by POST, which the protocol does not have. */
async function postOrder(context: ProcedureContext, { read }: PlacedOrder): Promise<void> {
  const { href } = read.url
  const { status } = await context.call('post-order', {
    as: 'software-service',
    method: 'POST',
    url: href.slice(0, href.lastIndexOf('/')),
    body: isUnknownRecord(read.reply) ? { ...read.reply, id: context.unknownId() } : {},
  })
  if (status >= 200 && status < 300) context.leaves('an order that was created by POST /orders')
}

/** Polls twice and acknowledges nothing, until an event was there both times; where events come by polls. */
function createPollPairs(context: ProcedureContext): () => Promise<void> {
  const poll = (step: string): Promise<Observed> =>
    context.call(step, { as: 'software-service', operation: 'pollingEvents' })
  const eventsIn = (observed: readonly Observed[]): readonly string[] =>
    emittedEvents(observed).flatMap(({ eventType, orderId, observed: { operation } }) =>
      operation === 'pollingEvents' ? [`${eventType} ${orderId}`] : [],
    )
  let isShown = false
  return async () => {
    if (isShown || eventsIn(context.observed()).length === 0) return
    const first = eventsIn([await poll('poll')])
    const second = eventsIn([await poll('poll-again')])
    isShown = second.some((event) => first.includes(event))
  }
}

export const orderHostProcedures = defineProcedures(orderHost, {
  /** Each profile from CREATED to DELIVERED, side by side, with a read after each call. */
  'order-life': {
    about: 'takes an order of each profile to its end, step by step, and repeats each call',
    actions: ['an order of each profile'],
    changes: 'one order of each profile, which ends as DELIVERED',
    async run(context) {
      const orders = await newOrders(context, orderTypes)
      for (const order of orders) await readAtUrl(context, order)
      for (const order of orders.slice(0, 1)) await postOrder(context, order)
      const pollTwice = createPollPairs(context)
      const ended = await progress(context, orders, 'DELIVERED', async ({ orderId }, operation) => {
        await pollTwice()
        await callForOrder(context, operation, orderId, { step: `repeat-${operation}` })
        await readOrder(context, 'read-repeated', orderId)
      })
      await untilOrderEvents(
        context,
        ended.flatMap((order) =>
          demandedEvents(order).map((eventType) => [order.orderId, eventType] as const),
        ),
      )
      await quietTime(context)
      await readOrders(context, 'read-end', orders)
    },
  },
  /** Every operation about an order, for one that does not exist. */
  'unknown-order': {
    about: 'calls every operation about an order with an id that no order has',
    async run(context) {
      await readOrder(context, 'read', context.unknownId())
      for (const operation of lifecycleCalls)
        await callForOrder(context, operation, context.unknownId())
    },
  },
  /** Calls in a status or a profile that does not have them; an event where it does not belong. */
  'order-misuse': {
    about: 'makes lifecycle calls that the status or the profile of an order does not allow',
    actions: ['a DELIVERY and a TAKEOUT order'],
    changes: 'a DELIVERY and a TAKEOUT order, which end as DELIVERED',
    async run(context) {
      const orders = await newOrders(context, ['DELIVERY', 'TAKEOUT'])
      const ofType = (type: string): readonly PlacedOrder[] =>
        orders.filter((order) => order.type === type)
      for (const { orderId } of orders) {
        await callForOrder(context, 'dispatchOrder', orderId, { step: 'dispatch-created' })
        await context.call('send-event', {
          as: 'software-service',
          operation: 'receiveOrderEvent',
          body: {
            eventId: context.unknownId(),
            eventType: 'CONFIRMED',
            orderId,
            createdAt: isoOf(context.now()),
          },
        })
      }
      await quietTime(context)
      await readOrders(context, 'read-misused', orders)
      const prepared = await progress(context, ofType('DELIVERY'), 'PREPARING')
      const ready = await progress(context, ofType('TAKEOUT'), 'READY')
      for (const { orderId } of prepared)
        await callForOrder(context, 'confirmOrder', orderId, { step: 'confirm-passed' })
      for (const { orderId } of ready)
        await callForOrder(context, 'dispatchOrder', orderId, { step: 'dispatch-takeout' })
      await quietTime(context)
      await readOrders(context, 'read-misused', [...prepared, ...ready])
      const atDoor = await progress(context, prepared, 'READY')
      for (const { orderId } of atDoor) await callForOrder(context, 'setOrderDelivered', orderId)
      await untilStatus(context, atDoor, () => 'DELIVERED', quietMs)
      await progress(context, [...atDoor, ...ready], 'DELIVERED')
    },
  },
})

/** The last one: orders of all others have had time to conclude. */
export const conclusionProcedures = defineProcedures(orderHost, {
  /** Orders that other procedures have left behind. */
  'order-conclusion': {
    about:
      'waits until the service concludes an order that is delivered, and one that is cancelled',
    async run(context) {
      const earlier = context.earlier()
      // How each order ended: what it was before CONCLUDED.
      const ends = new Map(
        earlier.flatMap((each) => {
          const { orderId } = each.exchange
          const status = statusOf(each)
          const isEnd = status === 'DELIVERED' || status === 'CANCELLED'
          return each.operation === 'getOrder' && orderId !== undefined && isEnd
            ? [[orderId, status] as const]
            : []
        }),
      )
      const over = [...ends.keys()]
      const concludedIn = (observed: readonly Observed[]): ReadonlySet<string | undefined> =>
        new Set(
          emittedEvents(observed).flatMap(({ eventType, orderId }) =>
            eventType === 'CONCLUDED' ? [orderId] : [],
          ),
        )
      const before = concludedIn(earlier)
      const byEnd = [...Map.groupBy(over, (orderId) => ends.get(orderId)).values()]
      await context.until(
        () => {
          const concluded = concludedIn(context.observed())
          return byEnd.every((ids) => ids.some((id) => before.has(id) || concluded.has(id)))
        },
        { within: conclusionMs },
      )
      for (const orderId of over) await readOrder(context, 'read', orderId)
    },
  },
})
