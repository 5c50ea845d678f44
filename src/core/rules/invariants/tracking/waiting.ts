/**
 * When an order waits for Sparring: for an accepted request to take effect, or for the answer to a cancellation
 * request. That time does not count against the subject.
 */
import type { Instant } from '../../../engine/instant.ts'
import type { TrackedOrder } from './tracker-state.ts'

type Waiting = Pick<TrackedOrder, 'waits' | 'waited'>

export function beginWait(order: Waiting, at: Instant): void {
  order.waits ??= at
}

export function endWait(order: Waiting, at: Instant): void {
  if (order.waits === undefined) return
  order.waited += at - order.waits
  order.waits = undefined
}
