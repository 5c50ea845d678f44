/**
 * Quiescence: only loops are left on the agenda, every event is acknowledged, and the subject has been silent for longer
 * than its poll interval and retry delay.
 */
import type { ScenarioObserver } from './observer.ts'
import type { Session } from '../session-api/session.ts'

interface Parties {
  readonly session: Session
  readonly observer: ScenarioObserver
}

/** Pending work as text; undefined when the session is quiescent. */
export async function pendingWorkText({ session, observer }: Parties): Promise<string | undefined> {
  const { info, agenda } = await session.look({ agenda: { limit: 50, background: false } })
  const pendingCount = info.counts.pending - info.counts.loops
  if (pendingCount > 0) {
    const next = agenda.find(({ held }) => !held)?.text
    return `${pendingCount} on the agenda${next === undefined ? '' : `, ${next} first`}`
  }
  observer.read()
  const { orders, idleDetector } = observer
  const unacknowledged = orders.unacknowledged()
  if (unacknowledged.length > 0)
    return `${unacknowledged.length} not acknowledged, ${unacknowledged[0]?.eventType} first`
  const lastActivityAt = Math.max(idleDetector.lastActivity(), orders.lastChange())
  return info.clock.now - lastActivityAt < idleDetector.quietPeriodMs()
    ? 'a while of silence'
    : undefined
}
