/**
 * Wire form of a customer that we send (CUS-TEN-01): overview and binding in one by default, either of them, or typed
 * lists. Unknown values are omitted, never invented.
 */
import { compact } from '../../base/compact.ts'
import type { CustomerShape } from './conduct.ts'
import type { Consent, CustomerStatus } from './customer.ts'
import { parseExternalId, type CustomerIdentifier } from './identifier.ts'

/** The stored document of a customer. */
export interface CustomerDocument {
  readonly id: string
  readonly identifier: CustomerIdentifier
  readonly externalIds: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly consent?: Consent
  readonly createdAt: string
  readonly updatedAt: string
}

export interface CustomerSnapshot {
  readonly document: CustomerDocument
  readonly status: CustomerStatus
}

export interface CustomerWriteOptions {
  readonly customerShape: CustomerShape
  readonly statusField: string
}

type Json = Readonly<Record<string, unknown>>

const asObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

const consentOf = ({ consent }: CustomerDocument): Json => (consent ? { consent } : {})

/** Contacts, addresses, consents and external ids as the field's typed lists. */
function asLists(document: CustomerDocument): Json {
  const { identifier, fields, consent, externalIds, createdAt, updatedAt } = document
  const { contacts, demographics, address, addresses, ...rest } = fields
  const { others, ...named } = asObject(contacts) ?? {}
  const listed = [
    ...Object.entries(named).map(([type, value]) => ({
      type: type === 'phone' || type === 'email' ? type : 'other',
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
    ...(Array.isArray(others) ? (others as readonly unknown[]) : []),
  ]
  const birthDate = asObject(demographics)?.['birthDate']
  const addressList = addresses ?? (address === undefined ? undefined : [address])
  const at = consent?.updatedAt
  return {
    identifier,
    externalIds: externalIds.map(parseExternalId),
    ...rest,
    ...(listed.length === 0 ? {} : { contacts: listed }),
    ...compact({ birthDate, addresses: addressList }),
    ...(consent?.marketing === undefined
      ? {}
      : {
          consents: [
            {
              purpose: 'marketing',
              status: consent.marketing ? 'opt_in' : 'opt_out',
              ...(at === undefined ? {} : { [consent.marketing ? 'grantedAt' : 'revokedAt']: at }),
            },
          ],
        }),
    createdAt,
    updatedAt,
  }
}

const shapes: Readonly<Record<CustomerShape, (document: CustomerDocument) => Json>> = {
  union: (document) => {
    const { identifier, externalIds, fields, createdAt, updatedAt } = document
    return { identifier, externalIds, ...fields, ...consentOf(document), createdAt, updatedAt }
  },
  overview: ({ identifier, externalIds, fields }) => ({ identifier, externalIds, ...fields }),
  binding: (document) => {
    const { externalIds, fields, createdAt, updatedAt } = document
    const { name, contacts } = fields
    const known = { ...compact({ name }), ...(contacts ? { contacts } : {}) }
    return { externalIds, ...known, ...consentOf(document), createdAt, updatedAt }
  },
  lists: asLists,
}

/** The customer in the configured shape, with its id and status. */
export const customerView = (
  { document, status }: CustomerSnapshot,
  { customerShape, statusField }: CustomerWriteOptions,
): Json => ({ id: document.id, ...shapes[customerShape](document), [statusField]: status })
