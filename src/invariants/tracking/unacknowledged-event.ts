/** An event that a poll brought and that is not acknowledged yet. */
import type { Instant } from '../../engine/instant.ts'
import type { Cited } from '../verdict.ts'

export interface Owed {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** When a poll first returned it since the last acknowledgment. */
  readonly since: Instant
  readonly first: Cited
  /** Last poll that returned it, and the number of such polls. */
  last: Cited
  polls: number
  /** An acknowledgment had named it, and a poll returned it again. */
  readonly again: boolean
  /** Generation of the count that it belongs to. */
  readonly count: number
}
