/**
 * Identifiers of a customer: one canonical identifier, and external ids of other systems (CUS-OVR-01 to 03, 07). Two
 * records that share any of these are one customer; values are normalised before comparison.
 */
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

export const identifierTypes = ['document', 'phone', 'email', 'external_id', 'custom'] as const
export type CustomerIdentifierType = (typeof identifierTypes)[number]

export const CustomerIdentifier = looseObject(() => ({
  type: z.enum(identifierTypes),
  value: z.string().trim().min(1).max(500),
}))
export type CustomerIdentifier = z.infer<typeof CustomerIdentifier>

/** An id in another system: a string such as `app:123`, or its parts. */
export const ExternalId = z.union([
  z.string().min(1).max(500),
  looseObject(() => ({ source: z.string(), value: z.string().min(1).max(500) })),
  looseObject(() => ({ source: z.string(), key: z.string().min(1).max(500) })),
])
export type ExternalId = z.infer<typeof ExternalId>

/** An external id as one string. */
export function formatExternalId(id: ExternalId): string {
  if (typeof id === 'string') return id
  const value = String('value' in id ? id.value : id.key)
  return id.source === '' ? value : `${id.source}:${value}`
}

/** The parts of an external id; the source is `unknown` if it has none. */
export function parseExternalId(text: string): { readonly source: string; readonly value: string } {
  const colon = text.indexOf(':')
  return colon === -1
    ? { source: 'unknown', value: text }
    : { source: text.slice(0, colon), value: text.slice(colon + 1) }
}

const normalisers: Readonly<Record<CustomerIdentifierType, (value: string) => string>> = {
  document: (value) => value.replaceAll(/[\s./-]/g, '').toUpperCase(),
  phone: (value) => value.replaceAll(/\D/g, ''),
  email: (value) => value.toLowerCase(),
  external_id: (value) => value,
  custom: (value) => value,
}

/**
 * Lookup key of an identifier, normalised. A value that normalises to nothing, such as a phone without a digit, is used
 * unchanged: otherwise all customers with such a value would be merged.
 */
export function identifierKey({ type, value }: CustomerIdentifier): string {
  const text = value.trim()
  return `${type}|${normalisers[type](text) || text}`
}

/** Lookup key of an external id, equal to that of an identifier of type `external_id`. */
export const externalIdKey = (text: string): string => `external_id|${text.trim()}`

/** Lookup key of one side's own customer id, scoped to that side (CUS-OVR-09). */
export const ownerKey = (owner: string, id: string): string => `id of ${owner}|${id}`
