/** The events that follow from what was saved, each with the time at which it became so (CUS-EVT-03 to 10, REV-EVT-01). */
import type { CustomerEventType } from '../../protocol/customer/events.ts'
import { type Instant, isoOf } from '../instant.ts'
import type { Saved } from './fact.ts'
import { customerById } from './store.ts'
import type { CustomerRecord, CustomerStore, Told } from './world.ts'

/** How a receiver finds the customer in a store of its own: our id may mean nothing to it (CUS-OVR-09). */
const whoIs = ({ document }: CustomerRecord) => ({
  customerId: document.id,
  identifier: document.identifier,
  externalIds: document.externalIds,
})

function ofCustomer(
  { customer, isNew, changed }: Extract<Saved, { entity: 'customer' }>,
  occurredAt: string,
): readonly Told[] {
  const { id, consent } = customer.document
  const told = (eventType: CustomerEventType, changedFields: readonly string[]): Told => ({
    eventType,
    occurredAt,
    entityId: id,
    customerId: id,
    payload: { ...whoIs(customer), changedFields },
  })
  const ofConsent = changed.filter((path) => path === 'consent' || path.startsWith('consent.'))
  const others = changed.filter((path) => !ofConsent.includes(path))
  const isSaid = ofConsent.includes('consent') || ofConsent.includes('consent.marketing')
  const opted = consent?.marketing ? 'customer.opted_in' : 'customer.opted_out'
  // A customer who never said yes has not taken it back.
  const tells = isSaid && consent?.marketing !== undefined && (consent.marketing || !isNew)
  return [
    ...(isNew ? [told('customer.created', others)] : []),
    ...(!isNew && others.length > 0 ? [told('customer.updated', others)] : []),
    ...(tells ? [told(opted, ['consent.marketing'])] : []),
  ]
}

const eventOfFate = {
  created: 'order.created',
  completed: 'order.completed',
  canceled: 'order.canceled',
} as const

function ofOrder(
  { order, isNew, turned }: Extract<Saved, { entity: 'order' }>,
  occurredAt: string,
  store: CustomerStore,
): readonly Told[] {
  const { id, customerId, merchantId, amount } = order
  const customer = customerId === undefined ? undefined : customerById(customerId, store)
  const told = (eventType: CustomerEventType): Told => ({
    eventType,
    occurredAt,
    entityId: id,
    orderId: id,
    ...(customerId === undefined ? {} : { customerId }),
    ...(merchantId === undefined ? {} : { merchantId }),
    payload: {
      orderId: id,
      ...(customer ? whoIs(customer) : {}),
      ...(merchantId === undefined ? {} : { merchantId }),
      ...(amount === undefined ? {} : { totalAmount: amount }),
    },
  })
  return [
    ...(isNew ? [told('order.created')] : []),
    ...((isNew && order.fate !== 'created') || turned ? [told(eventOfFate[order.fate])] : []),
  ]
}

/** What is to be told of a record that was saved here and now. */
export function toldOf(saved: Saved, store: CustomerStore, now: Instant): readonly Told[] {
  const occurredAt = isoOf(now)
  switch (saved.entity) {
    case 'customer':
      return ofCustomer(saved, occurredAt)
    case 'order':
      return ofOrder(saved, occurredAt, store)
    case 'lead': {
      const { id, customerId } = saved.lead
      const about = customerId === undefined ? {} : { customerId }
      const payload = { leadId: id, ...about }
      return saved.isNew
        ? [{ eventType: 'lead.created', occurredAt, entityId: id, ...about, payload }]
        : []
    }
    case 'review': {
      const { id, customerId, document } = saved.review
      const orderId = document.orderId ?? undefined
      const about = {
        ...(customerId === undefined ? {} : { customerId }),
        ...(orderId === undefined ? {} : { orderId }),
      }
      const payload = { reviewId: id, ...about }
      return saved.isNew
        ? [{ eventType: 'review.created', occurredAt, entityId: id, ...about, payload }]
        : []
    }
    default:
      return saved satisfies never
  }
}
