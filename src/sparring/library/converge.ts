/** Lets a session go on until it has converged, or a limit of its time is over. */
import { untilConverged, waitUntil } from '../../core/runtime/wait-until.ts'
import type { Session } from '../../core/session-api/session.ts'

/** First and longest step of a clock that is advanced, in ms of the session's time. */
const firstStepMs = 1000
const maxStepMs = 30_000
export interface Convergence {
  /** What has not converged; empty when everything has. */
  readonly reasons: readonly string[]
  /** The session's time that has passed, in ms. */
  readonly tookMs: number
}

/** A real clock is waited for; a virtual or stepped one is advanced, in steps that grow. */
export async function convergeWithin(session: Session, limitMs: number): Promise<Convergence> {
  const { mode, speed, now: start } = (await session.look({})).info.clock
  const condition = untilConverged(session)
  const tookMs = (): number => session.clock.now() - start
  if (mode === 'real') {
    const { seen } = await waitUntil(session, condition, { timeoutMs: limitMs / speed })
    return { reasons: seen.because, tookMs: tookMs() }
  }
  let stepMs = firstStepMs
  for (;;) {
    const { because: reasons } = await condition.look()
    const leftMs = limitMs - tookMs()
    if (reasons.length === 0 || leftMs <= 0) return { reasons, tookMs: tookMs() }
    await session.advance(Math.min(stepMs, leftMs))
    stepMs = Math.min(maxStepMs, stepMs * 2)
  }
}
