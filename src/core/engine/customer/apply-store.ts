/** Reducers for a customer store: save records, and evict the oldest together with their lookup keys. */
import { assertNever } from '../../protocol/result.ts'
import { setBounded } from '../bounded.ts'
import { leadKey } from './records.ts'
import {
  type CustomerStore,
  customerBounds,
  type LeadRecord,
  type SavedRecord,
  type SavedRecordOf,
} from './world.ts'

/** Evicts the oldest customer with its lookup keys once the limit is exceeded. */
function evictCustomer(store: CustomerStore): void {
  if (store.customers.size <= customerBounds.customers) return
  for (const [id, { keys }] of store.customers) {
    store.customers.delete(id)
    for (const key of keys) if (store.keys.get(key) === id) store.keys.delete(key)
    return
  }
}

function saveCustomer(
  store: CustomerStore,
  { customer, joins = [] }: SavedRecordOf<'customer'>,
): void {
  const { id } = customer.document
  const kept = new Set(customer.keys)
  for (const key of store.customers.get(id)?.keys ?? [])
    if (!kept.has(key) && store.keys.get(key) === id) store.keys.delete(key)
  for (const other of joins) {
    for (const key of store.customers.get(other)?.keys ?? [])
      if (!kept.has(key)) store.keys.delete(key)
    store.customers.delete(other)
    setBounded(store.mergedInto, other, id, customerBounds.mergedInto)
  }
  store.customers.set(id, customer)
  for (const key of customer.keys) {
    store.keys.set(key, id)
    store.earlyConsents.delete(key)
  }
  evictCustomer(store)
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

export function applySavedRecord(store: CustomerStore, saved: SavedRecord): void {
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
      return assertNever(saved)
  }
}
