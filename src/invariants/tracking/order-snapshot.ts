/** What is retained of a GET of an order: evidence, status and body. */
import type { Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Evidence } from '../verdict.ts'

/** Evidence that also names the operation called. */
export interface CallEvidence extends Evidence {
  readonly operation: OperationId | undefined
}

/** The retained part of a GET; the whole exchange would retain its headers as well. */
export interface OrderSnapshot {
  readonly began: Instant
  readonly ended: Instant
  readonly evidence: CallEvidence
  /** Status in the body. */
  readonly status: OrderStatus | undefined
  /** JSON of the response body, parsed on demand. */
  responseJson(): unknown
}
