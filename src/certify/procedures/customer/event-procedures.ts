/** Procedures that hand events over to a service: of customers, consents, orders and loyalty accounts. */
import type { UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { lacksData } from '../../judge/certification-data.ts'
import { newOrder, readOrder } from '../orders/host-orders.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { existingCustomer, knownToCrm } from './existing-customers.ts'
import { customerFilter, listRecords, send, sendEither, untilListed } from './partner.ts'
import { customerPayload, sampleEvent, sampleLoyaltyEvent } from './samples.ts'

const receiver = {
  binding: 'receiveCustomerEventByBinding',
  flow: 'receiveCustomerEvent',
} as const

const sendEvent = (context: ProcedureContext, step: string, body: unknown) =>
  sendEither(context, step, receiver, { body })

/** A customer whom the service knows: one that we push, or one of its own. */
async function knownCustomer(context: ProcedureContext): Promise<UnknownRecord | undefined> {
  if (context.role === 'crm') {
    const customer = await knownToCrm(context, 'known')
    context.leaves(`customer ${customer.id}`)
    return untilListed(context, 'known-listed', 'customer', {
      text: customer.contacts.email ?? customer.id,
      query: customerFilter(customer),
    })
  }
  const [first] = await listRecords(context, 'known', 'customer')
  if (first) return first
  await newOrder(context, 'DELIVERY')
  return untilListed(context, 'known-listed', 'customer', { text: '' })
}

/** What names a customer in an event. */
const namesOf = ({ id, identifier, externalIds }: UnknownRecord) => ({
  customerId: id,
  identifier,
  externalIds,
  changedFields: ['consent.marketing'],
})

const secondMs = 1000

const shared = { roles: ['ordering-application', 'crm'], needs: ['customer'] } as const

export const customerEventProcedures = defineProcedures(shared, {
  'customer-events': {
    about:
      'hands over events of customers and loyalty accounts, at each path, and one of them again',
    changes: 'one customer, where the service keeps those of events',
    async run(context) {
      await send(context, 'manifest', 'getManifest')
      const identifier = { type: 'email', value: `${context.unknownId()}@example.org` } as const
      const payload = customerPayload({ id: context.unknownId(), identifier, externalIds: [] })
      context.note('event-customer', identifier.value)
      const created = sampleEvent(context, 'customer.created', { payload })
      await sendEvent(context, 'identifier-only', created)
      await sendEvent(context, 'repeated', created)
      await listRecords(context, 'after-repeated', 'customer', customerFilter({ identifier }))
      for (const operation of ['receiveCustomerEventByBinding', 'receiveCustomerEvent'] as const) {
        const body = sampleEvent(context, 'customer.updated', { payload })
        await send(context, operation, operation, { body })
      }
      const loyalty = sampleLoyaltyEvent(context, context.data.customers[0] ?? payload.customerId)
      await send(context, 'receiveLoyaltyEvent', 'receiveLoyaltyEvent', { body: loyalty })
      context.leaves(`customer ${identifier.value}`)
    },
  },
  'customer-consents': {
    about:
      'tells that a customer has withdrawn the consent to marketing, and later of an older consent',
    changes: 'the consent of one customer',
    async run(context) {
      const input = await existingCustomer(context)
      const customer = input?.record ?? (await knownCustomer(context))
      const filter = input && customerFilter(input)
      const id = customer?.['id']
      if (!customer || typeof id !== 'string') {
        context.skip(lacksData('it lists no customer', 'customers'))
        return
      }
      const payload = namesOf(customer)
      await send(context, 'known-by-id', 'getCustomerById', { params: { id } })
      await context.sleep(3 * secondMs)
      const now = context.now()
      context.note('known-customer', id)
      const optIn = (ms: number) =>
        sampleEvent(context, 'customer.opted_in', { payload, at: now - ms })
      await sendEvent(context, 'opted-in', optIn(2 * secondMs))
      await sendEvent(context, 'opted-out', sampleEvent(context, 'customer.opted_out', { payload }))
      await listRecords(context, 'after-opted-out', 'customer', filter)
      await sendEvent(context, 'late-opted-in', optIn(secondMs))
      await listRecords(context, 'after-late-opted-in', 'customer', filter)
      context.leaves(`customer ${id} without the consent to marketing`)
    },
  },
  /** What a CRM says about an order changes nothing of the order itself. */
  'order-facts': {
    about:
      'tells the service that an order of its own is cancelled and completed, in relationship context',
    roles: ['ordering-application'],
    needs: ['customer', 'orders'],
    actions: ['an order'],
    changes: 'one order, which stays open',
    async run(context) {
      const { orderId } = await newOrder(context, 'DELIVERY')
      await readOrder(context, 'before', orderId)
      for (const eventType of ['order.canceled', 'order.completed'] as const)
        await sendEvent(
          context,
          eventType,
          sampleEvent(context, eventType, { payload: { orderId } }),
        )
      await context.sleep(secondMs)
      await readOrder(context, 'after', orderId)
      await context.call('post-orders', {
        as: 'software-service',
        method: 'POST',
        path: '/orders',
        body: { id: context.unknownId() },
      })
      context.leaves(`order ${orderId}`)
    },
  },
})
