/**
 * Procedures with a service as a host: broken requests, unknown ids, reads that are repeated, calls that are repeated.
 */
import {
  type CatalogueRow,
  isWebhookOperation,
  type OperationId,
} from '../../../core/protocol/catalogue.ts'
import type { Operation } from '../../../core/protocol/operation.ts'
import { roles } from '../../../core/protocol/role.ts'
import { callForOrder, newOrder, untilStatus } from '../orders/host-orders.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import type { Observed } from '../../../core/rules/checks/trace.ts'
import { readManifest } from './access-procedures.ts'
import { callOfNothing, firstCaller, isAboutOneThing, protectedOperations } from './callers.ts'

/** Reads of one thing, which answer 404 where there is none. */
const readsOfOneThing: ReadonlySet<OperationId> = new Set([
  'getOrder',
  'getAccountById',
  'getDelivery',
  'getCustomerById',
  'getOrderById',
  'getReviewById',
  'getLoyaltyProgramById',
  'getLoyaltyAccountById',
])

/** Operations of each kind that are tried at most. */
const maxTried = 6

/** How long a service may take until it has something that can be repeated. */
const acceptedMs = 30_000

const isAccepted = ({ isCall, status }: Observed): boolean =>
  !isCall && status >= 200 && status < 300

const isWebhook = ({ operation: id }: Observed): boolean => isWebhookOperation(id)

/** Hands an event over that the service has accepted before. */
async function repeatEvent(context: ProcedureContext): Promise<void> {
  const event = await context.until(
    () => context.observed().find((each) => isAccepted(each) && isWebhook(each)),
    { within: acceptedMs, what: 'an event that the service accepts' },
  )
  const { operation: id, exchange } = event ?? context.skip('it accepts no event')
  if (id === undefined || exchange.request.body === undefined) return
  await context.call('repeat-event', {
    as: exchange.from.role,
    operation: id,
    text: exchange.request.body,
  })
}

async function repeatConfirmation(context: ProcedureContext): Promise<void> {
  const order = await newOrder(context, 'DELIVERY')
  const { orderId } = order
  await callForOrder(context, 'confirmOrder', orderId, { step: 'first-confirmOrder' })
  if ((await untilStatus(context, [order], () => 'CONFIRMED')).length > 0)
    await callForOrder(context, 'confirmOrder', orderId, { step: 'repeat-confirmOrder' })
}

async function repeatReadiness(context: ProcedureContext): Promise<void> {
  await context.createOrder({ type: 'DELIVERY' })
  const created = await context.until(
    () =>
      context.observed().find((each) => isAccepted(each) && each.operation === 'createDelivery'),
    { within: acceptedMs, what: 'createDelivery that the service accepts' },
  )
  const orderId = created?.exchange.orderId ?? bodyOrderId(created)
  if (typeof orderId !== 'string') return context.skip('it accepts no delivery')
  const call = (step: string, id: OperationId): Promise<Observed> =>
    context.call(step, {
      as: 'ordering-application',
      operation: id,
      params: { orderId },
      body: {},
    })
  await call('too-early/setDeliveryDelivered', 'setDeliveryDelivered')
  const ready = await call('first-setDeliveryReadyForPickup', 'setDeliveryReadyForPickup')
  if (ready.status === 202)
    await call('repeat-setDeliveryReadyForPickup', 'setDeliveryReadyForPickup')
}

const bodyOrderId = (created: Observed | undefined): unknown =>
  typeof created?.request === 'object' && created.request !== null
    ? Reflect.get(created.request, 'orderId')
    : undefined

const shared = { roles } as const

export const hostProcedures = defineProcedures(shared, {
  'broken-requests': {
    isMisuse: true,
    about:
      'sends bodies that are no JSON, reads ids that do not exist, and uses methods that no path has',
    async run(context) {
      const rows = protectedOperations(context, await readManifest(context))
      const withBody = rows.filter(
        (row: Operation) => row.request !== undefined && !isAboutOneThing(row),
      )
      for (const row of withBody.slice(0, maxTried)) {
        const { as, operation: id } = callOfNothing(row, context)
        await context.call(`unparsable/${row.id}`, { as, operation: id ?? row.id, text: '{"cut' })
      }
      const readsOfNothing = rows.filter(({ id }) => readsOfOneThing.has(id))
      for (const row of readsOfNothing.slice(0, maxTried))
        await context.call(`unknown-id/${row.id}`, callOfNothing(row, context))
      const as = firstCaller(context.role)
      await context.call('unlisted-method/delete', { as, method: 'DELETE', path: '/merchants' })
      await context.call('unlisted-method/put', { as, method: 'PUT', path: '/merchants', body: {} })
    },
  },
  'repeated-reads': {
    about: 'makes each read twice',
    async run(context) {
      const rows = protectedOperations(context, await readManifest(context))
      const reads = rows.filter(
        (row: CatalogueRow) =>
          row.method === 'GET' && !isAboutOneThing(row) && row.id !== 'pollingEvents',
      )
      for (const row of reads)
        for (const step of ['first', 'second'])
          await context.call(`${step}/${row.id}`, callOfNothing(row, context))
    },
  },
  repeats: {
    about: 'makes calls again that the service has accepted',
    actions: ['a DELIVERY order'],
    changes: 'one DELIVERY order, and what follows from it',
    async run(context) {
      switch (context.role) {
        case 'ordering-application':
          return repeatConfirmation(context)
        case 'delivery-platform':
          return repeatReadiness(context)
        default:
          await context.createOrder({ type: 'DELIVERY' })
          return repeatEvent(context)
      }
    },
  },
})
