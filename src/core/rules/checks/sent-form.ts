/** Bodies that procedures send, in the form in which a client of the dialect writes them. */
import { availabilityRequestBody, creationRequestBody } from '../../engine/logistics/requests.ts'
import { pushOperations } from '../../engine/customer/partner.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Conduct } from '../../protocol/conduct.ts'
import { batchKeys, ingestBodyOf, recordKinds } from '../../protocol/customer/batch.ts'
import { type CustomerDocument, customerView } from '../../protocol/customer/customer-view.ts'
import { toReducedOrder } from '../../protocol/customer/related-order.ts'
import { Order } from '../../protocol/orders/order.ts'
import { readDeliveryPlaces } from '../../protocol/logistics/place.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'

/** A customer of the documents, as far as it is whole, with typed lists. */
function withLists(customer: UnknownRecord): UnknownRecord {
  const { id, identifier, externalIds, consent, createdAt, updatedAt, status, ...fields } = customer
  if (!isUnknownRecord(identifier) || !Array.isArray(externalIds)) return customer
  const document = { id, identifier, externalIds, consent, createdAt, updatedAt, fields }
  const { status: written, ...view } = customerView(
    { document: document as unknown as CustomerDocument, status: 'active' },
    { customerShape: 'lists', statusField: 'status' },
  )
  return status === undefined ? view : { ...view, status: written }
}

/** An order with the fields of the reduced record besides its own. */
function withReduced(order: UnknownRecord): UnknownRecord {
  const parsed = Order.safeParse(order)
  if (!parsed.success) return order
  const { items = [], customer, ...reduced } = toReducedOrder(parsed.data, undefined)
  return {
    ...reduced,
    ...order,
    ...(parsed.data.customer ? { customer: { ...parsed.data.customer, ...customer } } : {}),
    items: parsed.data.items.map((item, index) => ({ ...items?.[index], ...item })),
  }
}

/** A question or an order for a delivery, where it is whole, with what the public standard requires besides. */
function withGoods(id: OperationId, body: UnknownRecord, form: Conduct['logistics']): unknown {
  const { orderId, pickup, dropoff } = body
  if (!form.publishedFields || !isUnknownRecord(pickup) || !isUnknownRecord(dropoff)) return body
  const demand = {
    ...readDeliveryPlaces(body),
    orderId: typeof orderId === 'string' ? orderId : '',
  }
  const written =
    id === 'createDelivery'
      ? creationRequestBody(demand, form)
      : availabilityRequestBody(demand, form)
  const own = id === 'createDelivery' && !('merchant' in body) ? { merchant: undefined } : {}
  return { ...body, ...written, orderId, ...own }
}

const isEvent = (id: OperationId): boolean => /^receive(Customer|Loyalty)Event/.test(id)

/** The body that a procedure has in the documents’ form, before its words are translated. */
export function sentForm(id: OperationId, body: unknown, conduct: Conduct): unknown {
  const { customer, loyalty, logistics } = conduct
  if (!isUnknownRecord(body)) return body
  if (id === 'createDelivery' || id === 'checkDeliveryAvailability')
    return withGoods(id, body, logistics)
  const { event } = body
  const isFlat = id.startsWith('receiveLoyalty')
    ? loyalty.eventBody === 'flat'
    : customer.eventEnvelope === 'flat'
  if (isEvent(id) && isFlat && isUnknownRecord(event)) return event
  const kind = recordKinds.find((each) => Object.values(pushOperations[each]).includes(id))
  if (kind === undefined) return body
  const keys = batchKeys[kind]
  const several = body[keys.many]
  const records = keys.one in body ? [body[keys.one]] : Array.isArray(several) ? several : []
  if (records.length === 0 || !records.every(isUnknownRecord)) return body
  const written = records.map((record: UnknownRecord) =>
    kind === 'customer' && customer.customerShape === 'lists'
      ? withLists(record)
      : kind === 'order' && customer.orderShape === 'reduced'
        ? withReduced(record)
        : record,
  )
  return ingestBodyOf(written, keys, customer)
}
