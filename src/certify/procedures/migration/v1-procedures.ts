/** What is done with a service that speaks V1, so that the forms come up that V2 has changed. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import type { Role } from '../../../core/protocol/role.ts'
import { v2OperationOf } from '../../../core/protocol/v1/operation-names.ts'
import { bodyValue } from '../../../core/rules/checks/assertion.ts'
import { callForOrder, cancellationReason, newOrder, readOrder } from '../orders/host-orders.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { emittedEvents } from '../../../core/rules/checks/trace.ts'
import { v1Roles } from '../../../core/rules/checks/migration/v1-authentication.ts'

/** How long an order may take to come to its end, and a cancellation to its outcome. */
const orderMs = 60_000
const outcomeMs = 30_000
const effectMs = 2000

const counterpartOf = (role: Role): Role =>
  role === 'ordering-application' ? 'software-service' : 'ordering-application'

/** The call that ends an order: delivered, or picked up. */
const isLastCall = (operation: OperationId | undefined): boolean =>
  operation !== undefined && v2OperationOf(operation) === 'setOrderDelivered'

/** The calls that an order of V1 asks for: by its flags, and by its type. */
function wantedCalls(order: unknown, type: 'DELIVERY' | 'TAKEOUT'): readonly OperationId[] {
  const isFlagged = (flag: string): boolean => bodyValue(order, `/${flag}`) === true
  return [
    ...(isFlagged('sendPreparing') ? (['setOrderPreparing'] as const) : []),
    'setOrderReadyForPickup',
    ...(type === 'DELIVERY' ? (['dispatchOrder'] as const) : []),
    ...(isFlagged('sendDelivered') ? (['setOrderDelivered'] as const) : []),
    ...(isFlagged('sendPickedUp') ? (['setOrderPickedUpV1'] as const) : []),
  ]
}

const confirmation = (context: ProcedureContext, orderId: string) => ({
  createdAt: new Date(context.now()).toISOString(),
  orderExternalCode: orderId.slice(0, 8),
})

const untilEvent = (context: ProcedureContext, orderId: string, type: RegExp): Promise<unknown> =>
  context.until(
    () =>
      emittedEvents(context.observed()).some(
        (event) => event.orderId === orderId && type.test(event.eventType ?? ''),
      ),
    { within: outcomeMs },
  )

const shared = { roles: v1Roles } as const

export const v1Procedures = defineProcedures(shared, {
  'v1-discovery': {
    about: 'looks for a manifest, and asks for a token with a scope of V2',
    async run(context) {
      const as = counterpartOf(context.role)
      await context.call('manifest', { as, operation: 'getManifest' })
      if (context.role === 'ordering-application')
        await context.call('scoped-read', {
          as,
          operation: 'getOrder',
          params: { orderId: context.unknownId() },
          token: { scopes: ['orders'] },
        })
    },
  },
  'v1-served-orders': {
    about: 'has a delivery and a takeout prepared, and offers to cancel another order',
    roles: ['software-service'],
    changes: 'two orders that are prepared, and one that may be cancelled',
    async run(context) {
      const placed: string[] = []
      for (const type of ['DELIVERY', 'TAKEOUT'] as const)
        placed.push((await context.createOrder({ type })).orderId)
      const isServed = (orderId: string): boolean =>
        context
          .observed()
          .some(
            ({ isCall, operation, exchange }) =>
              isCall && exchange.orderId === orderId && isLastCall(operation),
          )
      const isRead = (): boolean =>
        context.observed().some(({ isCall, exchange }) => isCall && exchange.orderId !== undefined)
      if (!(await context.until(isRead, { within: outcomeMs, what: 'a call about an order' })))
        context.skip('it made no call about an order within 30 s')
      await context.until(() => placed.every(isServed), {
        within: orderMs,
        what: 'delivered or pickedUp of each order',
      })
      const { orderId } = await context.createOrder({ type: 'DELIVERY' })
      await context.until(
        () =>
          context.observed().some(({ isCall, exchange }) => isCall && exchange.orderId === orderId),
        { within: outcomeMs },
      )
      await context.submit({ kind: 'handshake.offer', orderId })
      await context.until(
        () =>
          context
            .observed()
            .some(({ isCall, url }) => isCall && /\/(accept|deny)Cancellation$/.test(url.pathname)),
        { within: outcomeMs, what: `acceptCancellation or denyCancellation of order ${orderId}` },
      )
    },
  },
  'v1-hosted-orders': {
    about: 'serves a delivery and a takeout, repeats a confirmation, and asks for a cancellation',
    roles: ['ordering-application'],
    actions: ['two DELIVERY orders, one of which is cancelled there', 'a TAKEOUT order'],
    changes: 'two orders that are served, and two that may be cancelled',
    async run(context) {
      for (const type of ['DELIVERY', 'TAKEOUT'] as const) {
        const { orderId, read } = await newOrder(context, type)
        const body = confirmation(context, orderId)
        await callForOrder(context, 'confirmOrder', orderId, { body })
        await context.sleep(effectMs)
        if (type === 'DELIVERY')
          await callForOrder(context, 'confirmOrder', orderId, { step: 'repeat', body })
        for (const operation of wantedCalls(read.reply, type)) {
          await callForOrder(context, operation, orderId)
          await context.sleep(effectMs)
        }
        await readOrder(context, 'read-last', orderId)
      }
      const { orderId } = await newOrder(context, 'DELIVERY')
      await callForOrder(context, 'requestCancellation', orderId, {
        step: 'request',
        body: { reason: cancellationReason, code: 'UNAVAILABLE_ITEM', mode: 'MANUAL' },
      })
      await untilEvent(context, orderId, /^CANCELLED$|DENIED$/)
      const { orderId: cancelled } = await newOrder(context, 'DELIVERY')
      await context.ask({ kind: 'cancel-order', orderId: cancelled })
      await untilEvent(context, cancelled, /^CANCELLED$|^ORDER_CANCELLATION_REQUEST$/)
    },
  },
})
