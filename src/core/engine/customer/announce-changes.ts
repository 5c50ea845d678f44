/**
 * Announces the changes of one side to the other (CUS-GEN-09, CUS-EVR-02). The CRM announces at once; the Ordering
 * Application puts changes in its outbox and sends them within the receiver's limits. A withdrawn consent bypasses the
 * outbox (CUS-EVR-01).
 */
import { compact } from '../../base/compact.ts'
import { type CustomerArea, hasArea } from '../../protocol/customer/conduct.ts'
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { type CustomerEventType, customerEvents } from '../../protocol/customer/events.ts'
import { bodyTranslator } from '../../protocol/translation/translator.ts'
import type { Announcement } from '../announcements/announcement.ts'
import type { DecisionContext } from '../decision.ts'
import { newEventId } from '../event-id.ts'
import type { Fact } from '../fact.ts'
import type { Settings } from '../settings.ts'
import { partnerDeclares, partnerManifest } from './partner.ts'
import type { CustomerSide } from './side.ts'
import { eventsOfSaved } from './resulting-events.ts'
import type { OutboxEntry, CustomerEventDraft, SavedRecord } from './world.ts'

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
