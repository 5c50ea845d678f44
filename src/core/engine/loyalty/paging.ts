/** Paging and period filter of the lists of Loyalty (C10); an invalid parameter is refused by name. */
import { parsePaging, type Period, parsePeriod } from '../../protocol/customer/query.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { HandlerAnswer, HandlerInput } from '../handler.ts'
import type { Refusal } from '../refusal.ts'

type Query = Pick<HandlerInput, 'query'>

const orRefusal = <Value>(read: Result<Value, string>): Result<Value, Refusal> =>
  read.ok ? read : err({ code: 'INVALID_PAYLOAD', message: read.error })

/** One page of a list; only its own items are serialised. */
export function pageAnswer<Value>(
  values: readonly Value[],
  view: (value: Value) => unknown,
  { query }: Query,
): Result<HandlerAnswer, Refusal> {
  const paging = orRefusal(parsePaging(query))
  if (!paging.ok) return paging
  const { page, pageSize } = paging.value
  const from = (page - 1) * pageSize
  const items = values.slice(from, from + pageSize).map(view)
  return ok({ body: { items, page, pageSize, total: values.length } })
}

/** The period from createdFrom to createdTo. */
export const createdPeriod = ({ query }: Query): Result<Period, Refusal> =>
  orRefusal(parsePeriod(query, 'created', true))
