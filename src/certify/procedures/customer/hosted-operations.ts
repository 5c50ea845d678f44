/** The operations of Customer that a role hosts, each by its names in manifests and by its paths. */
import { customerRoles, isRefusedRecord } from '../../../core/rules/checks/customer/assertions.ts'
import { type RecordKind, recordKinds } from '../../../core/protocol/customer/batch.ts'
import { pullOperations, pushOperations } from '../../../core/engine/customer/partner.ts'
import { defineProcedures, type ProcedureContext } from '../../judge/procedure.ts'
import { bodyValue, isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import { anyCustomer, endWithoutCustomer } from './existing-customers.ts'
import { push, send, untilListed, customerFilter } from './partner.ts'
import {
  customerPayload,
  sampleEvent,
  sampleLead,
  sampleLoyaltyEvent,
  sampleOrder,
  sampleReview,
} from './samples.ts'

/**
 * Pushes a record of each kind to the path of the binding and another one to that of the flows; whether something was
 * refused that is of a customer whom the service did not take.
 */
async function pushEach(context: ProcedureContext): Promise<boolean> {
  let isRefused = false
  for (const notation of ['binding', 'flow'] as const) {
    const customer = await anyCustomer(context)
    const order = sampleOrder(context, { id: context.unknownId(), customer })
    const records: Readonly<Record<RecordKind, unknown>> = {
      customer: customer.record,
      lead: sampleLead(context, customer.id),
      order,
      review: sampleReview(context, order.id, customer),
    }
    let { isExisting: isKnown } = customer
    for (const kind of recordKinds) {
      const operation = pushOperations[kind][notation]
      const pushed = await send(context, operation, operation, { body: { [kind]: records[kind] } })
      if (kind === 'customer') isKnown ||= isAcceptedCall(pushed)
      else isRefused ||= !isKnown && isRefusedRecord(pushed)
    }
    context.leaves(`customer ${customer.id} with an order, a lead and a review`)
  }
  return isRefused
}

/** Every list, and one record of each kind by its id where a list has some. */
async function readEach(context: ProcedureContext): Promise<void> {
  const single = { customer: 'getCustomerById', order: 'getOrderById', review: 'getReviewById' }
  for (const kind of recordKinds) {
    const { binding, flow } = pullOperations[kind]
    await send(context, binding, binding)
    const page = await send(context, flow, flow)
    const id = bodyValue(page.reply, '/items/0/id')
    if (typeof id !== 'string') continue
    if (kind === 'customer')
      await send(context, single.customer, 'getCustomerById', { params: { id } })
    if (kind === 'order')
      await send(context, single.order, 'getOrderById', { params: { orderId: id } })
    if (kind === 'review') await send(context, single.review, 'getReviewById', { params: { id } })
  }
}

const shared = { roles: customerRoles, needs: ['customer'] } as const

/** The first procedure with a host of Customer. */
export const operationProcedures = defineProcedures(shared, {
  /** Calls every operation that the documents name, at each of its paths, as its caller does. */
  'customer-operations': {
    about: 'calls every operation of Customer that the service may host, at each of its paths',
    changes: 'two customers, each with an order, a lead and a review',
    async run(context) {
      const anybody = await anyCustomer(context)
      await send(context, 'manifest', 'getManifest')
      let isCustomerMissing = false
      if (context.role === 'crm') {
        isCustomerMissing = await pushEach(context)
        const listed = await anyCustomer(context)
        await push(context, 'listed', 'customer', listed.record)
        await untilListed(context, 'until-listed', 'customer', {
          text: listed.id,
          query: customerFilter(listed),
        })
      }
      await readEach(context)
      for (const operation of [
        'receiveCustomerEvent',
        'receiveCustomerEventByBinding',
        'receiveCustomerEventByFlow',
      ] as const) {
        const body = sampleEvent(context, 'customer.updated', {
          payload: customerPayload(anybody, ['name']),
        })
        await send(context, operation, operation, { body })
      }
      for (const operation of ['receiveLoyaltyEvent', 'receiveLoyaltyEventByFlow'] as const)
        await send(context, operation, operation, { body: sampleLoyaltyEvent(context, anybody.id) })
      if (context.role !== 'crm') return
      for (const operation of [
        'listLoyaltyPrograms',
        'listLoyaltyRewards',
        'listLoyaltyCoupons',
      ] as const)
        await send(context, operation, operation)
      // Without a body it is malformed, and its path is found nevertheless.
      await send(context, 'createLoyaltyRedemption', 'createLoyaltyRedemption', { body: {} })
      if (isCustomerMissing) endWithoutCustomer(context)
    },
  },
})
