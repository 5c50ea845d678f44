/** Schema of the metrics of a session, for the description of the control API. */
import { z } from 'zod'
import { RoleName } from '../../protocol/role-schema.ts'
import { verdictOutcomes } from '../../rules/invariants/verdict.ts'
import type { SessionMetrics } from '../../session-api/session-metrics.ts'
import { objectLike } from './object-like.ts'

const count = z.int().min(0)
const parties = { from: RoleName, to: RoleName }

export const MetricsBody = objectLike<SessionMetrics>()(() => ({
  exchanges: z.array(z.object({ ...parties, operation: z.string(), status: z.string(), count })),
  failures: z.array(z.object({ ...parties, code: z.string(), injected: z.boolean(), count })),
  answerTimes: z.object({
    boundsMs: z.array(z.number()),
    byOperation: z.array(
      z.object({ operation: z.string(), counts: z.array(count), sumMs: z.number() }),
    ),
  }),
  faultsFired: z.array(z.object({ fault: z.string(), count })),
  resets: count,
  activeFaults: count,
  agenda: z.object({ due: count, later: count, held: count, loops: count }),
  eventsWaiting: z.object({ polling: count, webhook: count }),
  callsInFlight: count,
  spans: z.object({ exported: count, dropped: count }).optional(),
  orders: z.array(z.object({ status: z.string(), count })),
  rules: z.array(z.object({ rule: z.string(), outcome: z.enum(verdictOutcomes) })),
}))
