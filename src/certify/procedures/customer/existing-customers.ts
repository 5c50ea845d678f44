/** Customers whom the service knows: those of --data, or one that is made up and pushed. */
import type { CustomerIdentifier } from '../../../core/protocol/customer/identifier.ts'
import { CustomerIdentifier as Identifier } from '../../../core/protocol/customer/identifier.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { lacksData } from '../../judge/certification-data.ts'
import { bodyValue, isAcceptedCall } from '../../../core/rules/checks/assertion.ts'
import type { ProcedureContext } from '../../judge/procedure.ts'
import { listRecords, push, send } from './partner.ts'
import { type NamedCustomer, sampleCustomer } from './samples.ts'
import { noCustomer } from '../../../core/rules/checks/customer/assertions.ts'

/** A customer of the service, or of ours. */
export interface CertifiedCustomer extends NamedCustomer {
  /** As it is pushed: what the service shows of it, or what is made up. */
  readonly record: UnknownRecord
  /** It is one of --data. */
  readonly isExisting: boolean
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const identifierOf = (id: string, record: UnknownRecord): CustomerIdentifier => {
  const parsed = Identifier.safeParse(record['identifier'])
  return parsed.success ? parsed.data : { type: 'external_id', value: id }
}

/** What names a customer, read from a record of the service, whose fields the documents leave open (CUS-UND-02). */
function namedCustomer(id: string, record: UnknownRecord): CertifiedCustomer {
  const identifier = identifierOf(id, record)
  const contact = (type: 'email' | 'phone'): string | undefined =>
    text(bodyValue(record, `/contacts/${type}`)) ??
    (identifier.type === type ? identifier.value : undefined)
  const { externalIds } = record
  return {
    id,
    identifier,
    externalIds: Array.isArray(externalIds)
      ? externalIds.filter((each) => typeof each === 'string')
      : [],
    name: text(record['name']) ?? id,
    contacts: { email: contact('email'), phone: contact('phone') },
    record: { id, identifier, ...record },
    isExisting: true,
  }
}

/**
 * The customer of --data at this slot; undefined when there is none. Where the service shows no customers at all, its id is
 * all that is known.
 */
export async function existingCustomer(
  context: ProcedureContext,
  slot = 0,
): Promise<CertifiedCustomer | undefined> {
  const { customers } = context.data
  const id = customers[slot % customers.length]
  if (id === undefined) return undefined
  const { status, reply } = await send(context, 'existing-customer', 'getCustomerById', {
    params: { id },
  })
  if (status === 200 && isUnknownRecord(reply)) return namedCustomer(id, reply)
  const listed = await listRecords(context, 'existing-customers', 'customer')
  const record = listed.find((each) => each['id'] === id)
  if (!record && listed.length > 0)
    return context.skip(`it has no customer ${id}, which --data gives`)
  return namedCustomer(id, record ?? {})
}

/** Ends a procedure whose orders, leads and reviews were of a customer whom the service did not take. */
export function endWithoutCustomer(context: ProcedureContext): never {
  context.note(noCustomer, 'it does not know the customer of orders, leads and reviews')
  return context.skip(lacksData('it takes no customer of ours', 'customers'))
}

/** A customer of --data, else one that is made up. */
export async function anyCustomer(
  context: ProcedureContext,
  slot?: number,
): Promise<CertifiedCustomer> {
  const input = await existingCustomer(context, slot)
  if (input) return input
  const customer = sampleCustomer(context)
  return { ...customer, record: customer, isExisting: false }
}

/** A customer whom the CRM knows: one of --data, else one that is pushed to it, without which the procedure ends. */
export async function knownToCrm(
  context: ProcedureContext,
  step: string,
  slot?: number,
): Promise<CertifiedCustomer> {
  const customer = await anyCustomer(context, slot)
  if (customer.isExisting) return customer
  const pushed = await push(context, step, 'customer', customer.record)
  if (!isAcceptedCall(pushed))
    return context.skip(
      lacksData(`it takes no customer of ours (it answers ${pushed.status})`, 'customers'),
    )
  return customer
}
