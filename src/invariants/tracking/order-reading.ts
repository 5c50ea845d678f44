/** What is kept of a GET of an order: the evidence, the status and the body. */
import type { Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { Cited } from '../verdict.ts'

/** An exchange as evidence: what it called is kept as well, for whoever goes by that. */
export interface CitedCall extends Cited {
  readonly operation: OperationId | undefined
}

/** What may be kept of the answer to a reading: the whole exchange would hold on to its headers as well. */
export interface SeenReading {
  readonly began: Instant
  readonly ended: Instant
  readonly cite: CitedCall
  /** What it says that the order is. */
  readonly status: OrderStatus | undefined
  /** The JSON of the answer. Made when somebody asks. */
  answered(): unknown
}
