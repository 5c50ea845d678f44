/** Upsert of leads, orders in customer context and reviews. */
import { compact } from '../../base/compact.ts'
import { readCustomer } from '../../protocol/customer/customer.ts'
import {
  formatExternalId,
  CustomerIdentifier,
  identifierKey,
} from '../../protocol/customer/identifier.ts'
import type { LeadInput } from '../../protocol/customer/lead.ts'
import {
  customerOfOrder,
  orderOutcomeOf,
  isFullOrder,
  type RelatedOrderOutcome,
  type RelatedOrder,
} from '../../protocol/customer/related-order.ts'
import type { Review } from '../../protocol/customer/review.ts'
import { isEqualJson } from './json-difference.ts'
import { findSentCustomer, mergeCustomer, type MergeContext } from './merge.ts'
import { findCustomer } from './store.ts'
import type {
  CustomerRecord,
  CustomerStore,
  RelatedOrderRecord,
  SavedRecord,
  SavedRecordOf,
} from './world.ts'

/** The phone or e-mail of a lead as an identifier; a text contact with `@` is an e-mail. */
export function identifierOfLead({ contact }: LeadInput): CustomerIdentifier | undefined {
  if (!contact) return undefined
  const type =
    typeof contact === 'string' ? (contact.includes('@') ? 'email' : 'phone') : contact.type
  const parsed = CustomerIdentifier.safeParse({
    type,
    value: typeof contact === 'string' ? contact : contact.value,
  })
  return parsed.success ? parsed.data : undefined
}

/** Lookup key of a lead besides its id. */
export function leadKey(lead: LeadInput): string | undefined {
  const contact = identifierOfLead(lead)
  return contact && `lead|${identifierKey(contact)}`
}

/** The customer that a lead refers to, by reference, contact or external ids. */
function customerOfLead(
  lead: LeadInput,
  { store, owner }: Pick<MergeContext, 'store' | 'owner'>,
): CustomerRecord | undefined {
  const known = {
    id: lead.customerRef ?? undefined,
    identifier: identifierOfLead(lead),
    externalIds: (lead.externalIds ?? []).map(formatExternalId),
  }
  return findCustomer(known, owner, store)
}

/** Id of a lead: its own, that of the known lead with the same contact, or a new one. */
function leadIdOf(lead: LeadInput, { store, freshId }: MergeContext): string {
  if (lead.id) return lead.id
  return store.keys.get(leadKey(lead) ?? '') ?? freshId()
}

export function mergeLead(
  lead: LeadInput,
  mergeContext: MergeContext,
): SavedRecordOf<'lead'> | undefined {
  const { store, now } = mergeContext
  const id = leadIdOf(lead, mergeContext)
  const known = store.leads.get(id)
  const document = { ...known?.document, ...lead, id }
  if (known && isEqualJson(known.document, document)) return undefined
  const customerId = customerOfLead(document, mergeContext)?.document.id ?? known?.customerId
  return {
    entity: 'lead',
    isNew: known === undefined,
    lead: {
      ...known,
      id,
      document,
      changedAt: now,
      ...compact({ customerId }),
    },
  }
}

/** Whether an outcome may follow a known one: a finished order never reopens, however late an update comes. */
const mayFollow = (fate: RelatedOrderOutcome, known: RelatedOrderOutcome): boolean =>
  fate === 'canceled' || (fate === 'completed' && known === 'created')

const storeAndAmountOf = (
  order: RelatedOrder,
): Pick<RelatedOrderRecord, 'merchantId' | 'amount'> => {
  const merchantId = isFullOrder(order) ? order.merchant.id : order.storeId
  const amount = isFullOrder(order) ? order.total.orderAmount.value : order.totalAmount
  return {
    ...(merchantId ? { merchantId } : {}),
    ...(typeof amount === 'number' ? { amount } : {}),
  }
}

/** Finds, completes or creates the customer of an order from the order's data (CUS-OVR-08). */
function customerFor(
  order: RelatedOrder,
  isFirst: boolean,
  mergeContext: MergeContext,
): { readonly id?: string; readonly saved: readonly SavedRecord[] } {
  const input = customerOfOrder(order)
  if (!input) return { saved: [] }
  const data = readCustomer(input)
  const saved = mergeCustomer(data, {
    ...mergeContext,
    fillsGapsOnly: true,
    ...(isFirst && mergeContext.trigger ? { trigger: mergeContext.trigger } : {}),
  })
  const id =
    saved?.customer.document.id ??
    findSentCustomer(data, mergeContext.owner, mergeContext.store)?.document.id
  return { saved: saved ? [saved] : [], ...compact({ id }) }
}

/** Upserts an order in customer context, and its customer. No operational order changes (CUS-GEN-12). */
export function mergeOrder(
  order: RelatedOrder,
  {
    fate = orderOutcomeOf(order),
    ...mergeContext
  }: MergeContext & { readonly fate?: RelatedOrderOutcome },
): readonly SavedRecord[] {
  const { store, now, freshId, trigger, ...rest } = mergeContext
  const { id } = order
  const known = store.orders.get(id)
  const turned = known !== undefined && known.fate !== fate && mayFollow(fate, known.fate)
  const isLate = known?.document !== undefined && known.fate !== fate && !turned
  const isNew = known?.document === undefined
  const customer = customerFor(order, isNew, {
    ...rest,
    store,
    now,
    freshId,
    ...(trigger && isNew ? { trigger } : {}),
  })
  if (known?.document && (isLate || (isEqualJson(known.document, order) && !turned)))
    return customer.saved
  const customerId = customer.id ?? known?.customerId
  return [
    ...customer.saved,
    {
      entity: 'order',
      isNew,
      turned,
      order: {
        id,
        document: { ...order, id },
        fate: known && !turned ? known.fate : fate,
        ...compact({ customerId }),
        ...storeAndAmountOf(order),
        changedAt: now,
      },
    },
  ]
}

/** Updates an order from an event (outcome and customer), possibly before the order itself is received. */
export function changeOrderOutcome(
  update: {
    readonly id: string
    readonly customerId?: string | undefined
    readonly fate: RelatedOrderOutcome
  },
  { store, now }: Pick<MergeContext, 'store' | 'now'>,
): SavedRecordOf<'order'> | undefined {
  const known = store.orders.get(update.id)
  const turned =
    known !== undefined && known.fate !== update.fate && mayFollow(update.fate, known.fate)
  if (known && !turned) return undefined
  const customerId = known?.customerId ?? update.customerId
  return {
    entity: 'order',
    isNew: known === undefined,
    turned,
    order: {
      ...known,
      id: update.id,
      fate: update.fate,
      changedAt: now,
      ...compact({ customerId }),
    },
  }
}

/** The customer id of a review: from its own reference, else from its order. */
function reviewCustomerId(review: Review, owner: string, store: CustomerStore): string | undefined {
  const identifier = CustomerIdentifier.safeParse(review['customerIdentifier'])
  const foundCustomer = findCustomer(
    {
      id: review.customerId ?? undefined,
      ...(identifier.success ? { identifier: identifier.data } : {}),
    },
    owner,
    store,
  )
  return foundCustomer?.document.id ?? store.orders.get(review.orderId ?? '')?.customerId
}

export function mergeReview(
  review: Review,
  mergeContext: MergeContext,
): SavedRecordOf<'review'> | undefined {
  const { store, owner, now, freshId } = mergeContext
  const id = review.id ?? freshId()
  const known = store.reviews.get(id)
  const document = { ...known?.document, ...review, id }
  if (known && isEqualJson(known.document, document)) return undefined
  const customerId = reviewCustomerId(document, owner, store) ?? known?.customerId
  return {
    entity: 'review',
    isNew: known === undefined,
    review: {
      id,
      document,
      changedAt: now,
      ...compact({ customerId }),
    },
  }
}
