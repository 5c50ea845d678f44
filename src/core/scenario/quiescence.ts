/**
 * Quiescence: only loops are left on the agenda, every event is acknowledged, and the subject has been silent for longer
 * than its poll interval, and since its last failed call for longer than its retry delay.
 */
import type { Instant } from '../engine/instant.ts'
import type { ScenarioObserver } from './observer.ts'
import type { AgendaRow } from '../session-api/session-api.ts'
import type { Session } from '../session-api/session.ts'

interface Parties {
  readonly session: Session
  readonly observer: ScenarioObserver
}

/** Instant of the last change of an order or exchange that is no loop. */
export const lastActivityAt = ({ orders, idleDetector }: ScenarioObserver): Instant =>
  Math.max(orders.lastChange(), idleDetector.lastActivity())

/** Pending work as text; undefined when the session is quiescent. What is due after `until` is not waited for. */
export async function pendingWorkText(
  { session, observer }: Parties,
  until: Instant = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const { info, agenda } = await session.look({ agenda: { limit: 200, background: false } })
  // A courier who waits for the food of an order that is over causes nothing for ten minutes.
  const isIdle = ({ kind, orderId }: AgendaRow): boolean =>
    kind === 'delivery.wait' && orderId !== undefined && observer.orders.hasEnded(orderId)
  const pendingCount = info.counts.pending - info.counts.loops - agenda.filter(isIdle).length
  const next = agenda.find((row) => !row.held && !isIdle(row))
  if (pendingCount > 0 && (next?.due ?? 0) <= until)
    return `${pendingCount} on the agenda${next === undefined ? '' : `, ${next.text} first`}`
  observer.read()
  const { orders, idleDetector } = observer
  const unacknowledged = orders.unacknowledged()
  if (unacknowledged.length > 0)
    return `${unacknowledged.length} not acknowledged, ${unacknowledged[0]?.eventType} first`
  return info.clock.now < idleDetector.idleFrom(lastActivityAt(observer))
    ? 'a while of silence'
    : undefined
}
