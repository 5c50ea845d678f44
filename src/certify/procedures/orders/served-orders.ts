/**
 * Procedures with a Software Service: orders of our Ordering Application that it has to serve, each with a turn of its
 * own.
 */
import { ofService } from '../../../core/rules/checks/orders/client-assertions.ts'
import { type OrderType, orderTypes } from '../../../core/protocol/orders/order.ts'
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { capabilityIn } from '../../../core/rules/checks/transport/manifests.ts'
import { defineProcedures, type ProcedureContext, atOnce } from '../../judge/procedure.ts'
import { forbiddenEvents } from '../../../core/rules/checks/orders/client-events.ts'

/** How long a service may take from CREATED to the end of an order. */
const lifeMs = 60_000
/** How long it may take to its next step. */
export const stepMs = 30_000
/** From 202 to its effect at our Ordering Application, at most. */
const effectMs = 500
/** Time in which a service that does not stop would act. */
export const watchMs = 3000

export const hasCalled = (
  context: ProcedureContext,
  operation: OperationId,
  orderId: string,
  status?: number,
): boolean =>
  context
    .observed()
    .some(
      (each) =>
        each.isCall &&
        each.operation === operation &&
        each.exchange.orderId === orderId &&
        (status === undefined || each.status === status),
    )

export const untilCalled = (
  context: ProcedureContext,
  operation: OperationId,
  orderId: string,
  within = stepMs,
): Promise<boolean | undefined> =>
  context.until(() => hasCalled(context, operation, orderId, 202), {
    within,
    what: `${operation} of order ${orderId}`,
  })

export const untilDelivered = (context: ProcedureContext, orderId: string): Promise<unknown> =>
  untilCalled(context, 'setOrderDelivered', orderId, lifeMs)

/** Places an order and writes down what it is for. */
async function place(
  context: ProcedureContext,
  note: string,
  type: OrderType = 'DELIVERY',
): Promise<string> {
  const { orderId } = await context.createOrder({ type, items: 2 })
  context.note(note, orderId)
  return orderId
}

/** Places an order and waits until it is confirmed; undefined when it is not in time. */
export async function placeConfirmed(
  context: ProcedureContext,
  note: string,
  type?: OrderType,
): Promise<string | undefined> {
  const orderId = await place(context, note, type)
  if (!(await untilCalled(context, 'confirmOrder', orderId))) return undefined
  // Until its effect is there.
  await context.sleep(effectMs)
  return orderId
}

async function plainOrder(context: ProcedureContext, type: OrderType): Promise<void> {
  const orderId = await place(context, 'plain', type)
  context.note(`plain-${type}`, orderId)
  if (type === 'DELIVERY') {
    await context.submit({ kind: 'event.invent', orderId, eventType: 'X_UNKNOWN' })
    await context.submit({ kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' })
  }
  await untilDelivered(context, orderId)
}

/** An order of whose events one is repeated, lost, or late. */
async function disturbedOrder(
  context: ProcedureContext,
  note: string,
  fault: 'duplicate' | 'drop' | 'reorder',
): Promise<void> {
  const orderId = await place(context, note)
  context.fault({ [fault]: { event: 'CONFIRMED', order: orderId } })
  await untilDelivered(context, orderId)
}

/** An event that disagrees with GET. */
async function misleadingEvent(context: ProcedureContext): Promise<void> {
  const orderId = await placeConfirmed(context, 'misled')
  if (orderId === undefined) return
  await context.submit({
    kind: 'event.emit',
    orderId,
    eventType: 'READY_FOR_PICKUP',
    force: true,
  })
  await untilDelivered(context, orderId)
}

async function cancelledByUs(context: ProcedureContext): Promise<void> {
  const orderId = await placeConfirmed(context, 'cancelled-by-us')
  if (orderId === undefined) return
  await context.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
  await context.sleep(watchMs * 3)
}

/** The service's own order document, as it was read. */
function itemsOf(context: ProcedureContext, orderId: string): readonly string[] {
  const read = context
    .observed()
    .find((each) => each.operation === 'getOrder' && each.exchange.orderId === orderId)
  const items: unknown = Reflect.get(Object(read?.reply), 'items')
  return Array.isArray(items)
    ? items.flatMap((each: unknown) => {
        const id: unknown = Reflect.get(Object(each), 'id')
        return typeof id === 'string' ? [id] : []
      })
    : []
}

async function itemCancelledByUs(context: ProcedureContext): Promise<void> {
  const orderId = await placeConfirmed(context, 'item-cancelled-by-us')
  const [itemId] = orderId === undefined ? [] : itemsOf(context, orderId)
  if (orderId === undefined || itemId === undefined) return
  await context.submit({
    kind: 'item.cancel',
    orderId,
    itemId,
    cancellation: { reason: 'the customer does not want it', code: 'CUSTOMER', mode: 'MANUAL' },
  })
  await untilDelivered(context, orderId)
}

const cancellation = {
  reason: 'the kitchen is closed',
  code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
  mode: 'MANUAL',
} as const

/** Has the service ask to cancel an order, and waits for its call. */
async function requestedCancellation(
  context: ProcedureContext,
  note: string,
  beforehand = async (): Promise<void> => {},
): Promise<string | undefined> {
  const orderId = await placeConfirmed(context, note)
  if (orderId === undefined) return undefined
  await beforehand()
  await context.ask({
    kind: 'cancel-order',
    orderId,
    instruction: `ask to cancel the order ${orderId}, at the service`,
    command: { kind: 'ticket.cancel', orderId, request: cancellation },
  })
  return (await untilCalled(context, 'requestCancellation', orderId)) ? orderId : undefined
}

export const servedOrderProcedures = defineProcedures(ofService, {
  'served-orders': {
    about:
      'places orders of each profile side by side and lets the service take them to their ends: plain ones, with an event twice, lost, late, or in disagreement with GET, cancelled, with an item cancelled',
    changes: 'nine orders, of which one is cancelled',
    async run(context) {
      await atOnce([
        ...orderTypes.map((type) => plainOrder(context, type)),
        disturbedOrder(context, 'event-twice', 'duplicate'),
        disturbedOrder(context, 'event-lost', 'drop'),
        disturbedOrder(context, 'event-late', 'reorder'),
        misleadingEvent(context),
        cancelledByUs(context),
        itemCancelledByUs(context),
      ])
    },
  },
  'forbidden-events': {
    about: 'sends the events that TAKEOUT and INDOOR forbid, by webhook',
    changes: 'two orders',
    async run(context) {
      const { reply } = await context.call('manifest', {
        as: 'ordering-application',
        operation: 'getManifest',
      })
      const declared = capabilityIn(reply, 'orders')?.block['receiver']
      if (isUnknownRecord(declared) && declared['supportsWebhook'] === false)
        context.skip('it declares that it takes no webhooks')
      const [takeout, indoor] = await Promise.all([
        placeConfirmed(context, 'forbidden-TAKEOUT', 'TAKEOUT'),
        placeConfirmed(context, 'forbidden-INDOOR', 'INDOOR'),
      ])
      for (const { eventType, type } of forbiddenEvents) {
        const orderId = type === 'TAKEOUT' ? takeout : type === 'INDOOR' ? indoor : undefined
        if (orderId === undefined) continue
        await context.call(eventType, {
          as: 'ordering-application',
          operation: 'receiveOrderEvent',
          body: {
            eventId: context.unknownId(),
            eventType,
            orderId,
            createdAt: new Date(context.now()).toISOString(),
          },
        })
      }
    },
  },
  'service-cancellations': {
    about:
      'has the service ask to cancel three orders: one is accepted, one denied, one left open for a while',
    actions: ['a request to cancel an order, three times'],
    changes: 'four orders, of which one is cancelled',
    async run(context) {
      const accepted =
        (await requestedCancellation(context, 'request-accepted')) ??
        context.skip('it asked for no cancellation within 30 s')
      await context.submit({ kind: 'cancellation.answer', orderId: accepted, answer: 'accept' })
      const denied = await requestedCancellation(context, 'request-denied')
      if (denied !== undefined) {
        await place(context, 'beside-a-denial')
        const { length } = context.observed()
        await context.submit({ kind: 'cancellation.answer', orderId: denied, answer: 'deny' })
        await context.until(
          () =>
            context
              .observed()
              .slice(length)
              .some(
                ({ isCall, exchange, operation }) =>
                  isCall && exchange.orderId === denied && operation !== 'getOrder',
              ),
          { within: stepMs, what: `a step of order ${denied}, whose cancellation was denied` },
        )
        context.note('denial-waited-out', denied)
      }
      const path = ['counterparts', 'ordering-application', 'behaviour']
      // It answers no request of its own accord then.
      const leaveOpen = () => context.configure([{ path, value: 'forgetful' }])
      const open = await requestedCancellation(context, 'request-open', leaveOpen)
      if (open === undefined) return
      await context.submit({ kind: 'cancellation.answer', orderId: open, answer: 'open' })
      const eventType = 'PREPARATION_REQUESTED'
      await context.submit({ kind: 'event.emit', orderId: open, eventType })
      await context.sleep(watchMs)
      context.note('open-request-answered', open)
      await context.submit({ kind: 'cancellation.answer', orderId: open, answer: 'deny' })
      await context.sleep(watchMs)
    },
  },
  'unavailable-item': {
    about:
      'has the service ask to cancel an order for an item that is out of stock, before it confirms it',
    actions: ['a cancellation before confirmation, because an item is out of stock'],
    changes: 'one order, which is cancelled',
    async run(context) {
      const orderId = await place(context, 'unavailable')
      await context.until(() => hasCalled(context, 'getOrder', orderId, 200), {
        within: stepMs,
        what: `getOrder of order ${orderId}`,
      })
      await context.ask({
        kind: 'other',
        instruction: `say that an item of the new order ${orderId} is out of stock, before it is confirmed`,
        command: {
          kind: 'ticket.cancel',
          orderId,
          request: { reason: 'out of stock', code: 'UNAVAILABLE_ITEM', mode: 'AUTO' },
        },
      })
      await context.sleep(watchMs * 2)
    },
  },
  'service-item-cancel': {
    about: 'has the service cancel an item of a confirmed order',
    actions: ['the cancellation of an item of a confirmed order'],
    changes: 'one order, of which an item is cancelled',
    async run(context) {
      const orderId = await placeConfirmed(context, 'item-cancelled-by-service')
      const [itemId] = orderId === undefined ? [] : itemsOf(context, orderId)
      if (orderId === undefined || itemId === undefined) {
        context.skip('the service did not confirm the order in time')
        return
      }
      await context.ask({
        kind: 'other',
        instruction: `cancel one item of the order ${orderId}, at the service`,
        command: { kind: 'ticket.cancel-item', orderId, itemId, cancellation },
      })
      await context.until(() => hasCalled(context, 'cancelOrderItem', orderId), {
        within: stepMs,
        what: `cancelOrderItem of order ${orderId}`,
      })
      await context.sleep(watchMs)
    },
  },
})
