/** Waits in wall time until a session has converged, or an order has a status; for clients that have only HTTP. */
import { compact } from '../../compact.ts'
import type { OrderStatus } from '../../protocol/orders/order.ts'
import type { SessionApi, SessionInfo } from '../../session-api/session-api.ts'
import { neverReason } from '../../views/never-reason.ts'
import { createConvergenceCheck } from '../convergence.ts'

/** Longest time until the next look, in ms: deadlines of rules pass without a change. */
const maxPauseMs = 200
/** Shortest time between two looks, in ms: a busy session reports a change with each fact. */
const minPauseMs = 20

export interface WaitResult {
  readonly met: boolean
  /** Wall time, in ms. */
  readonly waitedMs: number
  /** What has not come to pass, one sentence each; empty when it was met. */
  readonly because: readonly string[]
  /** The status of the order that was waited for. */
  readonly status?: OrderStatus
}

/** A look at what is waited for. `isOver`: waiting is in vain. */
interface Look extends Omit<WaitResult, 'met' | 'waitedMs'> {
  readonly isOver?: boolean
}

type Condition = () => Promise<Look>

const pausedText = 'the clock is paused: POST /clock {"mode": "real"} lets it run'

const withPauseText = (because: readonly string[], { clock }: SessionInfo): readonly string[] =>
  because.length > 0 && clock.mode === 'stepped' ? [...because, pausedText] : because

/** Nothing is due, both sides agree about every order, and no rule is open. */
export function untilConverged(session: SessionApi): Condition {
  const check = createConvergenceCheck(session)
  return async () => {
    const because = await check()
    return { because: withPauseText(because, (await session.look({})).info) }
  }
}

/** The order has the status, or has had it. */
export const untilStatus =
  (session: SessionApi, orderId: string, wanted: OrderStatus): Condition =>
  async () => {
    const { order, info } = await session.look({ orderId })
    if (!order) return { because: [`there is no order ${orderId}`], isOver: true }
    const { status } = order.row
    if (order.statusHistory.some((step) => step.status === wanted)) return { because: [], status }
    const never = neverReason(order, wanted)
    return never === undefined
      ? { because: withPauseText([`the order is ${status}, not ${wanted}`], info), status }
      : { because: [`the order will not be ${wanted}: ${never}`], status, isOver: true }
  }

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

export async function waitUntil(
  session: Pick<SessionApi, 'subscribe'>,
  condition: Condition,
  timeoutMs: number,
): Promise<WaitResult> {
  const start = performance.now()
  let changed = Promise.withResolvers<void>()
  const unsubscribe = session.subscribe(() => changed.resolve())
  try {
    for (;;) {
      // Before the look: a change during it must not be lost.
      changed = Promise.withResolvers()
      const { because, status, isOver = false } = await condition()
      const waitedMs = Math.round(performance.now() - start)
      const met = because.length === 0
      if (met || isOver || waitedMs >= timeoutMs)
        return { met, waitedMs, because, ...compact({ status }) }
      await pause(Math.min(minPauseMs, timeoutMs - waitedMs))
      const leftMs = Math.max(0, timeoutMs - (performance.now() - start))
      await Promise.race([changed.promise, pause(Math.min(maxPauseMs, leftMs))])
    }
  } finally {
    unsubscribe()
  }
}
