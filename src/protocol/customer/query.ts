/**
 * What a list of Customer may be asked for: page, period and filters (fields.md C10, CUS-UND-04), by the field's names
 * and by the plain ones. What cannot be meant is told by the parameter's name (CUS-ERR-01).
 */
import { parseDateTime } from '../date-time.ts'
import { no, ok, type Result } from '../result.ts'
import { Identifier, identifierKey } from './identifier.ts'

export type Query = (name: string) => readonly string[]

export interface Paging {
  readonly page: number
  readonly pageSize: number
}

export const mostPerPage = 500
export const usualPageSize = 50

/** The first value that a query has under one of these names. */
export const firstOf = (query: Query, ...names: readonly string[]): string | undefined => {
  for (const name of names) {
    const [value] = query(name)
    if (value !== undefined && value !== '') return value
  }
  return undefined
}

function whole(query: Query, name: string, usual: number, most: number): Result<number, string> {
  const text = firstOf(query, name)
  if (text === undefined) return ok(usual)
  const value = Number(text)
  return /^\d+$/.test(text) && value >= 1 && value <= most
    ? ok(value)
    : no(`${name} is no whole number from 1 to ${most}: ${text.slice(0, 50)}`)
}

export function pagingOf(query: Query, usual = usualPageSize): Result<Paging, string> {
  const page = whole(query, 'page', 1, 1_000_000)
  if (!page.ok) return page
  const pageSize = whole(query, 'pageSize', usual, mostPerPage)
  return pageSize.ok ? ok({ page: page.value, pageSize: pageSize.value }) : pageSize
}

/** A stretch of time, in milliseconds since 1970; an end that is not named is open. */
export interface Period {
  readonly from?: number
  readonly to?: number
}

function instant(query: Query, ...names: readonly string[]): Result<number | undefined, string> {
  const text = firstOf(query, ...names)
  if (text === undefined) return ok(undefined)
  const value = parseDateTime(text)
  return value === undefined
    ? no(`${names[0]} is no ISO 8601 date-time: ${text.slice(0, 50)}`)
    : ok(value)
}

/** The period that a query names by `createdFrom` and `createdTo`, or by `from` and `to` where those mean this one. */
export function periodOf(
  query: Query,
  prefix: 'created' | 'updated',
  plain: boolean,
): Result<Period, string> {
  const from = instant(query, `${prefix}From`, ...(plain ? ['from'] : []))
  if (!from.ok) return from
  const to = instant(query, `${prefix}To`, ...(plain ? ['to'] : []))
  if (!to.ok) return to
  if (from.value !== undefined && to.value !== undefined && from.value > to.value)
    return no(`${prefix}From is after ${prefix}To`)
  return ok({
    ...(from.value === undefined ? {} : { from: from.value }),
    ...(to.value === undefined ? {} : { to: to.value }),
  })
}

export const isIn = ({ from, to }: Period, instantOf: number): boolean =>
  (from === undefined || instantOf >= from) && (to === undefined || instantOf <= to)

/** How long a period is, up to now where it has no end; undefined where it has no beginning. */
export const lengthOf = ({ from, to }: Period, now: number): number | undefined =>
  from === undefined ? undefined : Math.max(0, (to ?? now) - from)

/** The identity that a query asks for, as a key; undefined when it asks for none. */
export function identityOf(query: Query): Result<string | undefined, string> {
  const type = firstOf(query, 'customerIdentifierType')
  const value = firstOf(query, 'customerIdentifierValue')
  if (type === undefined && value === undefined) return ok(undefined)
  const identifier = Identifier.safeParse({ type, value })
  if (identifier.success) return ok(identifierKey(identifier.data))
  return no(
    type === undefined || value === undefined
      ? `customerIdentifier${type === undefined ? 'Type' : 'Value'} is missing beside the other`
      : `customerIdentifierType is none of the five types: ${type.slice(0, 50)}`,
  )
}
