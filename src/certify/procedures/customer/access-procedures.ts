/** Procedures that ask for what a host must refuse: without credentials, without the scope, malformed, unknown. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { anyCustomer, type CertifiedCustomer, endWithoutCustomer } from './existing-customers.ts'
import { isRefusedRecord } from '../../../core/rules/checks/customer/assertions.ts'
import { push, send, sendEither } from './partner.ts'
import {
  customerPayload,
  sampleCustomer,
  sampleEvent,
  sampleLead,
  sampleOrder,
  sampleReview,
} from './samples.ts'
import { lacksCustomerScope } from '../../../core/rules/checks/customer/assertions.ts'

/** Domains without Customer: the scope of one of them may be granted to a partner of Customer. */
const otherDomains = ['orders', 'menu', 'logistics'] as const

/** The operations of the binding with their bodies: an order and a review of it, of one customer. */
function bindingCalls(
  context: ProcedureContext,
  customer: CertifiedCustomer,
): Readonly<Partial<Record<OperationId, () => unknown>>> {
  const orderId = context.unknownId()
  const queries = { getCustomers: () => undefined, getOrdersForCRM: () => undefined }
  const event = {
    receiveCustomerEventByBinding: () =>
      sampleEvent(context, 'customer.updated', {
        payload: customerPayload(customer, ['name']),
      }),
  }
  if (context.role !== 'crm') return { ...queries, ...event }
  return {
    // A customer who is new is pushed before, by whichever path the service has.
    ingestCustomer: () => ({
      customer: customer.isExisting ? customer.record : sampleCustomer(context),
    }),
    ...queries,
    ingestOrdersForCRM: () => ({ order: sampleOrder(context, { id: orderId, customer }) }),
    ...event,
    ingestLead: () => ({ lead: sampleLead(context) }),
    ingestReview: () => ({ review: sampleReview(context, orderId, customer) }),
  }
}

/** Calls with a token of another domain; the first that the service grants. */
async function callWithOtherScope(
  context: ProcedureContext,
  operation: OperationId,
  body: unknown,
): Promise<void> {
  for (const domain of otherDomains) {
    const observed = await send(context, `${operation}-scope`, operation, {
      body,
      token: { scopes: [domain] },
    })
    if (lacksCustomerScope(context.observed(), observed)) return
  }
}

const customerPush = { binding: 'ingestCustomer', flow: 'upsertCustomers' } as const
const leadPush = { binding: 'ingestLead', flow: 'upsertLeads' } as const
const customerQuery = { binding: 'getCustomers', flow: 'listCustomers' } as const
const eventReceiver = {
  binding: 'receiveCustomerEventByBinding',
  flow: 'receiveCustomerEvent',
} as const

const shared = { roles: ['ordering-application', 'crm'], needs: ['customer'] } as const

export const customerAccessProcedures = defineProcedures(shared, {
  'customer-access': {
    about: 'calls every operation of the binding with a token, without one and without its scope',
    changes: 'one customer, lead, order and review of a CRM',
    async run(context) {
      const customer = await anyCustomer(context)
      const isKnown =
        context.role !== 'crm' ||
        customer.isExisting ||
        isAcceptedCall(await push(context, 'known-customer', 'customer', customer.record))
      let isRefused = false
      for (const [name, bodyOf] of Object.entries(bindingCalls(context, customer))) {
        const operation = name as OperationId
        const observed = await send(context, operation, operation, { body: bodyOf() })
        isRefused ||= operation !== 'ingestCustomer' && isRefusedRecord(observed)
        await send(context, `${operation}-none`, operation, { body: bodyOf(), token: 'none' })
        await callWithOtherScope(context, operation, bodyOf())
      }
      await sendEither(
        context,
        'invalid-token',
        { binding: 'getCustomers', flow: 'listCustomers' },
        { token: { value: context.unknownId() } },
      )
      if (!isKnown && isRefused) endWithoutCustomer(context)
    },
  },
  'customer-errors': {
    about: 'sends malformed bodies and parameters, and asks for what does not exist',
    async run(context) {
      const isHostOfPushes = context.role === 'crm'
      const written = isHostOfPushes ? customerPush : eventReceiver
      await sendEither(context, 'unparsable', written, { text: '{"customer": {"id": ' })
      if (isHostOfPushes)
        await sendEither(context, 'unparsable', eventReceiver, { text: '{"event": [' })
      await sendEither(context, 'incomplete-event', eventReceiver, { body: { event: {} } })
      if (isHostOfPushes) {
        await sendEither(context, 'incomplete-customer', customerPush, { body: { customer: {} } })
        for (const missing of ['id', 'source', 'status'] as const) {
          const { contact: _contact, ...lead } = sampleLead(context)
          const rest = Object.fromEntries(Object.entries(lead).filter(([key]) => key !== missing))
          await sendEither(context, 'incomplete-lead', leadPush, { body: { lead: rest } })
        }
      }
      await sendEither(context, 'malformed-query', customerQuery, {
        query: { page: 'first', updatedFrom: 'yesterday' },
      })
      await send(context, 'unknown-path', 'getCustomers', {
        path: `/v1/customer/${context.unknownId()}`,
      })
      await send(context, 'unknown-customer', 'getCustomerById', {
        params: { id: context.unknownId() },
      })
    },
  },
})
