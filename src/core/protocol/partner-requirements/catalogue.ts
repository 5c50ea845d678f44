/** The catalogue of partner requirements: all of them, by their operation, and those that a request does not meet. */
import type { Conduct } from '../conduct.ts'
import { findClosestName } from '../closest-name.ts'
import { receivedText } from '../issue-text.ts'
import { isUnknownRecord } from '../unknown-record.ts'
import { customerRequirements } from './customer.ts'
import { indoorRequirements } from './indoor.ts'
import { logisticsRequirements } from './logistics.ts'
import { ordersRequirements } from './orders.ts'
import {
  type LocatedValue,
  type PartnerRequirement,
  mayHave,
  mustHave,
  requirementsOf,
} from './requirement.ts'
import { merchantStatuses } from '../auth/merchants.ts'
import { oneOf, text } from './expectation.ts'

/** What every partner requires of token requests and of the list of merchants. */
const authenticationRequirements: readonly PartnerRequirement[] = [
  ...requirementsOf('T2', ['AUT-UND-03'], ['issueToken'])(mustHave('grant_type', text)),
  ...requirementsOf(
    'T4',
    ['AUT-UND-02'],
    ['listMerchants'],
  )(mayHave('status', oneOf('a status of a merchant', merchantStatuses), { of: 'query' })),
]

export const partnerRequirements: readonly PartnerRequirement[] = [
  ...authenticationRequirements,
  ...ordersRequirements,
  ...indoorRequirements,
  ...logisticsRequirements,
  ...customerRequirements,
]

const byOperation: ReadonlyMap<string, readonly { readonly row: PartnerRequirement }[]> =
  Map.groupBy(
    partnerRequirements.flatMap((row) => row.operations.map((operation) => ({ operation, row }))),
    ({ operation }) => operation,
  )

/** A request, as far as requirements look at it. */
export interface RequiredRequest {
  /** The body as it was sent; an empty object for none. */
  readonly body: unknown
  readonly query: (name: string) => readonly string[]
  /** The document of the order that the path names; undefined if there is none, or the caller may not see it. */
  readonly order: () => unknown
}

/** A requirement that a request does not meet. */
export interface UnmetRequirement {
  readonly requirement: PartnerRequirement
  /** The field, with the places in lists: `customers.0.contacts.1.type`. */
  readonly field: string
  /** `code: expected …, received "FOO"` */
  readonly problem: string
}

/** The values at a path of names below a value; an absent object has none. */
function valuesAt(
  { path, value }: LocatedValue,
  names: readonly string[],
): readonly LocatedValue[] {
  const [name, ...rest] = names
  if (name === undefined) return [{ path, value }]
  if (name === '*')
    return Array.isArray(value)
      ? value.flatMap((each: unknown, index) =>
          valuesAt({ path: [...path, index], value: each }, rest),
        )
      : []
  if (!isUnknownRecord(value)) return []
  return valuesAt({ path: [...path, name], value: value[name] }, rest)
}

/** The objects that have the field: parts of the body, the query, or an order. */
function holdersOf(
  { of, within, at }: PartnerRequirement,
  { body, query, order }: RequiredRequest,
): readonly LocatedValue[] {
  if (of === 'query') return [{ path: [], value: { [at]: query(at)[0] } }]
  if (of === 'order') return [{ path: [], value: order() }]
  return within ? within.of(body) : [{ path: [], value: body }]
}

function problemOf(field: string, { says, words }: PartnerRequirement['expects'], value: unknown) {
  const closest =
    words && typeof value === 'string' && value !== '' ? findClosestName(value, words) : undefined
  const suggestion = closest === undefined ? '' : `; is ${closest} meant?`
  return `${field}: expected ${says}, received ${receivedText(value)}${suggestion}`
}

function unmetOf(
  requirement: PartnerRequirement,
  request: RequiredRequest,
  conduct: Conduct,
): readonly UnmetRequirement[] {
  const { at, when, expects, optional } = requirement
  const names = at === '' ? [] : at.split('.')
  return holdersOf(requirement, request).flatMap((holder) => {
    if (when && !when.holds(isUnknownRecord(holder.value) ? holder.value : {}, conduct)) return []
    return valuesAt(holder, names).flatMap(({ path, value }) => {
      if ((optional && value === undefined) || expects.fits(value)) return []
      const field = path.join('.') || 'its root'
      return [{ requirement, field, problem: problemOf(field, expects, value) }]
    })
  })
}

/** Whether there are requirements of an operation. */
export const hasRequirements = (operation: string): boolean => byOperation.has(operation)

/** The requirements of an operation that hold in a conduct; those of single requests have a condition. */
export const requirementsInConduct = (
  operation: string,
  conduct: Conduct,
): readonly PartnerRequirement[] =>
  (byOperation.get(operation) ?? [])
    .map(({ row }) => row)
    .filter(({ when }) => !when?.isOfConduct || when.holds({}, conduct))

/** Every requirement that a request of an operation does not meet. */
export const unmetRequirements = (
  operation: string,
  request: RequiredRequest,
  conduct: Conduct,
): readonly UnmetRequirement[] =>
  (byOperation.get(operation) ?? []).flatMap(({ row }) => unmetOf(row, request, conduct))
