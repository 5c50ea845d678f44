/** A list as a request asks for it (C10): cut into pages, within a period; what cannot be meant is refused by its name. */
import { pagingOf, type Period, periodOf } from '../../protocol/customer/query.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { Answer, Input } from '../handler.ts'
import type { Refusal } from '../refusal.ts'

type Query = Pick<Input, 'query'>

const told = <Value>(read: Result<Value, string>): Result<Value, Refusal> =>
  read.ok ? read : no({ code: 'INVALID_PAYLOAD', message: read.error })

/** One page of a list; only what is on it is written out. */
export function paged<Value>(
  values: readonly Value[],
  view: (value: Value) => unknown,
  { query }: Query,
): Result<Answer, Refusal> {
  const paging = told(pagingOf(query))
  if (!paging.ok) return paging
  const { page, pageSize } = paging.value
  const from = (page - 1) * pageSize
  const items = values.slice(from, from + pageSize).map(view)
  return ok({ body: { items, page, pageSize, total: values.length } })
}

/** The time between createdFrom and createdTo. */
export const createdIn = ({ query }: Query): Result<Period, Refusal> =>
  told(periodOf(query, 'created', true))
