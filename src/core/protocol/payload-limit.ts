/** How large the body of an operation may be. */
import type { Conduct } from './conduct.ts'
import { requestLimitsOf } from './customer/limits.ts'
import type { Operation } from './operation.ts'

/**
 * Kilobytes of a call about one order, account or delivery, or of the largest acknowledgment. No document states a
 * limit; what such a call says is kept, so that a body of megabytes would stay in memory thousands of times.
 */
const maxCallKb = 256

/**
 * Maximum size in kB: a batch of Customer is as large as declared; undefined when only the limit of the server holds.
 */
export function maxPayloadKbOf(
  row: Pick<Operation, 'capability'>,
  conduct: Pick<Conduct, 'customer'>,
): number | undefined {
  return row.capability === 'customer' ? requestLimitsOf(row, conduct)?.payloadKb : maxCallKb
}
