/**
 * Procedures with a Software Service of what breaks in production: calls about single orders fail, events come when none is
 * expected, a hundred of them come at once.
 */
import { ofService } from '../../../core/rules/checks/orders/client-assertions.ts'
import { defineProcedures, type ProcedureContext, atOnce } from '../../judge/procedure.ts'
import type { NewOrder } from '../../../core/session-api/new-order.ts'
import type { FaultSpec } from '../../../core/session-api/session.ts'
import {
  hasCalled,
  placeConfirmed,
  stepMs,
  untilCalled,
  untilDelivered,
  watchMs,
} from './served-orders.ts'

/** How long a call fails that fails again and again. */
const outageMs = 12_000
/** How long after its end a service may take to make that call again: its pauses have grown. */
const recoveryMs = 45_000
/** How late CREATED comes that is overtaken, and CANCELLED of which a service hears last. */
const overtakenMs = 8000
const unheardMs = 15_000
/** How long a service may take to acknowledge a hundred events, in as many calls as it likes. */
const burstMs = 20_000
const burstSize = 100

const isPolling = (context: ProcedureContext): boolean =>
  [...context.earlier(), ...context.observed()].some(
    ({ isCall, operation }) => isCall && operation === 'pollingEvents',
  )

async function place(context: ProcedureContext, order: NewOrder = {}): Promise<string> {
  const { orderId } = await context.createOrder({ type: 'DELIVERY', items: 2, ...order })
  return orderId
}

/** Places an order whose CREATED a fault meets; it must meet no other one. */
async function placeUnder(context: ProcedureContext, spec?: FaultSpec): Promise<string> {
  const end = spec === undefined ? () => {} : context.fault(spec)
  const orderId = await place(context)
  end()
  return orderId
}

/** Waits until an order is confirmed, and writes it down then: the service has had its time. */
async function confirmed(context: ProcedureContext, note: string, orderId: string): Promise<void> {
  await untilCalled(context, 'confirmOrder', orderId)
  context.note(note, orderId)
}

/** Lets the confirmation of an order fail; resolves with the end of that, once it has failed. */
async function failsToConfirm(context: ProcedureContext, orderId: string) {
  const end = context.fault({ fail: { operation: 'confirmOrder', order: orderId } })
  await context.until(() => hasCalled(context, 'confirmOrder', orderId), {
    within: stepMs,
    what: `confirmOrder of order ${orderId}`,
  })
  return end
}

const cancel = (context: ProcedureContext, orderId: string): Promise<void> =>
  context.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })

/** The first read of an order fails. */
async function readFails(context: ProcedureContext, orderId: string): Promise<void> {
  context.fault({ fail: { status: 500, operation: 'getOrder', order: orderId, limit: 1 } })
  await confirmed(context, 'read-failed', orderId)
}

/** CANCELLED overtakes CREATED. */
async function cancelledBeforeCreated(context: ProcedureContext, orderId: string): Promise<void> {
  await cancel(context, orderId)
  context.note('cancelled-before-created', orderId)
  await context.sleep(overtakenMs + 2 * watchMs)
}

/** Acknowledgments of the events of an order fail, before they take effect or after it. */
async function acknowledgmentFails(
  context: ProcedureContext,
  effect: 'before' | 'after',
): Promise<void> {
  const orderId = await place(context)
  context.note('acknowledgment-failed', orderId)
  context.fault({ fail: { effect, operation: 'acknowledgeEvents', order: orderId, limit: 2 } })
  await untilDelivered(context, orderId)
}

/** A confirmation fails for long, while another order is there; then it would succeed. */
async function outage(context: ProcedureContext): Promise<void> {
  const orderId = await place(context)
  const end = await failsToConfirm(context, orderId)
  const other = await place(context)
  await Promise.all([confirmed(context, 'beside-an-outage', other), context.sleep(outageMs)])
  end()
  await untilCalled(context, 'confirmOrder', orderId, recoveryMs)
  context.note('outage-over', orderId)
}

/** An order is cancelled, and known to be, while its confirmation fails. */
async function cancelledMeanwhile(context: ProcedureContext): Promise<void> {
  const orderId = await place(context)
  const end = await failsToConfirm(context, orderId)
  await cancel(context, orderId)
  context.note('cancelled-meanwhile', orderId)
  await context.sleep(outageMs)
  end()
}

/** An order is cancelled while its confirmation fails, and the next attempt is the first to hear of it. */
async function refusedAttempt(context: ProcedureContext): Promise<void> {
  const orderId = await place(context)
  const end = await failsToConfirm(context, orderId)
  context.fault({ delay: { event: 'CANCELLED', order: orderId, by: unheardMs } })
  await cancel(context, orderId)
  end()
  await context.sleep(unheardMs)
}

/** Events of an order come again after its end. */
async function eventsAfterTheEnd(context: ProcedureContext): Promise<void> {
  const orderId = await place(context)
  const event = ['CONFIRMED', 'READY_FOR_PICKUP']
  context.fault({ 'duplicate-late': { event, order: orderId, when: 'order-ended' } })
  await untilDelivered(context, orderId)
  await context.sleep(2 * watchMs)
  context.note('event-after-the-end', orderId)
}

async function ordersOfOneCustomer(context: ProcedureContext): Promise<void> {
  const customer = { name: 'Ana Souza', phone: '+5511988887777' }
  const orders = [await place(context, { customer }), await place(context, { customer })]
  await Promise.all(orders.map((orderId) => confirmed(context, 'of-one-customer', orderId)))
}

export const troubledOrderProcedures = defineProcedures(ofService, {
  'troubled-orders': {
    about:
      'lets calls about single orders fail, side by side: reads, acknowledgments, confirmations for 12 s; orders are cancelled meanwhile, or before their CREATED comes; events come after the end; one customer has two orders',
    changes: 'eleven orders, of which three are cancelled',
    async run(context) {
      await context.until(() => isPolling(context), { within: watchMs })
      context.note('begins', 'calls fail from here on')
      // No webhook makes up for what a poll has brought.
      const byPolls = { 'drop-then-deliver': { event: 'CREATED', channel: 'webhook' } }
      const unread = await placeUnder(context, isPolling(context) ? byPolls : undefined)
      const reading = readFails(context, unread)
      // One acknowledgment may name events of several orders: none may fail that names those of this one.
      const acknowledgmentsFail = async (): Promise<void> => {
        await reading
        await atOnce([
          acknowledgmentFails(context, 'before'),
          acknowledgmentFails(context, 'after'),
        ])
      }
      const overtaken = await placeUnder(context, { delay: { event: 'CREATED', by: overtakenMs } })
      await atOnce([
        reading,
        acknowledgmentsFail(),
        cancelledBeforeCreated(context, overtaken),
        outage(context),
        cancelledMeanwhile(context),
        refusedAttempt(context),
        eventsAfterTheEnd(context),
        ordersOfOneCustomer(context),
      ])
      context.note('ends', 'no call fails any more')
    },
  },
  /** A hundred events of one order, of a type that changes nothing and of unknown ones, while another order comes. */
  'event-burst': {
    about: 'emits a hundred events of an order at once, and places another order',
    changes: 'two orders',
    async run(context) {
      const orderId = await placeConfirmed(context, 'burst')
      if (orderId === undefined) return
      for (let count = 0; count < burstSize; count++)
        await context.submit(
          count % 2 === 0
            ? { kind: 'event.emit', orderId, eventType: 'PREPARATION_REQUESTED' }
            : { kind: 'event.invent', orderId, eventType: `X_UNKNOWN_${count}` },
        )
      const other = await place(context)
      await atOnce([confirmed(context, 'beside-a-burst', other), untilDelivered(context, orderId)])
      context.watch(burstMs)
    },
  },
})
