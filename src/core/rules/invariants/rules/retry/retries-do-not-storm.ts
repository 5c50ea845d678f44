/**
 * RT-1. Retries are spaced (TRN-STA-12): at most four tries of one call within 3 s, and two within 0.5 s, not counting
 * those triggered by events. Only replies received count, so faults make no difference; polls and the repetition
 * after a 401 have rules of their own.
 */
import { defineInvariant } from '../../invariant.ts'
import { type RetryChains, followRetries, countEventTriggered } from '../../helpers/retry-chains.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Timing } from '../../tracking/timing.ts'
import { callName, durationText, replyName } from '../../tracking/wording.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'
import { roles } from '../../../../protocol/role.ts'

/** Each limit: this many tries within this time are too many. */
const storms = [
  { tries: 3, withinMs: 500 },
  { tries: 5, withinMs: 3000 },
] as const

interface Storm {
  readonly tries: readonly ObservedExchange[]
  readonly timing: Timing
}

/** The tries that exceed a limit, if any; a limit that is exceeded beyond doubt is preferred. */
function stormIn(recent: readonly ObservedExchange[], tracker: TrackerState): Storm | undefined {
  const end = recent.at(-1)
  if (!end) return undefined
  let doubtful: Storm | undefined
  for (const { tries, withinMs } of storms) {
    const last = recent.filter(({ start }) => tracker.timing.longestMs(start, end.start) < withinMs)
    const [first] = last
    if (!first || last.length < tries) continue
    const allowed = tries + countEventTriggered(end, first.began, tracker)
    if (last.length < allowed) continue
    const excess = last.slice(-allowed)
    const timing = tracker.timing.atLeast((excess[0] ?? first).start, end.start, withinMs)
    const storm = { tries: excess, timing }
    if (timing.outcome === 'failed') return storm
    doubtful ??= storm
  }
  return doubtful
}

export const retriesDoNotStorm = defineInvariant<RetryChains>({
  id: 'RT-1',
  name: 'retries-do-not-storm',
  sentence:
    'Must not try a failed call more than four times within three seconds, or three times at once.',
  remedy: 'Wait at least a second before the first retry, and longer before each further one.',
  kind: 'timing',
  ofOneProcess: true,
  clauses: ['TRN-STA-12'],
  premise: 'a call failed and was tried again',
  binds: roles,
  calls: 'all',
  start: () => new Map(),
  call(chains, exchange, tracker, report) {
    if (exchange.operation === 'pollingEvents') return
    const tried = followRetries(chains, exchange, tracker)
    if (!tried) return
    report.premise()
    const storm = stormIn(tried.chain.recent, tracker)
    const first = storm?.tries[0]
    if (!storm || !first) return
    const took = durationText(tracker.timing.longestMs(first.start, exchange.start))
    report.failed({
      timing: storm.timing,
      because: `The service tried ${callName(exchange, tracker)} ${storm.tries.length} times within ${took}, although the first try got ${replyName(first)}.`,
      evidence: storm.tries.map(({ evidence }) => evidence),
      orderId: exchange.orderId,
      deduplicationKey: tried.key,
    })
  },
})
