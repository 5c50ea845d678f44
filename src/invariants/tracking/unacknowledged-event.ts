/** An event that a poll brought and that is not acknowledged yet. */
import type { Instant } from '../../engine/instant.ts'
import type { Evidence } from '../verdict.ts'

export interface UnacknowledgedEvent {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** When a poll first returned it since the last acknowledgment. */
  readonly since: Instant
  readonly first: Evidence
  /** Last poll that returned it, the one before that, and the number of such polls. */
  lastPoll: Evidence
  pollBefore: Evidence
  polls: number
  /** An acknowledgment had named it, and a poll returned it again. */
  readonly isReturned: boolean
  /** Generation of the count that it belongs to. */
  readonly generation: number
}
