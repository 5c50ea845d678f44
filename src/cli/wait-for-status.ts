/**
 * Waits until an order has a status, and prints each status as it comes. The session reports changes by its stream, so
 * nothing is asked for in between.
 */
import { clockOf } from '../engine/instant.ts'
import { formatDuration } from '../protocol/duration.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import { contactStatus } from '../session-api/first-contact.ts'
import type { SessionApi, SessionInfo } from '../session-api/session-api.ts'
import { neverReason } from '../views/never-reason.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { type Io, printLine } from './io.ts'

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
  /** The last status that was seen. */
  readonly status?: OrderStatus
}

const pausedText =
  'The clock is paused: let it run with sparring agenda run, or go in steps with sparring agenda step.'

/** What keeps the order from going on, as far as the session knows. */
function delayReason(info: SessionInfo, orderId: string): string {
  if (info.clock.mode === 'stepped') return pausedText
  const contact = contactStatus(info)
  if (contact !== undefined && info.contact?.connected === undefined) return contact
  return info.clock.mode === 'virtual'
    ? 'The virtual clock goes no further while a call is in flight or an item is held: see sparring agenda.'
    : `sparring explain ${orderId} says what has happened to it.`
}

export async function waitForStatus(
  face: SessionApi,
  { orderId, status: wanted, timeoutMs }: WaitOptions,
  io: Io,
): Promise<WaitOutcome> {
  let changed = Promise.withResolvers<void>()
  let isOver = false
  const unsubscribe = face.subscribe(() => changed.resolve())
  const timer = setTimeout(() => {
    isOver = true
    changed.resolve()
  }, timeoutMs)
  let printed = 0
  const say = (line: string): Promise<void> => printLine(io.stderr, line)
  try {
    for (;;) {
      // Before the look: a change during it must not be lost.
      changed = Promise.withResolvers()
      const { order, info } = await face.look({ orderId })
      if (!order) {
        await say(`sparring: the order ${orderId} is gone: the session was reset`)
        return { code: exitCode.failed }
      }
      const { status } = order.row
      if (printed === 0 && info.clock.mode === 'stepped') await say(pausedText)
      for (const step of order.statusHistory.slice(printed))
        await say(`${clockOf(step.at)}  ${step.status}`)
      printed = order.statusHistory.length
      if (order.statusHistory.some((step) => step.status === wanted))
        return { code: exitCode.done, status }
      const never = neverReason(order, wanted)
      if (never !== undefined) {
        await say(`sparring: the order will not be ${wanted}: ${never}`)
        return { code: exitCode.failed, status }
      }
      if (isOver) {
        await say(
          `sparring: the order is ${status} and not ${wanted} after ${formatDuration(timeoutMs)}. ${delayReason(info, orderId)}`,
        )
        return { code: exitCode.failed, status }
      }
      await changed.promise
    }
  } finally {
    clearTimeout(timer)
    unsubscribe()
  }
}
