/** What makes a service call us: orders that it creates, or that our Ordering Application places. */
import { type OperationId, operations } from '../../../core/protocol/catalogue.ts'
import { type Role, roles } from '../../../core/protocol/role.ts'
import { callForOrder, newOrder } from '../orders/host-orders.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { emittedEvents, type Observed } from '../../../core/rules/checks/trace.ts'
import { lifecycleCalls } from '../../../core/rules/checks/orders/hosted-orders.ts'

/** How long a service may take until it calls, and from then to its next call. */
const firstCallMs = 30_000
const nextCallMs = 5000

/** Calls of a role that change something at us, or hand something over: what it repeats until they succeed. */
export const mutatingCallsOf = (role: Role): readonly OperationId[] =>
  operations.flatMap(({ id, callers, hosts, method, capability }) =>
    method === 'POST' &&
    capability !== 'auth' &&
    id !== 'acknowledgeEvents' &&
    id !== 'checkDeliveryAvailability' &&
    callers.includes(role) &&
    hosts.some((host) => host !== role)
      ? [id]
      : [],
  )

/** Gives the service something to do, each time something else. */
export function createStimulus(context: ProcedureContext): () => Promise<void> {
  let order: { readonly id: string; readonly left: OperationId[] } | undefined
  return async () => {
    if (context.role !== 'ordering-application') {
      await context.createOrder({ type: 'DELIVERY' })
      return
    }
    const step = order?.left.shift()
    if (order && step !== undefined) {
      await callForOrder(context, step, order.id)
      return
    }
    const { orderId } = await newOrder(context, 'DELIVERY')
    order = { id: orderId, left: [...lifecycleCalls] }
  }
}

/** Calls of the service of these operations, in the time of the procedure. */
export const callsObserved = (
  context: ProcedureContext,
  ids: readonly OperationId[],
): readonly Observed[] =>
  context
    .observed()
    .filter(({ isCall, operation }) => isCall && operation !== undefined && ids.includes(operation))

const shared = { roles } as const

/** What makes a service call us. */
export const activityProcedures = defineProcedures(shared, {
  activity: {
    about: 'has an order placed and confirmed, so that the service makes calls of its own',
    actions: ['a DELIVERY order'],
    changes: 'one DELIVERY order, which is confirmed and goes on by itself',
    async run(context) {
      const stimulate = createStimulus(context)
      await stimulate()
      if (context.role === 'ordering-application') await stimulate()
      const calls = mutatingCallsOf(context.role)
      const has = (count: number) => () => callsObserved(context, calls).length >= count
      if (await context.until(has(1), { within: firstCallMs, what: 'a call of the service' }))
        await context.until(has(2), { within: nextCallMs, what: 'its second call' })
      if (context.role !== 'ordering-application') return
      await context.until(() =>
        emittedEvents(context.observed()).some(({ eventType }) => eventType === 'CONFIRMED'),
      )
      if (context.capabilities.includes('customer'))
        await context.until(() =>
          callsObserved(context, calls).some(({ exchange }) => exchange.to.role === 'crm'),
        )
    },
  },
})
