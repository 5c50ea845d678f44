/** Customer lookup in a store: by id or by any lookup key. */
import {
  externalIdKey,
  type CustomerIdentifier,
  identifierKey,
  ownerKey,
} from '../../protocol/customer/identifier.ts'
import type { CustomerRecord, CustomerStore } from './world.ts'

export interface CustomerReference {
  readonly id?: string | undefined
  readonly identifier?: CustomerIdentifier | undefined
  readonly externalIds?: readonly string[] | undefined
}

/** All lookup keys of a customer; the id is scoped to its owner. */
export const customerKeys = (
  { id, identifier, externalIds = [] }: CustomerReference,
  owner: string,
): readonly string[] => [
  ...new Set([
    ...(identifier ? [identifierKey(identifier)] : []),
    ...externalIds.map(externalIdKey),
    ...(id === undefined ? [] : [ownerKey(owner, id)]),
  ]),
]

/** Display name of a customer. */
export const customerName = ({ document }: CustomerRecord): string => {
  const { name } = document.fields
  return typeof name === 'string' && name !== '' ? name : document.identifier.value
}

/** A customer by its id in this store, following ids of merged records to the surviving one. */
export function customerById(id: string, store: CustomerStore): CustomerRecord | undefined {
  let currentId = id
  for (
    let next = store.mergedInto.get(currentId);
    next !== undefined;
    next = store.mergedInto.get(currentId)
  )
    currentId = next
  return store.customers.get(currentId)
}

/** The customers found by these keys, without duplicates, in key order. */
export function customersByKeys(
  keys: readonly string[],
  store: CustomerStore,
): readonly CustomerRecord[] {
  const found = new Map<string, CustomerRecord>()
  for (const key of keys) {
    const customer = customerById(store.keys.get(key) ?? '', store)
    if (customer) found.set(customer.document.id, customer)
  }
  return [...found.values()]
}

/** Finds the referenced customer. The id is tried first as one of `speaker`'s ids, then as an id of this store. */
export function findCustomer(
  known: CustomerReference,
  speaker: string,
  store: CustomerStore,
): CustomerRecord | undefined {
  const [found] = customersByKeys(customerKeys(known, speaker), store)
  return found ?? (known.id === undefined ? undefined : customerById(known.id, store))
}
