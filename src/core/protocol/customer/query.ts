/**
 * Query parameters of lists: page, period and filters (fields.md C10, CUS-UND-04), under the field's names and plain
 * ones. Error messages name the invalid parameter (CUS-ERR-01).
 */
import { compact } from '../../base/compact.ts'
import { parseDateTime } from '../date-time.ts'
import { err, ok, type Result } from '../result.ts'
import { CustomerIdentifier, identifierKey } from './identifier.ts'

export type QueryValues = (name: string) => readonly string[]

export interface Paging {
  readonly page: number
  readonly pageSize: number
}

export const maxListPageSize = 500
export const defaultListPageSize = 50

/** The first non-empty value of a query under any of these names. */
export const firstQueryValue = (
  query: QueryValues,
  ...names: readonly string[]
): string | undefined => {
  for (const name of names) {
    const [value] = query(name)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function parseInteger(
  query: QueryValues,
  name: string,
  defaultValue: number,
  max: number,
): Result<number, string> {
  const text = firstQueryValue(query, name)
  if (text === undefined) return ok(defaultValue)
  const value = Number(text)
  return /^\d+$/.test(text) && value >= 1 && value <= max
    ? ok(value)
    : err(`${name} is no whole number from 1 to ${max}: ${text.slice(0, 50)}`)
}

export function parsePaging(
  query: QueryValues,
  defaultSize = defaultListPageSize,
): Result<Paging, string> {
  const page = parseInteger(query, 'page', 1, 1_000_000)
  if (!page.ok) return page
  const pageSize = parseInteger(query, 'pageSize', defaultSize, maxListPageSize)
  return pageSize.ok ? ok({ page: page.value, pageSize: pageSize.value }) : pageSize
}

/** A period in Unix milliseconds, both ends inclusive; an absent end is open. */
export interface Period {
  readonly from?: number
  readonly to?: number
}

function parseInstant(
  query: QueryValues,
  ...names: readonly string[]
): Result<number | undefined, string> {
  const text = firstQueryValue(query, ...names)
  if (text === undefined) return ok(undefined)
  const value = parseDateTime(text)
  return value === undefined
    ? err(`${names[0]} is no ISO 8601 date-time: ${text.slice(0, 50)}`)
    : ok(value)
}

/** Parses a period, such as `createdFrom` and `createdTo`; with `plain` also `from` and `to`. */
export function parsePeriod(
  query: QueryValues,
  prefix: 'created' | 'updated',
  plain: boolean,
): Result<Period, string> {
  const from = parseInstant(query, `${prefix}From`, ...(plain ? ['from'] : []))
  if (!from.ok) return from
  const to = parseInstant(query, `${prefix}To`, ...(plain ? ['to'] : []))
  if (!to.ok) return to
  if (from.value !== undefined && to.value !== undefined && from.value > to.value)
    return err(`${prefix}From is after ${prefix}To`)
  return ok(compact({ from: from.value, to: to.value }))
}

export const isInPeriod = ({ from, to }: Period, instantOf: number): boolean =>
  (from === undefined || instantOf >= from) && (to === undefined || instantOf <= to)

/** Length of a period in ms, up to `now` if its end is open; undefined if its beginning is open. */
export const periodLengthMs = ({ from, to }: Period, now: number): number | undefined =>
  from === undefined ? undefined : Math.max(0, (to ?? now) - from)

/** The customer identifier filter of a query as a lookup key; undefined without one. */
export function parseIdentityFilter(query: QueryValues): Result<string | undefined, string> {
  const type = firstQueryValue(query, 'customerIdentifierType')
  const value = firstQueryValue(query, 'customerIdentifierValue')
  if (type === undefined && value === undefined) return ok(undefined)
  const identifier = CustomerIdentifier.safeParse({ type, value })
  if (identifier.success) return ok(identifierKey(identifier.data))
  return err(
    type === undefined || value === undefined
      ? `customerIdentifier${type === undefined ? 'Type' : 'Value'} is missing beside the other`
      : `customerIdentifierType is none of the five types: ${type.slice(0, 50)}`,
  )
}
