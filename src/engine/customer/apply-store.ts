/** What the facts about a store change: records come and go, oldest first, with everything that led to them. */
import { unreachable } from '../../protocol/result.ts'
import { addBounded, setBounded } from '../bounded.ts'
import type { CustomerFact, Saved } from './fact.ts'
import { leadKey } from './records.ts'
import { type CustomerStore, customerBounds, type LeadRecord } from './world.ts'

/** The oldest customer goes, once there are too many, and nothing leads to it any more. */
function forgetCustomer(store: CustomerStore): void {
  if (store.customers.size <= customerBounds.customers) return
  for (const [id, { keys }] of store.customers) {
    store.customers.delete(id)
    for (const key of keys) if (store.keys.get(key) === id) store.keys.delete(key)
    return
  }
}

function saveCustomer(
  store: CustomerStore,
  { customer, joins = [] }: Extract<Saved, { entity: 'customer' }>,
): void {
  const { id } = customer.document
  for (const other of joins) {
    store.customers.delete(other)
    setBounded(store.joined, other, id, customerBounds.joined)
  }
  store.customers.set(id, customer)
  for (const key of customer.keys) {
    store.keys.set(key, id)
    store.remarks.delete(key)
  }
  forgetCustomer(store)
}

function saveLead(store: CustomerStore, lead: LeadRecord): void {
  store.leads.set(lead.id, lead)
  const key = leadKey(lead.document)
  if (key !== undefined) store.keys.set(key, lead.id)
  if (store.leads.size <= customerBounds.leads) return
  for (const [id, { document }] of store.leads) {
    store.leads.delete(id)
    const old = leadKey(document)
    if (old !== undefined && store.keys.get(old) === id) store.keys.delete(old)
    return
  }
}

export function applySaved(store: CustomerStore, saved: Saved): void {
  switch (saved.entity) {
    case 'customer':
      return saveCustomer(store, saved)
    case 'lead':
      return saveLead(store, saved.lead)
    case 'order':
      return setBounded(store.orders, saved.order.id, saved.order, customerBounds.orders)
    case 'review':
      return setBounded(store.reviews, saved.review.id, saved.review, customerBounds.reviews)
    default:
      return unreachable(saved)
  }
}

type Heard = Extract<CustomerFact, { kind: 'customer.heard' | 'relation.heard' }>

export function applyHeard(store: CustomerStore, { key, remark }: Heard): void {
  addBounded(store.heard, key, customerBounds.heard)
  if (!remark) return
  const { keys, ...said } = remark
  for (const each of keys) setBounded(store.remarks, each, said, customerBounds.remarks)
}
