/**
 * What a customer is known by: one canonical identifier, and the ids that other systems have (CUS-OVR-01 to 03, 07).
 * Two records that share any of these are one customer, however the values are punctuated.
 */
import { z } from 'zod'

export const identifierTypes = ['document', 'phone', 'email', 'external_id', 'custom'] as const
export type IdentifierType = (typeof identifierTypes)[number]

export const Identifier = z.looseObject({
  type: z.enum(identifierTypes),
  value: z.string().trim().min(1).max(500),
})
export type Identifier = z.infer<typeof Identifier>

/** An id that another system has: a text such as `app:123`, or its parts. */
export const ExternalId = z.union([
  z.string().min(1).max(500),
  z.looseObject({ source: z.string(), value: z.string().min(1).max(500) }),
  z.looseObject({ source: z.string(), key: z.string().min(1).max(500) }),
])
export type ExternalId = z.infer<typeof ExternalId>

/** An external id as one text. */
export function externalText(id: ExternalId): string {
  if (typeof id === 'string') return id
  const value = String('value' in id ? id.value : id.key)
  return id.source === '' ? value : `${id.source}:${value}`
}

/** The parts of such a text; whoever wrote no source has none. */
export function externalParts(text: string): { readonly source: string; readonly value: string } {
  const colon = text.indexOf(':')
  return colon === -1
    ? { source: 'unknown', value: text }
    : { source: text.slice(0, colon), value: text.slice(colon + 1) }
}

const normal: Readonly<Record<IdentifierType, (value: string) => string>> = {
  document: (value) => value.replaceAll(/[\s./-]/g, '').toUpperCase(),
  phone: (value) => value.replaceAll(/\D/g, ''),
  email: (value) => value.toLowerCase(),
  external_id: (value) => value,
  custom: (value) => value,
}

/**
 * What stands for an identifier where customers are looked up. A value of which nothing is left, such as a phone without
 * a digit, stands as it is: or all who have one would be the same customer.
 */
export function identifierKey({ type, value }: Identifier): string {
  const text = value.trim()
  return `${type}|${normal[type](text) || text}`
}

/** An external id is what an identifier of that type is. */
export const externalKey = (text: string): string => `external_id|${text.trim()}`

/** The id under which one side knows a customer: a key among that side's ids only (CUS-OVR-09). */
export const ownerKey = (owner: string, id: string): string => `id of ${owner}|${id}`
