/** What a customer must have on the wire: the set of the overview, or that of the binding (CUS-TEN-01). */
import { identifierTypes } from '../../../core/protocol/customer/identifier.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import {
  body,
  isDateTime,
  isObject,
  isOneOf,
  isText,
  optional,
  required,
} from '../../judge/assertion.ts'

/** Fields that the binding requires, each with its type (CUS-ING-02 to 07). */
export const bindingFields = [
  'id',
  'externalIds',
  'name',
  'contacts',
  'consent',
  'createdAt',
  'updatedAt',
] as const

export const identifierProblem = body(
  required('/identifier', isObject),
  required('/identifier/type', isOneOf(...identifierTypes)),
  required('/identifier/value', isText),
)

export const missingBindingFields = (customer: unknown): readonly string[] =>
  bindingFields.filter((field) => !isUnknownRecord(customer) || !Object.hasOwn(customer, field))

/** The customer has one of the two sets, of the right types. */
export function customerProblem(customer: unknown): string | undefined {
  const hasIdentifier = isUnknownRecord(customer) && Object.hasOwn(customer, 'identifier')
  if (hasIdentifier) return identifierProblem(customer)
  const missing = missingBindingFields(customer)
  if (missing.length > 0)
    return `it has no identifier, and of the binding's fields ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
  return body(optional('/createdAt', isDateTime), optional('/updatedAt', isDateTime))(customer)
}
