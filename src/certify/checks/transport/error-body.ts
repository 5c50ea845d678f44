/** The error object of the protocol in a reply: TRN-ERB. */
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import {
  body,
  isBoolean,
  isText,
  required,
  type Test,
  type ValueTest,
} from '../../judge/assertion.ts'
import { verdictOfForm } from '../../judge/form-notes.ts'
import type { Observed } from '../../judge/trace.ts'

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
