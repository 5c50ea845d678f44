/**
 * A customer as received: fields of the overview, of the REST binding, or the typed lists of the field (CUS-OVR-*,
 * CUS-ING-*, fields.md C1). All are read into one form, in which an absent value is unknown.
 */
import { compact } from '../../base/compact.ts'
import { z } from 'zod'
import { DateTime } from '../date-time.ts'
import { ExternalId, formatExternalId, CustomerIdentifier } from './identifier.ts'
import { looseObject } from '../../base/lazy-object.ts'
import { evenIfInvalid } from '../unknown-record.ts'

export const customerStatuses = ['lead', 'active', 'inactive'] as const
export const CustomerStatus = z.enum(customerStatuses)
export type CustomerStatus = z.infer<typeof CustomerStatus>

const Contacts = z.union([
  looseObject(() => ({ email: z.string().optional(), phone: z.string().optional() })),
  z.array(looseObject(() => ({ type: z.string(), value: z.string() }))),
])

const ConsentEntry = looseObject(() => ({
  purpose: z.string().optional(),
  status: z.enum(['opt_in', 'opt_out', 'legal_consent', 'revoked']).optional(),
  grantedAt: DateTime.optional(),
  revokedAt: DateTime.optional(),
}))

/** `null` counts as absent. */
const isPresent = (value: unknown): boolean => value !== undefined && value !== null

/** Fields that the binding requires (CUS-ING-02 to 07). */
export const bindingFields = [
  'id',
  'externalIds',
  'name',
  'contacts',
  'consent',
  'createdAt',
  'updatedAt',
] as const

/** The required fields of the binding that are missing. */
export const absentBindingFields = (
  customer: Readonly<Record<string, unknown>>,
): readonly string[] =>
  bindingFields.filter((field) =>
    field === 'name' ? typeof customer[field] !== 'string' : !isPresent(customer[field]),
  )

/**
 * Either `identifier` is required, or all fields that the binding requires (CUS-TEN-01). Name, document, address and
 * metadata may be of any type (CUS-OVR-04); unknown fields are kept.
 */
export const CustomerInput = looseObject(() => ({
  id: z.string().min(1).max(200).nullish(),
  identifier: CustomerIdentifier.nullish(),
  externalIds: z.array(ExternalId).max(100).nullish(),
  contacts: Contacts.nullish(),
  consent: z
    .looseObject({ marketing: z.boolean().optional(), updatedAt: DateTime.optional() })
    .nullish(),
  consents: z.array(ConsentEntry).nullish(),
  status: CustomerStatus.nullish(),
  createdAt: DateTime.nullish(),
  updatedAt: DateTime.nullish(),
})).superRefine((customer, context) => {
  if (customer.identifier) return
  const lacking = absentBindingFields(customer)
  if (lacking.length > 0)
    context.addIssue({
      code: 'custom',
      path: ['identifier'],
      message: `it is missing; a customer without it needs ${bindingFields.join(', ')}, of which it lacks ${lacking.join(', ')}`,
    })
}, evenIfInvalid)
export type CustomerInput = z.infer<typeof CustomerInput>

export interface Consent {
  readonly marketing?: boolean | undefined
  readonly updatedAt?: string | undefined
  readonly [field: string]: unknown
}

/** Received customer data in the normalised form. */
export interface CustomerData {
  readonly id?: string
  readonly identifier?: CustomerIdentifier
  readonly externalIds: readonly string[]
  /** Name, contacts, document, demographics, address, metadata and unknown fields. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly consent?: Consent
  readonly status?: CustomerStatus
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** The first phone and the first e-mail as named fields, all other contacts under `others`. */
function namedContacts(list: readonly { type: string; value: string }[]): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  const others: unknown[] = []
  for (const contact of list)
    if ((contact.type === 'phone' || contact.type === 'email') && !(contact.type in named))
      named[contact.type] = contact.value
    else others.push(contact)
  return others.length === 0 ? named : { ...named, others }
}

/** The marketing consent in a list of consents; an entry without a purpose counts as marketing. */
function marketingConsentOf(consents: CustomerInput['consents']): Consent | undefined {
  const entry = consents?.find(({ purpose }) => purpose === undefined || purpose === 'marketing')
  if (entry?.status === undefined || entry.status === 'legal_consent') return undefined
  const marketing = entry.status === 'opt_in'
  const updatedAt = marketing ? entry.grantedAt : (entry.revokedAt ?? entry.grantedAt)
  return { marketing, ...compact({ updatedAt }) }
}

/** Omits undefined and null fields. */
const omitAbsent = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isPresent(value))) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>
  }

/** The remaining fields, with the field's typed lists converted to the documents' form. */
function fieldsOf(
  rest: Readonly<Record<string, unknown>>,
  contacts: CustomerInput['contacts'],
): Readonly<Record<string, unknown>> {
  const { birthDate, addresses, ...others } = rest
  const list = Array.isArray(addresses) ? (addresses as readonly unknown[]) : []
  return omitAbsent({
    ...others,
    contacts: Array.isArray(contacts) ? namedContacts(contacts) : contacts,
    ...(isPresent(birthDate) ? { demographics: { birthDate } } : {}),
    ...(list.length === 0 ? {} : { address: list[0] }),
    ...(list.length < 2 ? {} : { addresses: list }),
  })
}

/** Normalises a customer of any shape; `statusField` names the field of its status. */
export function readCustomer(input: CustomerInput, statusField = 'status'): CustomerData {
  const { id, identifier, externalIds, contacts, createdAt, updatedAt, ...more } = input
  const { consent, consents, [statusField]: statusValue, ...rest } = more
  const status = CustomerStatus.safeParse(statusValue)
  return {
    ...omitAbsent({ id, identifier, createdAt, updatedAt }),
    externalIds: [...new Set((externalIds ?? []).map(formatExternalId))],
    fields: fieldsOf(rest, contacts),
    ...omitAbsent({
      consent: consent ?? marketingConsentOf(consents),
      status: status.success ? status.data : undefined,
    }),
  }
}
