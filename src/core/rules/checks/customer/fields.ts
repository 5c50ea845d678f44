/** Checks of the fields of customers and leads that a service sends or returns: CUS-OVR, CUS-ING, CUS-STA, CUS-LED. */
import { bindingFields, customerStatuses } from '../../../protocol/customer/customer.ts'
import { identifierTypes } from '../../../protocol/customer/identifier.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { type Check, defineChecks } from '../check.ts'
import {
  bodyValue,
  callsOf,
  type Deviation,
  each,
  isArrayValue,
  isBoolean,
  isDateTime,
  isObject,
  isOneOf,
  isText,
  notice,
  optional,
  valuesAt,
  type ValueTest,
  body,
  required,
} from '../assertion.ts'
import { ofTrace } from '../live.ts'
import { ofApplication, ofCustomer } from './assertions.ts'
import { eachRecord, hasIdentifier, isBinding, type SharedRecord } from './records.ts'

export const identifierProblem = body(
  required('/identifier', isObject),
  required('/identifier/type', isOneOf(...identifierTypes)),
  required('/identifier/value', isText),
)

export const missingBindingFields = (customer: unknown): readonly string[] =>
  bindingFields.filter((field) => !isUnknownRecord(customer) || !Object.hasOwn(customer, field))

/** The customer has one of the two sets, of the right types. */
export function customerProblem(customer: unknown): string | undefined {
  if (isUnknownRecord(customer) && Object.hasOwn(customer, 'identifier'))
    return identifierProblem(customer)
  const missing = missingBindingFields(customer)
  if (missing.length > 0)
    return `it has no identifier, and of the binding's fields ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`
  return body(optional('/createdAt', isDateTime), optional('/updatedAt', isDateTime))(customer)
}

/** The field is of this type wherever it is present. */
const typed = (pointer: string, test: ValueTest) => {
  const hasType = optional(pointer, test)
  return ({ record }: SharedRecord): string | undefined => {
    const problem = hasType(record)
    return problem === undefined ? undefined : `a customer is wrong at ${problem}`
  }
}

/**
 * A field that the binding requires: present where the service sends a customer by it, of its type everywhere in the
 * notation of the binding. One that lacks it and has an identifier follows the overview (CUS-TEN-01).
 */
const bindingField =
  (field: string, ...tests: readonly ValueTest[]) =>
  (shared: SharedRecord): Deviation => {
    const { record, observed } = shared
    if (!Object.hasOwn(record, field)) {
      if (!observed.isCall) return undefined
      const text = `a customer that it sends has no ${field}`
      return hasIdentifier(shared) ? notice(text) : text
    }
    for (const test of tests) {
      const problem = test(record)
      if (problem !== undefined) return `a customer is wrong at ${problem}`
    }
    return undefined
  }

const isTextList: ValueTest = optional('/*', isText)

/** Fields that the binding requires, by their clause. */
const bindingRows: Readonly<Record<string, readonly [field: string, ...ValueTest[]]>> = {
  'CUS-ING-02': ['id', optional('/id', isText)],
  'CUS-ING-03': [
    'externalIds',
    optional('/externalIds', isArrayValue),
    optional('/externalIds', isTextList),
  ],
  'CUS-ING-04': ['name', optional('/name', isText)],
  'CUS-ING-05': [
    'contacts',
    optional('/contacts', isObject),
    optional('/contacts/email', isText),
    optional('/contacts/phone', isText),
  ],
  'CUS-ING-06': [
    'consent',
    optional('/consent', isObject),
    optional('/consent/marketing', isBoolean),
    optional('/consent/updatedAt', isDateTime),
  ],
  'CUS-ING-07': [
    'updatedAt',
    optional('/createdAt', isDateTime),
    optional('/updatedAt', isDateTime),
  ],
}

/** Where customers come up: in queries, and where an Ordering Application pushes. */
const procedures = ['customer-operations', 'customer-orders']

const bindingChecks = Object.entries(bindingRows).map(([clause, [field, ...tests]]): Check => ({
  clauses: [clause],
  ...ofCustomer,
  procedures,
  assertion: eachRecord('customer', isBinding, bindingField(field, ...tests)),
  remedy: `Send and return customers with ${field === 'updatedAt' ? 'createdAt and updatedAt' : field}, in the form of the binding.`,
}))

const everyCustomer = (): boolean => true

export const fieldChecks = defineChecks(
  { ...ofApplication, procedures },
  {
    'CUS-OVR-01': {
      ...ofCustomer,
      procedures,
      assertion: eachRecord('customer', everyCustomer, ({ record }) => {
        const problem = Object.hasOwn(record, 'identifier')
          ? optional('/identifier', isObject)(record)
          : customerProblem(record)
        return problem === undefined ? undefined : `a customer is wrong: ${problem}`
      }),
      remedy: 'Give each customer an object identifier with its type and value.',
    },
    'CUS-OVR-02': {
      assertion: eachRecord(
        'customer',
        hasIdentifier,
        typed('/identifier/type', isOneOf(...identifierTypes)),
      ),
      remedy: 'Use one of the five types of identifiers, written as the documents do.',
    },
    'CUS-OVR-03': {
      ...ofCustomer,
      procedures,
      assertion: eachRecord('customer', hasIdentifier, ({ record }) =>
        typeof (isUnknownRecord(record['identifier'])
          ? record['identifier']['value']
          : undefined) === 'string'
          ? undefined
          : 'a customer has an identifier whose value is no text',
      ),
      remedy: 'Give the value of an identifier as a text.',
    },
    'CUS-OVR-05': {
      assertion: eachRecord(
        'customer',
        ({ record }) => Object.hasOwn(record, 'contacts'),
        typed('/contacts', isObject),
      ),
      remedy: 'Send the contacts of a customer as an object.',
    },
    'CUS-OVR-07': {
      assertion: eachRecord(
        'customer',
        ({ record }) => Object.hasOwn(record, 'externalIds'),
        typed('/externalIds', isArrayValue),
      ),
      remedy: 'Send the external ids of a customer as a list.',
    },
    'CUS-TEN-01': {
      // CUS-OVR-01 tells it while traffic comes.
      assertion: ofTrace(
        eachRecord('customer', everyCustomer, ({ record }) => {
          const problem = customerProblem(record)
          return problem === undefined ? undefined : `a customer is wrong: ${problem}`
        }),
      ),
      remedy: 'Send a customer with identifier, or with all fields that the binding requires.',
    },
    'CUS-STA-01': {
      ...ofCustomer,
      procedures,
      assertion: eachRecord(
        'customer',
        ({ record }) => typeof record['status'] === 'string',
        typed('/status', isOneOf(...customerStatuses)),
      ),
      remedy: 'Give the status of a customer as lead, active or inactive.',
    },
    'CUS-ING-01': {
      procedures: ['own-customers'],
      assertion: each(callsOf('ingestCustomer'), ({ request }) => {
        // How several customers are wrapped is not documented (CUS-UND-05).
        const isBatch =
          Array.isArray(request) ||
          valuesAt(request, '/customers/*').length > 0 ||
          valuesAt(request, '/items/*').length > 0
        return isBatch || isUnknownRecord(bodyValue(request, '/customer'))
          ? undefined
          : 'it sends a customer that is no object under the key customer'
      }),
      remedy: 'Send a customer as an object under the key customer.',
    },
  },
  bindingChecks,
)

const leadRows = [
  ['CUS-LED-01', 'id', 'required'],
  ['CUS-LED-02', 'source', 'required'],
  ['CUS-LED-03', 'status', 'required'],
  ['CUS-LED-04', 'customerRef', 'optional'],
] as const

export const leadFieldChecks: readonly Check[] = leadRows.map(
  ([clause, field, presence]): Check => ({
    clauses: [clause],
    ...ofCustomer,
    procedures: ['customer-operations', 'own-leads'],
    assertion: eachRecord(
      'lead',
      ({ record }) => presence === 'required' || Object.hasOwn(record, field),
      (shared) => {
        const { record } = shared
        if (!Object.hasOwn(record, field))
          return isBinding(shared) ? `a lead that it sends has no ${field}` : undefined
        const problem = optional(`/${field}`, isText)(record)
        return problem === undefined ? undefined : `a lead is wrong at ${problem}`
      },
    ),
    remedy: `Give each lead its ${field} as a text.`,
  }),
)
