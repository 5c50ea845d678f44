/**
 * The answer of `POST /wait`: whether the condition was met, and if not, what is missing and what keeps it from coming.
 */
import { compact } from '../../base/compact.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import { delayReason, type StatusLook, type WaitEnd, type WaitLook } from '../wait-until.ts'

export interface WaitResult {
  readonly met: boolean
  /** On the wall clock, in ms. */
  readonly waitedMs: number
  /** What is missing, one sentence each; empty when it was met. */
  readonly because: readonly string[]
  /** The status of the order that was waited for. */
  readonly status?: OrderStatus
}

const stoppedText = 'The session was stopped.'

export function waitResult({
  end,
  observed: { because, info, order },
  waitedMs,
}: WaitEnd<WaitLook & Pick<StatusLook, 'order'>>): WaitResult {
  const reason =
    end === 'aborted' ? stoppedText : end === 'timeout' && info ? delayReason(info) : undefined
  return {
    met: end === 'met',
    waitedMs: Math.round(waitedMs),
    because: reason === undefined ? because : [...because, reason],
    ...compact({ status: order?.row.status }),
  }
}
