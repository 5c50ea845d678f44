/** The answers of an operation in a session's dialect: successes with their bodies, and refusals by status. */
import type { Conduct } from './conduct.ts'
import { type ErrorCode, protocolErrors } from './errors.ts'
import type { Operation, SuccessAnswer } from './operation.ts'

/** The success answers, the usual one first; the dialect may have another status for that one. */
export function successAnswersOf(row: Operation, conduct: Conduct): readonly SuccessAnswer[] {
  const answers = row.answers?.(conduct) ?? [
    { status: row.success, ...(row.response ? { response: row.response } : {}) },
  ]
  const other = conduct.statuses[row.id]
  return other === undefined
    ? answers
    : answers.map((each) => (each.status === row.success ? withStatus(each, other) : each))
}

/** A 204 has no body. */
const withStatus = (
  { response }: SuccessAnswer,
  status: SuccessAnswer['status'],
): SuccessAnswer => ({ status, ...(response && status !== 204 ? { response } : {}) })

/** The codes that follow from the form of an operation, whatever it does (TRN-STA-04 to 12). */
function impliedRefusals(
  { access, method, request, query, headers }: Operation,
  { requestIds }: Conduct,
): ErrorCode[] {
  const isProtected = access !== 'open'
  return [
    ...(request || query || headers ? ['INVALID_PAYLOAD' as const] : []),
    ...(isProtected ? ['UNAUTHORIZED' as const] : []),
    ...(typeof access === 'object' ? ['FORBIDDEN' as const] : []),
    // An X-Request-Id that came before with another body (TRN-UND-03).
    ...(isProtected && requestIds && method !== 'GET' ? ['CONFLICT' as const] : []),
    ...(request ? ['PAYLOAD_TOO_LARGE' as const] : []),
    ...(isProtected ? ['RATE_LIMITED' as const] : []),
    'INTERNAL_ERROR',
    'UNAVAILABLE',
  ]
}

/** The codes of each status that an operation may refuse with, by rising status. */
export function refusalsOf(
  row: Operation,
  conduct: Conduct,
): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = new Map<number, Set<ErrorCode>>()
  for (const refusal of [...impliedRefusals(row, conduct), ...(row.refuses ?? [])]) {
    const code = typeof refusal === 'string' ? refusal : refusal.code
    const statuses =
      typeof refusal === 'string' ? [protocolErrors[code].status] : refusal.statuses(conduct)
    for (const status of statuses) codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  return new Map(
    [...codes].toSorted(([a], [b]) => a - b).map(([status, found]) => [status, [...found]]),
  )
}
