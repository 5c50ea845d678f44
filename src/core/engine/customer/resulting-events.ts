/** The events that follow from saved records, each with the time of the change (CUS-EVT-03 to 10, REV-EVT-01). */
import { compact } from '../../base/compact.ts'
import type { CustomerEventType } from '../../protocol/customer/events.ts'
import { type Instant, isoOf } from '../instant.ts'
import { customerById } from './store.ts'
import type {
  CustomerRecord,
  CustomerStore,
  CustomerEventDraft,
  SavedRecord,
  SavedRecordOf,
} from './world.ts'

/** The keys by which a receiver finds the customer in its own store: our id may be unknown to it (CUS-OVR-09). */
const customerReference = ({ document }: CustomerRecord) => ({
  customerId: document.id,
  identifier: document.identifier,
  externalIds: document.externalIds,
})

function customerEventsOf(
  { customer, isNew, changed }: SavedRecordOf<'customer'>,
  occurredAt: string,
): readonly CustomerEventDraft[] {
  const { id, consent } = customer.document
  const draft = (
    eventType: CustomerEventType,
    changedFields: readonly string[],
  ): CustomerEventDraft => ({
    eventType,
    occurredAt,
    entityId: id,
    customerId: id,
    payload: { ...customerReference(customer), changedFields },
  })
  const consentPaths = changed.filter((path) => path === 'consent' || path.startsWith('consent.'))
  const otherPaths = changed.filter((path) => !consentPaths.includes(path))
  const hasMarketingChange =
    consentPaths.includes('consent') || consentPaths.includes('consent.marketing')
  const optEvent = consent?.marketing ? 'customer.opted_in' : 'customer.opted_out'
  // A new customer without consent has not withdrawn any.
  const isAnnounced =
    hasMarketingChange && consent?.marketing !== undefined && (consent.marketing || !isNew)
  return [
    ...(isNew ? [draft('customer.created', otherPaths)] : []),
    ...(!isNew && otherPaths.length > 0 ? [draft('customer.updated', otherPaths)] : []),
    ...(isAnnounced ? [draft(optEvent, ['consent.marketing'])] : []),
  ]
}

const eventByFate = {
  created: 'order.created',
  completed: 'order.completed',
  canceled: 'order.canceled',
} as const

function orderEventsOf(
  { order, isNew, turned }: SavedRecordOf<'order'>,
  occurredAt: string,
  store: CustomerStore,
): readonly CustomerEventDraft[] {
  const { id, customerId, merchantId, amount } = order
  const customer = customerId === undefined ? undefined : customerById(customerId, store)
  const draft = (eventType: CustomerEventType): CustomerEventDraft => ({
    eventType,
    occurredAt,
    entityId: id,
    orderId: id,
    ...compact({ customerId, merchantId }),
    payload: {
      orderId: id,
      ...(customer ? customerReference(customer) : {}),
      ...compact({ merchantId, totalAmount: amount }),
    },
  })
  return [
    ...(isNew ? [draft('order.created')] : []),
    ...((isNew && order.fate !== 'created') || turned ? [draft(eventByFate[order.fate])] : []),
  ]
}

/** The events of one saved record, dated now. */
export function eventsOfSaved(
  saved: SavedRecord,
  store: CustomerStore,
  now: Instant,
): readonly CustomerEventDraft[] {
  const occurredAt = isoOf(now)
  switch (saved.entity) {
    case 'customer':
      return customerEventsOf(saved, occurredAt)
    case 'order':
      return orderEventsOf(saved, occurredAt, store)
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
      const about = compact({ customerId, orderId })
      const payload = { reviewId: id, ...about }
      return saved.isNew
        ? [{ eventType: 'review.created', occurredAt, entityId: id, ...about, payload }]
        : []
    }
    default:
      return saved satisfies never
  }
}
