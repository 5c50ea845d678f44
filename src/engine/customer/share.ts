/**
 * Telling the other side what became so on this one (CUS-GEN-09, CUS-EVR-02). The CRM announces at once; the Ordering
 * Application collects what is new in its outbox, and shares it within the limits of whoever takes it. A withdrawn
 * consent waits for nothing (CUS-EVR-01).
 */
import { type Area, hasArea } from '../../protocol/customer/conduct.ts'
import type { RecordKind } from '../../protocol/customer/batch.ts'
import { customerEvents } from '../../protocol/customer/events.ts'
import type { Announcement } from '../announcements/announcement.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import type { Settings } from '../settings.ts'
import type { Saved } from './fact.ts'
import { declares, manifestOf } from './partner.ts'
import type { Side } from './side.ts'
import { toldOf } from './resulting-events.ts'
import type { Notice, Told } from './world.ts'

const areaOf: Readonly<Record<Exclude<RecordKind, 'review'>, Area>> = {
  customer: 'customers',
  lead: 'leads',
  order: 'orders',
}

/** Whether this session exchanges records of this kind at all. */
export const exchanges = (entity: RecordKind, { conduct, switchedOff }: Settings): boolean =>
  entity === 'review' ? !switchedOff.has('reviews') : hasArea(conduct.customer, areaOf[entity])

const operations = {
  webhook: 'receiveCustomerEvent',
  binding: 'receiveCustomerEventByBinding',
  flow: 'receiveCustomerEventByFlow',
} as const

/** An event as it goes over the wire: under `event` as the documents have it, or flat as the field does. */
function eventBody(told: Told, eventId: string, { conduct }: Settings): unknown {
  const { eventType, occurredAt, orderId, payload } = told
  const { eventEnvelope, eventIdField } = conduct.customer
  if (eventEnvelope === 'flat')
    return {
      id: eventId,
      eventType,
      occurredAt,
      ...('identifier' in payload ? { customerIdentifier: payload['identifier'] } : {}),
      ...(orderId === undefined ? {} : { orderId }),
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

/** The event made whole, with its id: every try of it carries the same bytes. */
export function announced(side: Side, told: Told, context: Context): Fact {
  const { settings, chance } = context
  const eventId = chance('customer.events').uuid()
  const event: Announcement = {
    eventId,
    eventType: told.eventType,
    from: side.role,
    to: side.partner,
    operation: operations[settings.conduct.customer.eventTarget],
    entityId: told.entityId,
    ...(told.orderId === undefined ? {} : { orderId: told.orderId }),
    ...(told.merchantId === undefined ? {} : { merchantId: told.merchantId }),
    body: eventBody(told, eventId, settings),
  }
  return { kind: 'event.announced', event }
}

/** Whether events may be sent at all: none are where the area is off, or the other side declares no receiver. */
function listens(side: Side, context: Context): boolean {
  if (!hasArea(context.settings.conduct.customer, 'events')) return false
  return (
    manifestOf(side, context).state === 'unknown' ||
    declares(side, ['receiveCustomerEvent'], context)
  )
}

/** Notices put where they wait. The first of them wakes whoever shares. */
export const queued = (notices: readonly Notice[], { world }: Context): readonly Fact[] =>
  notices.length === 0 ? [] : [{ kind: 'relation.queued', notices, wakes: !world.customer.sharing }]

const idOf = (saved: Saved): string => {
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

/** A record that is to be pushed, where this session pushes. */
function toPush(saved: Saved, { settings }: Context): readonly Notice[] {
  const isWhole = saved.entity !== 'order' || saved.order.document !== undefined
  return settings.customerMode !== 'pull' && isWhole && exchanges(saved.entity, settings)
    ? [{ kind: 'record', entity: saved.entity, id: idOf(saved) }]
    : []
}

/** The facts of records that became so here, and of telling the other side. */
export function saidHere(side: Side, all: readonly Saved[], context: Context): readonly Fact[] {
  if (all.length === 0) return []
  const { settings, now, world } = context
  const store = side.store(world)
  const saved = all.map((each): Fact => ({ kind: `${side.word}.saved`, saved: each }))
  const told = listens(side, context)
    ? all
        .filter(({ entity }) => exchanges(entity, settings))
        .flatMap((each) => toldOf(each, store, now))
    : []
  if (side.role === 'crm') return [...saved, ...told.map((each) => announced(side, each, context))]
  const urgent = told.filter(({ eventType }) => eventType === 'customer.opted_out')
  const others = told.filter((each) => !urgent.includes(each))
  return [
    ...saved,
    ...urgent.map((each) => announced(side, each, context)),
    ...queued(
      [
        ...all.flatMap((each) => toPush(each, context)),
        ...others.map((each): Notice => ({ kind: 'event', told: each })),
      ],
      context,
    ),
  ]
}
