/**
 * Receives a Customer event (CUS-EVT-02): deduplicated by key and applied as data only (CUS-EVT-01). A received event is
 * never announced again, or two sides would send each other the same change for ever.
 */
import { compact } from '../../base/compact.ts'
import { eventDeduplicationKey, type ReceivedCustomerEvent } from '../../protocol/customer/event.ts'
import { type CustomerEventType, customerEventTypeOf } from '../../protocol/customer/events.ts'
import type { OrderFate } from '../../protocol/customer/related-order.ts'
import { customerStep } from '../../protocol/customer/lifecycle.ts'
import { ok } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { consentStateOf, withConsent } from './consent.ts'
import { changeCustomer, mergeCustomer } from './merge.ts'
import { createMergeContext } from './merge-context.ts'
import { changeOrderFate } from './records.ts'
import type { CustomerSide } from './side.ts'
import { findCustomer, customerKeys } from './store.ts'
import type { CustomerRecord, EarlyConsent, SavedRecord } from './world.ts'

/** The marketing consent in an event; the field's `customer.consent.updated` has it in its payload. */
function marketingOf({ eventType, payload }: ReceivedCustomerEvent): boolean | undefined {
  if (eventType === 'customer.opted_in') return true
  if (eventType === 'customer.opted_out') return false
  if (eventType !== 'customer.consent.updated') return undefined
  const { marketing, status } = payload
  if (typeof marketing === 'boolean') return marketing
  if (status === 'opt_in') return true
  return status === 'opt_out' || status === 'revoked' ? false : undefined
}

const fateByEventType: Readonly<Partial<Record<CustomerEventType, OrderFate>>> = {
  'order.created': 'created',
  'order.completed': 'completed',
  'order.canceled': 'canceled',
}

/** The customer of an event: by identifier, external ids, or the sender's id. */
const customerOfEvent = (
  { customerId: id, identifier, externalIds }: ReceivedCustomerEvent,
  side: CustomerSide,
  { world }: DecisionContext,
): CustomerRecord | undefined =>
  findCustomer({ id, identifier, externalIds }, side.partner, side.store(world))

/** A new customer from an event may have an identifier alone (CUS-OVR-08). */
function createFromEvent(
  event: ReceivedCustomerEvent,
  side: CustomerSide,
  context: DecisionContext,
): readonly SavedRecord[] {
  const { customerId, identifier, externalIds } = event
  if (!identifier) return []
  const data = {
    ...compact({ id: customerId }),
    identifier,
    externalIds,
    fields: {},
  }
  const saved = mergeCustomer(data, createMergeContext(side, side.partner, context))
  return saved ? [saved] : []
}

function applyOrderEvent(
  event: ReceivedCustomerEvent,
  fate: OrderFate,
  side: CustomerSide,
  context: DecisionContext,
): readonly SavedRecord[] {
  const { orderId } = event
  if (orderId === undefined) return []
  const { now, settings, world } = context
  const customer = customerOfEvent(event, side, context)
  const customerId = customer?.document.id
  const store = side.store(world)
  const saved = changeOrderFate({ id: orderId, customerId, fate }, { store, now })
  if (!saved) return []
  if (!customer || !saved.isNew || !settings.conduct.customer.firstOrder) return [saved]
  const step = customerStep(customer.status, 'order')
  if (step.kind !== 'moves') return [saved]
  const moved = changeCustomer(customer, { moved: { status: step.row.to, trigger: 'order' } }, now)
  return moved ? [moved, saved] : [saved]
}

/** The effects of an event; consent of an unknown customer is kept until that customer is created. */
function applyEvent(
  event: ReceivedCustomerEvent,
  side: CustomerSide,
  context: DecisionContext,
): {
  readonly saved: readonly SavedRecord[]
  readonly remark?: EarlyConsent & { keys: readonly string[] }
} {
  const type = customerEventTypeOf(event.eventType)
  const fate = type && fateByEventType[type]
  if (fate) return { saved: applyOrderEvent(event, fate, side, context) }
  const marketing = marketingOf(event)
  const customer = customerOfEvent(event, side, context)
  if (marketing === undefined) {
    const isIntroduction = type === 'customer.created' || type === 'customer.updated'
    return { saved: isIntroduction && !customer ? createFromEvent(event, side, context) : [] }
  }
  const { customerId: id, identifier, externalIds, at } = event
  if (!customer) {
    const keys = customerKeys({ id, identifier, externalIds }, side.partner)
    return { saved: [], ...(keys.length > 0 ? { remark: { marketing, at, keys } } : {}) }
  }
  const consent = withConsent(consentStateOf(customer), marketing, at)
  const saved = changeCustomer(customer, { consent }, context.now)
  return { saved: saved ? [saved] : [] }
}

export function receiveCustomerEvent(
  event: ReceivedCustomerEvent,
  side: CustomerSide,
  context: DecisionContext,
): Decision {
  const { world, settings } = context
  const key = eventDeduplicationKey(event, settings.conduct.customer.eventIdField)
  if (side.store(world).seenEvents.has(key))
    return ok([{ kind: `${side.prefix}.event-repeated`, key }])
  const { saved, remark } = applyEvent(event, side, context)
  const { eventType, occurredAt, orderId } = event
  const customerId = customerOfEvent(event, side, context)?.document.id ?? event.customerId
  return ok([
    {
      kind: `${side.prefix}.heard`,
      key,
      eventType,
      occurredAt,
      ...compact({ customerId, orderId }),
      ...(remark ? { remark } : {}),
    },
    ...saved.map((each): Fact => ({ kind: `${side.prefix}.saved`, saved: each })),
  ])
}
