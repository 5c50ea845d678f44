/**
 * Quiescence: only loops are left on the agenda, every event is acknowledged, and the subject has been silent for longer
 * than its poll interval and retry delay.
 */
import type { Witness } from './observer.ts'
import type { Session } from '../session-api/session.ts'

interface Parties {
  readonly session: Session
  readonly witness: Witness
}

/** Pending work as text; undefined when the session is quiescent. */
export async function unfinished({ session, witness }: Parties): Promise<string | undefined> {
  const { info, agenda } = await session.look({ agenda: { limit: 50, background: false } })
  const left = info.counts.pending - info.counts.loops
  if (left > 0) {
    const next = agenda.find(({ held }) => !held)?.text
    return `${left} on the agenda${next === undefined ? '' : `, ${next} first`}`
  }
  witness.read()
  const { orders, rhythm } = witness
  const owed = orders.owed()
  if (owed.length > 0) return `${owed.length} not acknowledged, ${owed[0]?.eventType} first`
  const last = Math.max(rhythm.lastBusiness(), orders.lastNews())
  return info.clock.now - last < rhythm.silenceMs() ? 'a while of silence' : undefined
}
