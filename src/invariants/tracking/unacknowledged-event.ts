/** An event that a poll brought and that is not acknowledged yet. */
import type { Instant } from '../../engine/instant.ts'
import type { Cited } from '../verdict.ts'

export interface Owed {
  readonly eventId: string
  readonly eventType: string
  readonly orderId: string | undefined
  /** When a poll brought it for the first time since it was last acknowledged. */
  readonly since: Instant
  readonly first: Cited
  /** The last poll that brought it, and how many did. */
  last: Cited
  polls: number
  /** It had been named in an acknowledgment before, and polls brought it again. */
  readonly again: boolean
  /** Which count it belongs to. */
  readonly count: number
}
