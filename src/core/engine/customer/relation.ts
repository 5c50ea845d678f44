/**
 * Customer data that the Ordering Application derives from its own orders: registers the customer, records the order and
 * its outcome. Operational orders are only read here (CUS-GEN-12).
 */
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
import { ok, type Result } from '../../protocol/result.ts'
import type { CommandOf } from '../command.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import { isoOf } from '../instant.ts'
import { orderView } from '../orders/record.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { OrderRecord } from '../world.ts'
import { findSentCustomer, mergeCustomer, type SavedCustomer } from './merge.ts'
import { createMergeContext } from './merge-context.ts'
import { mergeLead, mergeOrder } from './records.ts'
import { exchangesRecords, saveAndAnnounce } from './announce-changes.ts'
import { applicationSide } from './side.ts'

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

export function registerCustomer(
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

export function recordOrder(
  command: CommandOf<'relation.record'>,
  context: DecisionContext,
): Decision {
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
