/** Lets a session go on until it has converged, or a limit of its time is over. */
import { createConvergenceCheck } from '../edge/convergence.ts'
import type { Session } from '../session-api/session.ts'

/** First and longest step of a clock that is advanced, in ms of the session's time. */
const firstStepMs = 1000
const maxStepMs = 30_000
/** Longest wait of a real clock before the next look: deadlines of rules pass without a change. In ms. */
const maxWaitMs = 100

export interface Convergence {
  /** What has not converged; empty when everything has. */
  readonly reasons: readonly string[]
  /** The session's time that has passed, in ms. */
  readonly tookMs: number
}

/** Waits for a change of the session, or for as much of its time. */
async function changeWithin(session: Session, ms: number): Promise<void> {
  const enough = new AbortController()
  const unsubscribe = session.subscribe(() => enough.abort())
  try {
    await session.clock.sleep(ms, enough.signal)
  } finally {
    unsubscribe()
  }
}

/** A real clock is waited for; a virtual or stepped one is advanced, in steps that grow. */
export async function convergeWithin(session: Session, limitMs: number): Promise<Convergence> {
  const check = createConvergenceCheck(session)
  const { mode, now: start } = (await session.look({})).info.clock
  let stepMs = firstStepMs
  for (;;) {
    const reasons = await check()
    const tookMs = session.clock.now() - start
    if (reasons.length === 0 || tookMs >= limitMs) return { reasons, tookMs }
    const leftMs = limitMs - tookMs
    if (mode === 'real') await changeWithin(session, Math.min(maxWaitMs, leftMs))
    else {
      await session.advance(Math.min(stepMs, leftMs))
      stepMs = Math.min(maxStepMs, stepMs * 2)
    }
  }
}
