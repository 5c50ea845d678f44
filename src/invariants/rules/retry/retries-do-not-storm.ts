/**
 * RT-1. Retries are spaced (TRN-STA-12): at most four tries of one call within 3 s, and two within 0.5 s, not counting
 * those triggered by webhooks. Only replies received count, so faults make no difference; polls and the repetition
 * after a 401 have rules of their own.
 */
import { defineInvariant } from '../../invariant.ts'
import { isPoll } from '../../helpers/polling.ts'
import { isAnybodys } from '../../helpers/call-outcome.ts'
import { type Chains, follow, setOff } from '../../helpers/retry-chains.ts'
import { answerName, callName } from '../../helpers/call-wording.ts'
import { everyRole } from '../../helpers/roles.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { lasting } from '../../tracking/wording.ts'
import type { Watch } from '../../tracking/tracker-state.ts'

/** Each limit: this many tries within this time are too many. */
const storms = [
  { tries: 3, withinMs: 500 },
  { tries: 5, withinMs: 3000 },
] as const

/** The tries that exceed a limit, if any. */
function stormIn(
  recent: readonly SeenExchange[],
  tracker: Watch,
): readonly SeenExchange[] | undefined {
  const end = recent.at(-1)
  if (!end) return undefined
  for (const { tries, withinMs } of storms) {
    const last = recent.filter(({ began }) => end.began - began < withinMs)
    const [first] = last
    if (!first || last.length < tries) continue
    const allowed = tries + setOff(end, first.began, tracker)
    if (last.length >= allowed) return last.slice(-allowed)
  }
  return undefined
}

export const retriesDoNotStorm = defineInvariant<Chains>({
  id: 'RT-1',
  name: 'retries-do-not-storm',
  sentence:
    'A failed call is not tried more than four times within three seconds, nor three times at once.',
  kind: 'timing',
  clauses: ['TRN-STA-12'],
  premise: 'a call failed and was tried again',
  binds: everyRole,
  sees: { failures: 'all' },
  start: () => new Map(),
  minds: (chains) => chains.size > 0,
  shown: {
    exchange(chains, exchange, tracker, report) {
      if (isPoll(exchange) || isAnybodys(exchange, tracker)) return
      const tried = follow(chains, exchange, tracker.patience.graceMs)
      if (!tried) return
      report.premise()
      const storm = stormIn(tried.chain.recent, tracker)
      const first = storm?.[0]
      if (!storm || !first) return
      const took = lasting(exchange.began - first.began)
      report.broken({
        because: `The service tried ${callName(exchange, tracker)} ${storm.length} times within ${took}, though it had got ${answerName(first)}.`,
        evidence: storm.map(({ cite: evidence }) => evidence),
        orderId: exchange.orderId,
        once: tried.key,
      })
    },
  },
})
