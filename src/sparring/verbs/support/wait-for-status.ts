/**
 * Waits until an order has a status, and prints each status as it comes. The session reports changes by its stream, so
 * nothing is asked for in between.
 */
import { clockOf } from '../../../core/engine/instant.ts'
import { formatDuration } from '../../../core/protocol/duration.ts'
import type { OrderStatus, OrderType } from '../../../core/protocol/orders/order.ts'
import {
  delayReason,
  type StatusLook,
  untilOrderStatus,
  waitUntil,
} from '../../../core/runtime/wait-until.ts'
import type { SessionApi } from '../../../core/session-api/session-api.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'

/** The profile that an order needs to come to a status, where only one does. */
export const typeWithStatus = (status: OrderStatus | undefined): OrderType | undefined =>
  status === 'IN_DELIVERY' ? 'DELIVERY' : undefined

export interface WaitOptions {
  readonly orderId: string
  readonly status: OrderStatus
  readonly timeoutMs: number
}

export interface WaitOutcome {
  readonly code: ExitCode
  /** The last status that was observed. */
  readonly status?: OrderStatus
}

export async function waitForStatus(
  face: SessionApi,
  { orderId, status: wanted, timeoutMs }: WaitOptions,
  io: Io,
): Promise<WaitOutcome> {
  let printed = 0
  const say = (line: string): Promise<void> => printLine(io.stderr, line)
  const condition = untilOrderStatus(face, orderId, wanted)

  async function lookAndPrint(): Promise<StatusLook> {
    const observed = await condition.look()
    const { order, info } = observed
    const steps = order?.statusHistory ?? []
    if (order && printed === 0 && info.clock.mode === 'stepped') await say(delayReason(info) ?? '')
    for (const step of steps.slice(printed)) await say(`${clockOf(step.at)}  ${step.status}`)
    printed = steps.length
    return observed
  }

  const { end, observed } = await waitUntil(face, { look: lookAndPrint }, { timeoutMs })
  const { order, info, because } = observed
  if (!order) {
    await say(`sparring: the order ${orderId} is gone: the session was reset`)
    return { code: exitCode.failed }
  }
  const { status } = order.row
  if (end === 'met') return { code: exitCode.done, status }
  const [reason] = because
  const explained = `sparring explain ${orderId} says what has happened to it.`
  await say(
    end === 'over'
      ? `sparring: ${reason}`
      : `sparring: the order is ${status} and not ${wanted} after ${formatDuration(timeoutMs)}. ${delayReason(info) ?? explained}`,
  )
  return { code: exitCode.failed, status }
}
