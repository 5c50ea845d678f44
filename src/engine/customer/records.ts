/** Leads, orders in customer context and reviews: what becomes of each when somebody sends it. */
import { customerOf } from '../../protocol/customer/customer.ts'
import { externalText, Identifier, identifierKey } from '../../protocol/customer/identifier.ts'
import type { LeadInput } from '../../protocol/customer/lead.ts'
import {
  customerOfOrder,
  fateOf,
  isOrder,
  type OrderFate,
  type RelatedOrder,
} from '../../protocol/customer/related-order.ts'
import type { Review } from '../../protocol/customer/review.ts'
import { isSame } from './difference.ts'
import type { Saved } from './fact.ts'
import { customerSent, mergeCustomer, type Merging } from './merge.ts'
import { customerMeant } from './store.ts'
import type { CustomerRecord, CustomerStore, RelatedRecord } from './world.ts'

export type SavedOf<Entity extends Saved['entity']> = Extract<Saved, { entity: Entity }>

/** A phone or an e-mail of a lead, where it says which of the two it is. */
export function identifierOfLead({ contact }: LeadInput): Identifier | undefined {
  if (!contact) return undefined
  const type =
    typeof contact === 'string' ? (contact.includes('@') ? 'email' : 'phone') : contact.type
  const parsed = Identifier.safeParse({
    type,
    value: typeof contact === 'string' ? contact : contact.value,
  })
  return parsed.success ? parsed.data : undefined
}

/** What a lead is looked up by, besides its id. */
export function leadKey(lead: LeadInput): string | undefined {
  const contact = identifierOfLead(lead)
  return contact && `lead|${identifierKey(contact)}`
}

/** The customer whom a lead says it belongs to, or is known to be by its contact. */
function customerOfLead(
  lead: LeadInput,
  { store, owner }: Pick<Merging, 'store' | 'owner'>,
): CustomerRecord | undefined {
  const known = {
    id: lead.customerRef ?? undefined,
    identifier: identifierOfLead(lead),
    externalIds: (lead.externalIds ?? []).map(externalText),
  }
  return customerMeant(known, owner, store)
}

/** A lead by its id, or by its contact where it has none. */
function leadIdOf(lead: LeadInput, { store, freshId }: Merging): string {
  if (lead.id) return lead.id
  return store.keys.get(leadKey(lead) ?? '') ?? freshId()
}

export function mergeLead(lead: LeadInput, merging: Merging): SavedOf<'lead'> | undefined {
  const { store, now } = merging
  const id = leadIdOf(lead, merging)
  const known = store.leads.get(id)
  const document = { ...known?.document, ...lead, id }
  if (known && isSame(known.document, document)) return undefined
  const customerId = customerOfLead(document, merging)?.document.id ?? known?.customerId
  return {
    entity: 'lead',
    isNew: known === undefined,
    lead: {
      ...known,
      id,
      document,
      changedAt: now,
      ...(customerId === undefined ? {} : { customerId }),
    },
  }
}

/** An order that is over does not begin again, whatever comes late. */
const isLater = (fate: OrderFate, known: OrderFate): boolean =>
  fate === 'canceled' || (fate === 'completed' && known === 'created')

const factsOf = (order: RelatedOrder): Pick<RelatedRecord, 'merchantId' | 'amount'> => {
  const merchantId = isOrder(order) ? order.merchant.id : order.storeId
  const amount = isOrder(order) ? order.total.orderAmount.value : order.totalAmount
  return {
    ...(merchantId ? { merchantId } : {}),
    ...(typeof amount === 'number' ? { amount } : {}),
  }
}

/** The customer of an order: known, or known from now on by as much as the order says (CUS-OVR-08). */
function customerFor(
  order: RelatedOrder,
  isFirst: boolean,
  merging: Merging,
): { readonly id?: string; readonly saved: readonly Saved[] } {
  const input = customerOfOrder(order)
  if (!input) return { saved: [] }
  const given = customerOf(input)
  const saved = mergeCustomer(given, {
    ...merging,
    fillsGaps: true,
    ...(isFirst && merging.trigger ? { trigger: merging.trigger } : {}),
  })
  const id =
    saved?.customer.document.id ?? customerSent(given, merging.owner, merging.store)?.document.id
  return { saved: saved ? [saved] : [], ...(id === undefined ? {} : { id }) }
}

/** An order of the relationship, with what it makes of its customer. It moves nobody's operational order (CUS-GEN-12). */
export function mergeOrder(
  order: RelatedOrder,
  { fate = fateOf(order), ...merging }: Merging & { readonly fate?: OrderFate },
): readonly Saved[] {
  const { store, now, freshId, trigger, ...rest } = merging
  const id = order.id ?? freshId()
  const known = store.orders.get(id)
  const turned = known !== undefined && known.fate !== fate && isLater(fate, known.fate)
  const isLate = known?.document !== undefined && known.fate !== fate && !turned
  const isNew = known?.document === undefined
  const customer = customerFor(order, isNew, {
    ...rest,
    store,
    now,
    freshId,
    ...(trigger && isNew ? { trigger } : {}),
  })
  if (known?.document && (isLate || (isSame(known.document, order) && !turned)))
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
        ...(customerId === undefined ? {} : { customerId }),
        ...factsOf(order),
        changedAt: now,
      },
    },
  ]
}

/** What an event alone says of an order: its fate, and whose it is, before anybody sends the order itself. */
export function turnOrder(
  said: { readonly id: string; readonly customerId?: string | undefined; readonly fate: OrderFate },
  { store, now }: Pick<Merging, 'store' | 'now'>,
): SavedOf<'order'> | undefined {
  const known = store.orders.get(said.id)
  const turned = known !== undefined && known.fate !== said.fate && isLater(said.fate, known.fate)
  if (known && !turned) return undefined
  const customerId = known?.customerId ?? said.customerId
  return {
    entity: 'order',
    isNew: known === undefined,
    turned,
    order: {
      ...known,
      id: said.id,
      fate: said.fate,
      changedAt: now,
      ...(customerId === undefined ? {} : { customerId }),
    },
  }
}

/** Whose review it is: by the customer that it names, or by the order's. */
function reviewer(review: Review, owner: string, store: CustomerStore): string | undefined {
  const identifier = Identifier.safeParse(review['customerIdentifier'])
  const meant = customerMeant(
    {
      id: review.customerId ?? undefined,
      ...(identifier.success ? { identifier: identifier.data } : {}),
    },
    owner,
    store,
  )
  return meant?.document.id ?? store.orders.get(review.orderId ?? '')?.customerId
}

export function mergeReview(review: Review, merging: Merging): SavedOf<'review'> | undefined {
  const { store, owner, now, freshId } = merging
  const id = review.id ?? freshId()
  const known = store.reviews.get(id)
  const document = { ...known?.document, ...review, id }
  if (known && isSame(known.document, document)) return undefined
  const customerId = reviewer(document, owner, store) ?? known?.customerId
  return {
    entity: 'review',
    isNew: known === undefined,
    review: {
      id,
      document,
      changedAt: now,
      ...(customerId === undefined ? {} : { customerId }),
    },
  }
}
