/**
 * Announces the changes of one side to the other (CUS-GEN-09, CUS-EVR-02). The CRM announces at once; the Ordering
 * Application puts changes in its outbox and sends them within the receiver's limits. A withdrawn consent bypasses the
 * outbox (CUS-EVR-01).
 */
import { compact } from '../../base/compact.ts'
import { type CustomerArea, hasArea } from '../../protocol/customer/conduct.ts'
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { customerEvents, type CustomerEventType } from '../../protocol/customer/events.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import type { Announcement } from '../announcements/announcement.ts'
import type { CallIntent } from '../calls/call.ts'
import type { DecisionContext } from '../decision.ts'
import { newEventId } from '../emitted-event.ts'
import type { Fact } from '../fact.ts'
import type { Settings } from '../settings.ts'
import { partnerDeclares, partnerManifest } from './partner.ts'
import type { CustomerSide } from './side.ts'
import type {
  CustomerEventDraft,
  CustomerRecord,
  CustomerStore,
  OutboxEntry,
  SavedRecord,
  SavedRecordOf,
} from './world.ts'
import { type Instant, isoOf } from '../instant.ts'
import { customerById } from './store.ts'

// The events that follow from saved records, each with the time of the change (CUS-EVT-03 to 10,
// REV-EVT-01).

/** The keys by which a receiver finds the customer in its own store: our id may be unknown to it (CUS-OVR-09). */
export const customerReference = ({ document }: CustomerRecord) => ({
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

const eventByOutcome = {
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
    ...((isNew && order.fate !== 'created') || turned ? [draft(eventByOutcome[order.fate])] : []),
  ]
}

/** The events of one saved record, dated now. */
function eventsOfSaved(
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

const areaOf: Readonly<Record<Exclude<RecordKind, 'review'>, CustomerArea>> = {
  customer: 'customers',
  lead: 'leads',
  order: 'orders',
}

/** Whether this session exchanges records of this kind. */
export const exchangesRecords = (entity: RecordKind, { conduct, switchedOff }: Settings): boolean =>
  entity === 'review' ? !switchedOff.has('reviews') : hasArea(conduct.customer, areaOf[entity])

const operationByTarget = {
  webhook: 'receiveCustomerEvent',
  binding: 'receiveCustomerEventByBinding',
  flow: 'receiveCustomerEventByFlow',
} as const

/** Event body on the wire: under `event` as in the documents, or flat as implementations in the field send it. */
function eventBody(draft: CustomerEventDraft, eventId: string, { conduct }: Settings): unknown {
  const { eventType, occurredAt, orderId, payload } = draft
  const { eventEnvelope, eventIdField } = conduct.customer
  if (eventEnvelope === 'flat')
    return {
      id: eventId,
      eventType,
      occurredAt,
      ...('identifier' in payload ? { customerIdentifier: payload['identifier'] } : {}),
      ...compact({ orderId }),
      payload,
    }
  const { entity } = customerEvents[eventType]
  return {
    event: {
      ...(eventIdField === false ? {} : { [eventIdField]: eventId }),
      eventType,
      entityType: entity,
      occurredAt,
      payload,
    },
  }
}

/** Whether the partner has a name for events of this type; the others are not sent. */
const hasWireName = (type: CustomerEventType, { conduct }: Settings): boolean =>
  bodyTranslator(conduct)?.hasWord(
    operationByTarget[conduct.customer.eventTarget],
    'eventType',
    type,
  ) ?? true

/** A call that hands over an event which nothing in the world announces. */
export const customerEventCall = (
  side: CustomerSide,
  draft: CustomerEventDraft,
  eventId: string,
  { settings }: DecisionContext,
): CallIntent => ({
  from: side.role,
  to: side.partner,
  operation: operationByTarget[settings.conduct.customer.eventTarget],
  body: eventBody(draft, eventId, settings),
  attempt: 1,
})

/** The complete event with its id: every retry carries the same bytes. */
export function announceCustomerEvent(
  side: CustomerSide,
  draft: CustomerEventDraft,
  context: DecisionContext,
): Fact {
  const { settings, chance } = context
  const eventId = newEventId(chance('customer.events'))
  const event: Announcement = {
    eventId,
    eventType: draft.eventType,
    from: side.role,
    to: side.partner,
    operation: operationByTarget[settings.conduct.customer.eventTarget],
    entityId: draft.entityId,
    ...compact({ orderId: draft.orderId, merchantId: draft.merchantId }),
    body: eventBody(draft, eventId, settings),
  }
  return { kind: 'event.announced', event }
}

/** Whether events may be sent: not if the area is off or the other side declares no receiver. */
function acceptsEvents(side: CustomerSide, context: DecisionContext): boolean {
  if (!hasArea(context.settings.conduct.customer, 'events')) return false
  return (
    partnerManifest(side, context).state === 'unknown' ||
    partnerDeclares(side, ['receiveCustomerEvent'], context)
  )
}

/** Adds entries to the outbox; `wakes` when no flush is scheduled yet. */
export const enqueueEntries = (
  entries: readonly OutboxEntry[],
  { world }: DecisionContext,
): readonly Fact[] =>
  entries.length === 0
    ? []
    : [{ kind: 'relation.queued', notices: entries, wakes: !world.customer.isFlushPlanned }]

const idOf = (saved: SavedRecord): string => {
  switch (saved.entity) {
    case 'customer':
      return saved.customer.document.id
    case 'lead':
      return saved.lead.id
    case 'order':
      return saved.order.id
    case 'review':
      return saved.review.id
    default:
      return saved satisfies never
  }
}

/** The outbox entry of a saved record; none if this session does not push it. */
function pushEntries(saved: SavedRecord, { settings }: DecisionContext): readonly OutboxEntry[] {
  const isWhole = saved.entity !== 'order' || saved.order.document !== undefined
  return settings.customerMode !== 'pull' && isWhole && exchangesRecords(saved.entity, settings)
    ? [{ kind: 'record', entity: saved.entity, id: idOf(saved) }]
    : []
}

/** Facts that save records on this side and announce them to the other. */
export function saveAndAnnounce(
  side: CustomerSide,
  all: readonly SavedRecord[],
  context: DecisionContext,
): readonly Fact[] {
  if (all.length === 0) return []
  const { settings, now, world } = context
  const store = side.store(world)
  const saved = all.map((each): Fact => ({ kind: `${side.prefix}.saved`, saved: each }))
  const drafts = acceptsEvents(side, context)
    ? all
        .filter(({ entity }) => exchangesRecords(entity, settings))
        .flatMap((each) => eventsOfSaved(each, store, now))
        .filter(({ eventType }) => hasWireName(eventType, settings))
    : []
  if (side.role === 'crm')
    return [...saved, ...drafts.map((each) => announceCustomerEvent(side, each, context))]
  const withdrawals = drafts.filter(({ eventType }) => eventType === 'customer.opted_out')
  const others = drafts.filter((each) => !withdrawals.includes(each))
  return [
    ...saved,
    ...withdrawals.map((each) => announceCustomerEvent(side, each, context)),
    ...enqueueEntries(
      [
        ...all.flatMap((each) => pushEntries(each, context)),
        ...others.map((each): OutboxEntry => ({ kind: 'event', told: each })),
      ],
      context,
    ),
  ]
}
