/**
 * A customer as somebody sends it: what the overview lists, what the REST binding lists, or the typed lists of the field
 * (CUS-OVR-*, CUS-ING-*, fields.md C1). All of them are read into one form, in which whatever is absent is not known.
 */
import { z } from 'zod'
import { DateTime } from '../date-time.ts'
import { ExternalId, externalText, Identifier } from './identifier.ts'

export const customerStatuses = ['lead', 'active', 'inactive'] as const
export const CustomerStatus = z.enum(customerStatuses)
export type CustomerStatus = z.infer<typeof CustomerStatus>

const Contacts = z.union([
  z.looseObject({ email: z.string().optional(), phone: z.string().optional() }),
  z.array(z.looseObject({ type: z.string(), value: z.string() })),
])

const ConsentEntry = z.looseObject({
  purpose: z.string().optional(),
  status: z.enum(['opt_in', 'opt_out', 'legal_consent', 'revoked']).optional(),
  grantedAt: DateTime.optional(),
  revokedAt: DateTime.optional(),
})

/** `null` says as little as nothing. */
const isSaid = (value: unknown): boolean => value !== undefined && value !== null

const bindingFields = [
  'id',
  'externalIds',
  'name',
  'contacts',
  'consent',
  'createdAt',
  'updatedAt',
] as const

/** The first field of the binding that a customer lacks. */
export const lacksOfBinding = (customer: Readonly<Record<string, unknown>>): string | undefined =>
  bindingFields.find((field) =>
    field === 'name' ? typeof customer[field] !== 'string' : !isSaid(customer[field]),
  )

/**
 * Only `identifier` is required, or else all that the binding requires (CUS-TEN-01). Name, document, address and metadata
 * may be of any type (CUS-OVR-04), and fields that nobody lists are kept.
 */
export const CustomerInput = z
  .looseObject({
    id: z.string().min(1).max(200).nullish(),
    identifier: Identifier.nullish(),
    externalIds: z.array(ExternalId).max(100).nullish(),
    contacts: Contacts.nullish(),
    consent: z
      .looseObject({ marketing: z.boolean().optional(), updatedAt: DateTime.optional() })
      .nullish(),
    consents: z.array(ConsentEntry).nullish(),
    status: CustomerStatus.nullish(),
    createdAt: DateTime.nullish(),
    updatedAt: DateTime.nullish(),
  })
  .check((context) => {
    if (context.value.identifier) return
    const lacking = lacksOfBinding(context.value)
    if (lacking !== undefined)
      context.issues.push({
        code: 'custom',
        input: context.value,
        path: ['identifier'],
        message: `it is missing; a customer without it needs ${bindingFields.join(', ')}, and ${lacking} is missing too`,
      })
  })
export type CustomerInput = z.infer<typeof CustomerInput>

export interface Consent {
  readonly marketing?: boolean | undefined
  readonly updatedAt?: string | undefined
  readonly [field: string]: unknown
}

/** What somebody says of a customer, in the one form that we work with. */
export interface GivenCustomer {
  readonly id?: string
  readonly identifier?: Identifier
  readonly externalIds: readonly string[]
  /** Name, contacts, document, demographics, address, metadata and whatever else there is. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly consent?: Consent
  readonly status?: CustomerStatus
  readonly createdAt?: string
  readonly updatedAt?: string
}

/** The first phone and the first e-mail by name, and the list for what has no name of its own. */
function namedContacts(list: readonly { type: string; value: string }[]): Record<string, unknown> {
  const named: Record<string, unknown> = {}
  const others: unknown[] = []
  for (const contact of list)
    if ((contact.type === 'phone' || contact.type === 'email') && !(contact.type in named))
      named[contact.type] = contact.value
    else others.push(contact)
  return others.length === 0 ? named : { ...named, others }
}

/** The marketing consent among consents by purpose; one without a purpose is that. */
function marketingOf(consents: CustomerInput['consents']): Consent | undefined {
  const entry = consents?.find(({ purpose }) => purpose === undefined || purpose === 'marketing')
  if (entry?.status === undefined || entry.status === 'legal_consent') return undefined
  const marketing = entry.status === 'opt_in'
  const updatedAt = marketing ? entry.grantedAt : (entry.revokedAt ?? entry.grantedAt)
  return { marketing, ...(updatedAt === undefined ? {} : { updatedAt }) }
}

/** What is said, without what is not. */
const said = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => isSaid(value))) as {
    [Name in keyof Fields]?: NonNullable<Fields[Name]>
  }

/** The fields that have no place of their own, with lists of the field in the form that the documents name. */
function fieldsOf(
  rest: Readonly<Record<string, unknown>>,
  contacts: CustomerInput['contacts'],
): Readonly<Record<string, unknown>> {
  const { birthDate, addresses, ...others } = rest
  const list = Array.isArray(addresses) ? (addresses as readonly unknown[]) : []
  return said({
    ...others,
    contacts: Array.isArray(contacts) ? namedContacts(contacts) : contacts,
    ...(isSaid(birthDate) ? { demographics: { birthDate } } : {}),
    ...(list.length === 0 ? {} : { address: list[0] }),
    ...(list.length < 2 ? {} : { addresses: list }),
  })
}

/** Reads a customer, whatever shape it came in; its status stands in a field of whatever name. */
export function customerOf(input: CustomerInput, statusField = 'status'): GivenCustomer {
  const { id, identifier, externalIds, contacts, createdAt, updatedAt, ...more } = input
  const { consent, consents, [statusField]: given, ...rest } = more
  const status = CustomerStatus.safeParse(given)
  return {
    ...said({ id, identifier, createdAt, updatedAt }),
    externalIds: [...new Set((externalIds ?? []).map(externalText))],
    fields: fieldsOf(rest, contacts),
    ...said({
      consent: consent ?? marketingOf(consents),
      status: status.success ? status.data : undefined,
    }),
  }
}
