/** Measures a session for monitoring: what was counted since it began, and the levels of its present world. */
import { compact } from '../base/compact.ts'
import { scheduledItems } from '../engine/agenda/agenda.ts'
import type { Instant } from '../engine/instant.ts'
import type { World } from '../engine/world.ts'
import { isAdviceVerdict, type Verdict } from '../rules/invariants/verdict.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type { SessionMetrics } from '../session-api/session-metrics.ts'
import { answerBoundsMs, type TrafficCounters } from '../traffic/traffic-counters.ts'

export interface MetricsSource {
  readonly world: World
  readonly now: Instant
  readonly verdicts: readonly Verdict[]
  readonly traffic: TrafficCounters
  /** Faults that fired, by name. */
  readonly faultsFired: ReadonlyMap<string, number>
  /** Worlds since the session began. */
  readonly worlds: number
  readonly spans: SessionMetrics['spans']
}

function agendaLevels({ agenda }: World, now: Instant): SessionMetrics['agenda'] {
  const scheduled = agenda.byId.size - agenda.held.size
  let due = 0
  // The earliest come first.
  for (const item of scheduledItems(agenda)) {
    if (item.due > now) break
    due++
  }
  return {
    due,
    later: scheduled - due,
    held: agenda.held.size,
    loops: scheduled - agenda.foreground,
  }
}

function ordersByStatus({ ordering }: World): SessionMetrics['orders'] {
  const counts = new Map<OrderStatus, number>()
  for (const { status } of ordering.orders.values())
    counts.set(status, (counts.get(status) ?? 0) + 1)
  return Array.from(counts, ([status, count]) => ({ status, count }))
}

export const sessionMetrics = ({
  world,
  now,
  verdicts,
  traffic,
  faultsFired,
  worlds,
  spans,
}: MetricsSource): SessionMetrics => ({
  exchanges: traffic.exchanges(),
  failures: traffic.failures(),
  answerTimes: { boundsMs: answerBoundsMs, byOperation: traffic.answerTimes() },
  faultsFired: Array.from(faultsFired, ([fault, count]) => ({ fault, count })),
  activeFaults: world.faults.live.size,
  resets: worlds - 1,
  agenda: agendaLevels(world, now),
  eventsWaiting: {
    polling: world.ordering.mailbox.size,
    webhook: world.ordering.waiting.size + world.announcements.waiting.size,
  },
  callsInFlight: world.calls.size,
  ...compact({ spans }),
  orders: ordersByStatus(world),
  rules: verdicts.map((verdict) => ({
    rule: verdict.id,
    outcome: isAdviceVerdict(verdict) ? ('advice' as const) : verdict.outcome,
  })),
})
