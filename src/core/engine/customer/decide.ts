/** The decision of each command of Customer. */
import type { Decision, DecisionContext, Decisions } from '../decision.ts'
import type { CustomerCommand } from './commands.ts'
import { commonDecisions } from './common-decisions.ts'
import { applyEntry, ingestRecords } from './ingest.ts'
import { pullRecords } from './pull.ts'
import { applicationSide, crmSide, ofSide } from './side.ts'
import {
  batchKeys,
  ingestBodyOf,
  type RecordKind,
  recordKinds,
} from '../../protocol/customer/batch.ts'
import { customerView } from '../../protocol/customer/customer-view.ts'
import { reviewView } from '../../protocol/customer/review.ts'
import { assertNever, ok, type Result } from '../../protocol/result.ts'
import { callPlacedFact } from '../calls/place-call.ts'
import { refuse, type Refusal } from '../refusal.ts'
import {
  callableOperation,
  partnerDeclares,
  partnerLimits,
  partnerManifest,
  pushOperations,
} from './partner.ts'
import {
  announceCustomerEvent,
  enqueueEntries,
  exchangesRecords,
  saveAndAnnounce,
} from './announce-changes.ts'
import { customerById } from './store.ts'
import { outboxSize } from './world.ts'
import { compact } from '../../base/compact.ts'
import type { CustomerConduct } from '../../protocol/customer/conduct.ts'
import { type CustomerInput, readCustomer } from '../../protocol/customer/customer.ts'
import type { CustomerIdentifier } from '../../protocol/customer/identifier.ts'
import {
  applicationExternalId,
  customerOfOrder,
  orderCustomerIdentifiers,
  toReducedOrder,
} from '../../protocol/customer/related-order.ts'
import type { Order } from '../../protocol/orders/order.ts'
import type { CommandOf } from '../command.ts'
import { isoOf } from '../instant.ts'
import { orderView } from '../orders/record.ts'
import type { OrderRecord } from '../world.ts'
import { findSentCustomer, mergeCustomer, type SavedCustomer } from './merge.ts'
import { createMergeContext } from './merge-context.ts'
import { mergeLead, mergeOrder } from './records.ts'

function findOrder(orderId: string, { world }: DecisionContext): Result<OrderRecord, Refusal> {
  const found = world.ordering.orders.get(orderId)
  return found ? ok(found) : refuse('ORDER_NOT_FOUND', `there is no order ${orderId}`)
}

/** The identifier of the configured type (CUS-OVR-02); undefined for `auto` or an unknown value. */
function identifierFor(
  customer: NonNullable<Order['customer']>,
  { identifier: type }: CustomerConduct,
): CustomerIdentifier | undefined {
  if (type === 'auto') return undefined
  const known: Readonly<Record<typeof type, string | undefined>> = {
    ...orderCustomerIdentifiers(customer),
    external_id: applicationExternalId(customer.id),
    custom: customer.id,
  }
  const value = known[type]
  return value === undefined ? undefined : { type, value }
}

/** The customer of an order in the form that the Ordering Application sends. */
function customerToSend(order: Order, conduct: CustomerConduct): CustomerInput | undefined {
  const sent = customerOfOrder(order)
  if (!sent || !order.customer) return undefined
  const identifier = identifierFor(order.customer, conduct)
  return identifier ? { ...sent, identifier } : sent
}

/** The lead of a customer who signed up before the first order. */
function leadOf({ customer }: SavedCustomer, source: string, context: DecisionContext) {
  const { document } = customer
  const now = isoOf(context.now)
  const { contacts, name } = document.fields
  const { phone } = (contacts ?? {}) as { readonly phone?: string }
  const mergeContext = createMergeContext(applicationSide, applicationSide.role, context)
  return mergeLead(
    {
      id: mergeContext.freshId(),
      source,
      status: context.settings.conduct.customer.leadStatus,
      customerRef: document.id,
      ...compact({ name }),
      ...(phone === undefined ? {} : { contact: { type: 'phone', value: phone } }),
      createdAt: now,
      updatedAt: now,
    },
    mergeContext,
  )
}

/**
 * Customer data that the Ordering Application derives from its own orders: registers the customer, records the order and
 * its outcome. Operational orders are only read here (CUS-GEN-12).
 */
function registerCustomer(
  command: CommandOf<'relation.register'>,
  context: DecisionContext,
): Decision {
  const found = findOrder(command.orderId, context)
  if (!found.ok) return found
  const { settings, now } = context
  const { order } = found.value
  const sent = customerToSend(order, settings.conduct.customer)
  if (!sent) return ok([])
  const data = readCustomer(sent)
  const side = applicationSide
  const mergeContext = createMergeContext(side, side.role, context)
  const known = findSentCustomer(data, side.role, mergeContext.store)
  const at = isoOf(now)
  // A customer who has ordered at that store before this session is no lead, and the consent from then stays.
  const isFirst = order.customer?.ordersCountOnMerchant === 0
  const saved = mergeCustomer(
    known
      ? data
      : { ...data, consent: { marketing: command.marketing, updatedAt: at }, createdAt: at },
    { ...mergeContext, initialStatus: isFirst ? 'lead' : 'active' },
  )
  if (!saved) return ok([])
  const isCaptured = saved.isNew && saved.customer.status === 'lead'
  const lead =
    isCaptured && command.leadSource !== undefined && exchangesRecords('lead', settings)
      ? leadOf(saved, command.leadSource, context)
      : undefined
  return ok(saveAndAnnounce(side, [saved, ...(lead ? [lead] : [])], context))
}

function recordOrder(command: CommandOf<'relation.record'>, context: DecisionContext): Decision {
  const found = findOrder(command.orderId, context)
  if (!found.ok) return found
  const { orderShape, firstOrder } = context.settings.conduct.customer
  const side = applicationSide
  const order = orderView(found.value)
  const mergeContext = createMergeContext(side, side.role, context)
  const sent = customerToSend(order, context.settings.conduct.customer)
  if (!sent) return ok([])
  const saved = mergeOrder(
    orderShape === 'reduced' ? toReducedOrder(order, sent.identifier ?? undefined) : order,
    { ...mergeContext, fate: command.fate, ...(firstOrder ? { trigger: 'order' } : {}) },
  )
  return ok(saveAndAnnounce(side, saved, context))
}

/**
 * The Ordering Application flushes its outbox step by step (CUS-GEN-10): each step sends one batch of records, no
 * larger than the CRM accepts (LIM-CUS-01), or one event. The counterpart decides the pause between steps.
 */
const side = applicationSide

/** The current wire form of a record; undefined if it has been evicted. */
function currentBody(
  entity: RecordKind,
  id: string,
  { world, settings }: DecisionContext,
): unknown {
  const store = side.store(world)
  const { customer: conduct } = settings.conduct
  switch (entity) {
    case 'customer': {
      const customer = customerById(id, store)
      return customer && customerView(customer, conduct)
    }
    case 'lead':
      return store.leads.get(id)?.document
    case 'order':
      return store.orders.get(id)?.document
    case 'review': {
      const review = store.reviews.get(id)
      return review && reviewView(review.document, conduct)
    }
    default:
      return assertNever(entity)
  }
}

/** The first ids, oldest first, up to the batch limit. */
function takeFirst(ids: ReadonlySet<string>, max: number): readonly string[] {
  const first: string[] = []
  for (const id of ids) {
    if (first.length >= max) break
    first.push(id)
  }
  return first
}

/** One call with records of one kind. Records that the CRM does not accept, or that are evicted, leave the outbox. */
function sendRecords(entity: RecordKind, remaining: number, context: DecisionContext): Decision {
  const { supportsBatchPost, maxBatchSize } = partnerLimits(side, context)
  const queuedIds = context.world.customer.outbox.records[entity]
  const ids = takeFirst(queuedIds, supportsBatchPost ? maxBatchSize : 1)
  const records = ids
    .map((id) => currentBody(entity, id, context))
    .filter((each) => each !== undefined)
  const operation = callableOperation(side, ['push', pushOperations[entity]], context)
  const sending = { entity, ids }
  const remainingAfter = remaining - ids.length
  if (operation === undefined || records.length === 0)
    return ok([{ kind: 'relation.left-out', records: sending, left: remainingAfter }])
  const requestId = context.chance('requests').uuid()
  const body = ingestBodyOf(records, batchKeys[entity], context.settings.conduct.customer)
  const { role: from, partner: to } = side
  return ok([
    { kind: 'relation.sent', requestId, sending, left: remainingAfter },
    callPlacedFact({ from, to, operation, body, attempt: 1, requestId }, context),
  ])
}

/** The next step: records before events, since an event refers to records that the receiver should already have. */
function flushOutbox(context: DecisionContext): Decision {
  const { outbox } = context.world.customer
  const remaining = outboxSize(outbox)
  if (remaining === 0 || partnerManifest(side, context).state === 'unknown')
    return ok([{ kind: 'relation.rested', left: remaining }])
  const entity = recordKinds.find((each) => outbox.records[each].size > 0)
  if (entity) return sendRecords(entity, remaining, context)
  const [first] = outbox.events
  if (!first) return ok([{ kind: 'relation.rested', left: remaining }])
  const [number, draft] = first
  const { eventType } = draft
  return ok(
    partnerDeclares(side, ['receiveCustomerEvent'], context)
      ? [
          { kind: 'relation.told', number, eventType, left: remaining - 1 },
          announceCustomerEvent(side, draft, context),
        ]
      : [{ kind: 'relation.left-out', number, left: remaining - 1 }],
  )
}

export const customerDecisions: Decisions<CustomerCommand> = {
  ...ofSide(crmSide, commonDecisions),
  'customer.ingest': ingestRecords,
  'customer.apply': applyEntry,
  'customer.pull': pullRecords,
  ...ofSide(applicationSide, commonDecisions),
  'relation.register': registerCustomer,
  'relation.record': recordOrder,
  'relation.share': (_command, context) => flushOutbox(context),
  /** Pushes a record again on request. */
  'relation.push'({ entity, id }, context) {
    if (currentBody(entity, id, context) === undefined)
      return refuse('NOT_FOUND', `the Ordering Application has no ${entity} ${id}`)
    return ok(enqueueEntries([{ kind: 'record', entity, id }], context))
  },
}
