/** The error object of the protocol in a reply (TRN-ERB), and the rows of operations behind exchanges. */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { body, isBoolean, isText, required, type Test, type ValueTest } from '../assertion.ts'
import { verdictOfForm } from '../form-notes.ts'
import type { Observed } from '../trace.ts'
import { operation } from '../../../protocol/catalogue.ts'
import type { Operation } from '../../../protocol/operation.ts'

export const rowOf = ({ operation: id }: Observed): Operation | undefined => id && operation(id)

const unserved: ReadonlySet<number> = new Set([404, 405, 501])

/** The status of a path or a method that a host may not have. */
export const isUnserved = ({ status }: Pick<Observed, 'status'>): boolean => unserved.has(status)

const errorFields = body(
  required('/error/code', isText),
  required('/error/message', isText),
  required('/error/retryable', isBoolean),
)

export const hasErrorObject: ValueTest = (reply) =>
  isUnknownRecord(reply) && isUnknownRecord(reply['error'])
    ? undefined
    : (verdictOfForm(reply)?.problem ?? 'there is no object error in it')

/** A code of an error: in the error body of the protocol, or in the flat one of its public dialect. */
export const hasErrorCode = (reply: unknown): boolean =>
  ['/error/code', '/code'].some((pointer) => required(pointer, isText)(reply) === undefined)

/** The reply carries the error object with its three fields. */
export const hasErrorBody: Test<Observed> = ({ reply, status }) => {
  const problem = hasErrorObject(reply) ?? errorFields(reply)
  return problem === undefined ? undefined : `the body of its ${status} is wrong: ${problem}`
}

/** The service has no such path: a framework answers, before any code that knows the protocol. */
export const isPathUnserved = (observed: Observed): boolean => {
  const row = rowOf(observed)
  return (
    !observed.isCall && isUnserved(observed) && row !== undefined && !/\{\w*id\}/i.test(row.path)
  )
}
