/**
 * Decisions of the commands that both sides accept: receive an event, and change a side's own data, which is announced to
 * the other side.
 */
import { compact } from '../../base/compact.ts'
import { readCustomer } from '../../protocol/customer/customer.ts'
import { formatExternalId } from '../../protocol/customer/identifier.ts'
import { customerStep, customerTriggerTarget } from '../../protocol/customer/lifecycle.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { Decision, DecisionContext } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { CommonCommand } from './commands.ts'
import { consentStateOf, withConsent } from './consent.ts'
import { mergeEntry } from './ingest.ts'
import { changeCustomer, mergeCustomer } from './merge.ts'
import { createMergeContext } from './merge-context.ts'
import { changeOrderOutcome, identifierOfLead, mergeReview } from './records.ts'
import { exchangesRecords, saveAndAnnounce } from './announce-changes.ts'
import type { CustomerSide } from './side.ts'
import { customerById, customerKeys, findCustomer } from './store.ts'
import type { CustomerRecord, EarlyConsent, LeadRecord, SavedRecord } from './world.ts'
import { eventDeduplicationKey, type ReceivedCustomerEvent } from '../../protocol/customer/event.ts'
import { type CustomerEventType, customerEventTypeOf } from '../../protocol/customer/events.ts'
import type { RelatedOrderOutcome } from '../../protocol/customer/related-order.ts'
import type { Fact } from '../fact.ts'

// Receives a Customer event (CUS-EVT-02): deduplicated by key and applied as data only
// (CUS-EVT-01). A received event is never announced again, or two sides would send each other the
// same change for ever.

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

const outcomeByEventType: Readonly<Partial<Record<CustomerEventType, RelatedOrderOutcome>>> = {
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
  fate: RelatedOrderOutcome,
  side: CustomerSide,
  context: DecisionContext,
): readonly SavedRecord[] {
  const { orderId } = event
  if (orderId === undefined) return []
  const { now, settings, world } = context
  const customer = customerOfEvent(event, side, context)
  const customerId = customer?.document.id
  const store = side.store(world)
  const saved = changeOrderOutcome({ id: orderId, customerId, fate }, { store, now })
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
  const fate = type && outcomeByEventType[type]
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

function receiveCustomerEvent(
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

type CommonDecisions = {
  readonly [Word in CommonCommand['kind']]: (
    command: Omit<Extract<CommonCommand, { readonly kind: Word }>, 'kind'>,
    context: DecisionContext,
  ) => Decision
}

function findCustomerOf(
  customerId: string,
  side: CustomerSide,
  { world }: DecisionContext,
): Result<CustomerRecord, Refusal> {
  const customer = customerById(customerId, side.store(world))
  return customer
    ? ok(customer)
    : refuse('CUSTOMER_NOT_FOUND', `there is no customer ${customerId}`)
}

/** The data of a new customer, taken from a lead. */
function customerOfLead({ id, document }: LeadRecord) {
  const identifier = identifierOfLead(document) ?? ({ type: 'custom', value: id } as const)
  const contacts =
    identifier.type === 'phone' || identifier.type === 'email'
      ? { contacts: { [identifier.type]: identifier.value } }
      : {}
  return readCustomer({
    identifier,
    externalIds: (document.externalIds ?? []).map(formatExternalId),
    ...compact({ name: document.name }),
    ...contacts,
  })
}

export const commonDecisions = (side: CustomerSide): CommonDecisions => ({
  hear: ({ event }, context) => receiveCustomerEvent(event, side, context),

  enter: ({ entry }, context) =>
    ok(saveAndAnnounce(side, mergeEntry(entry, side, side.role, context), context)),

  consent({ customerId, marketing }, context) {
    const found = findCustomerOf(customerId, side, context)
    if (!found.ok) return found
    const { now } = context
    const record = found.value
    // Unchanged consent is not announced again.
    if (record.document.consent?.marketing === marketing) return ok([])
    const after = withConsent(consentStateOf(record), marketing, now)
    const saved = changeCustomer(record, { consent: after }, now)
    return ok(saveAndAnnounce(side, saved ? [saved] : [], context))
  },

  move({ customerId, trigger, force }, context) {
    const found = findCustomerOf(customerId, side, context)
    if (!found.ok) return found
    const record = found.value
    const step = customerStep(record.status, trigger)
    if (step.kind === 'applied') return ok([])
    if (step.kind === 'refused' && !force)
      return refuse(
        'INVALID_TRANSITION',
        `${trigger} is not possible for customer ${record.document.id}, who is ${record.status}`,
      )
    const moved = { status: customerTriggerTarget[trigger], trigger }
    const saved = changeCustomer(record, { moved }, context.now)
    const forced = step.kind === 'refused' ? { forced: true as const } : {}
    return ok(saveAndAnnounce(side, saved ? [{ ...saved, ...forced }] : [], context))
  },

  convert({ leadId }, context) {
    const { world, now } = context
    const store = side.store(world)
    const lead = store.leads.get(leadId)
    if (!lead) return refuse('LEAD_NOT_FOUND', `there is no lead ${leadId}`)
    if (lead.convertedAt !== undefined)
      return refuse('INVALID_TRANSITION', `lead ${leadId} is converted already`)
    const known = customerById(lead.customerId ?? '', store)
    const activated = known && customerStep(known.status, 'activate').kind === 'moves'
    const saved = known
      ? activated &&
        changeCustomer(known, { moved: { status: 'active', trigger: 'activate' } }, now)
      : mergeCustomer(customerOfLead(lead), {
          ...createMergeContext(side, side.role, context),
          initialStatus: 'active',
        })
    const customerId = (saved || undefined)?.customer.document.id ?? lead.customerId
    const converted: LeadRecord = {
      ...lead,
      document: { ...lead.document, status: 'converted', updatedAt: isoOf(now) },
      convertedAt: now,
      changedAt: now,
      ...compact({ customerId }),
    }
    return ok(
      saveAndAnnounce(
        side,
        [...(saved ? [saved] : []), { entity: 'lead', lead: converted, isNew: false }],
        context,
      ),
    )
  },

  /** The store keeps the plain rating; `reviewView` writes it in the configured shape. */
  review({ customerId, orderId, rating, comment }, context) {
    if (!exchangesRecords('review', context.settings))
      return refuse('CONFLICT', 'reviews are no part of this session')
    const found = findCustomerOf(customerId, side, context)
    if (!found.ok) return found
    const { document } = found.value
    const merchantId = side.store(context.world).orders.get(orderId ?? '')?.merchantId
    const saved = mergeReview(
      {
        customerId: document.id,
        customerIdentifier: document.identifier,
        ...compact({ orderId, merchantId }),
        rating,
        ...compact({ comment }),
        createdAt: isoOf(context.now),
      },
      createMergeContext(side, side.role, context),
    )
    return ok(saveAndAnnounce(side, saved ? [saved] : [], context))
  },
})
