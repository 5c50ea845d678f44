/** Finding what a store holds: customers by anything that they are known by, the rest by their ids. */
import {
  externalKey,
  type Identifier,
  identifierKey,
  ownerKey,
} from '../../protocol/customer/identifier.ts'
import type { CustomerRecord, CustomerStore } from './world.ts'

export interface Known {
  readonly id?: string | undefined
  readonly identifier?: Identifier | undefined
  readonly externalIds?: readonly string[] | undefined
}

/** Everything that a customer can be looked up by; its id is one among the ids of whoever calls it so. */
export const keysOf = (
  { id, identifier, externalIds = [] }: Known,
  owner: string,
): readonly string[] => [
  ...new Set([
    ...(identifier ? [identifierKey(identifier)] : []),
    ...externalIds.map(externalKey),
    ...(id === undefined ? [] : [ownerKey(owner, id)]),
  ]),
]

/** A customer by its id here, which may be the id of a record that was found to be the same customer's. */
export function customerById(id: string, store: CustomerStore): CustomerRecord | undefined {
  let own = id
  for (let next = store.joined.get(own); next !== undefined; next = store.joined.get(own))
    own = next
  return store.customers.get(own)
}

/** The customers that any of these keys leads to, each once, in the order of the keys. */
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

/** The customer that somebody speaks of. An id is first taken for one of the speaker's, and only then for one of ours. */
export function customerMeant(
  known: Known,
  speaker: string,
  store: CustomerStore,
): CustomerRecord | undefined {
  const [found] = customersByKeys(keysOf(known, speaker), store)
  return found ?? (known.id === undefined ? undefined : customerById(known.id, store))
}
