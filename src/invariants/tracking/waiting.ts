/**
 * When an order waits for us: for what was accepted to take effect, for an answer to a wish to cancel it. It is nobody's
 * fault but ours how long that takes.
 */
import type { Instant } from '../../engine/instant.ts'
import type { OrderWatch } from './tracker-state.ts'

type Waiting = Pick<OrderWatch, 'waits' | 'waited'>

export function beginWait(order: Waiting, at: Instant): void {
  order.waits ??= at
}

export function endWait(order: Waiting, at: Instant): void {
  if (order.waits === undefined) return
  order.waited += at - order.waits
  order.waits = undefined
}
