/**
 * PO-2. Polls keep the partner's minimum interval. A single short pause may be clock skew; a second one within a minute
 * is a violation. After a 401 the poll may be repeated at once with another token.
 */
import { defineInvariant } from '../../invariant.ts'
import { callResultOf } from '../../helpers/call-outcome.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { allOf, type Timing } from '../../tracking/timing.ts'
import { durationText } from '../../tracking/wording.ts'

interface EarlyPoll {
  readonly timing: Timing
  readonly before: ObservedExchange
  readonly poll: ObservedExchange
}

interface State {
  last: ObservedExchange | undefined
  hasty: EarlyPoll | undefined
}

const habitMs = 60_000

export const pollsKeepTheirDistance = defineInvariant<State>({
  id: 'PO-2',
  name: 'polls-keep-their-distance',
  sentence: 'Must not poll more often than the partner allows.',
  remedy: 'Use a single polling loop, with an interval of at least the minimum of the partner.',
  kind: 'timing',
  ofOneProcess: true,
  clauses: ['TRN-STA-10'],
  premise: 'the service polled more than once',
  calls: ['pollingEvents'],
  start: () => ({ last: undefined, hasty: undefined }),
  call(state, exchange, tracker, report) {
    const { last } = state
    state.last = exchange
    if (!last || callResultOf(last) === 'unauthorized') return
    if (tracker.isOfEarlierProcess(last.evidence)) return
    report.premise()
    const [from, to] = [last.start, exchange.start].toSorted(
      (one, other) => one.at - other.at || one.wall - other.wall,
    )
    if (!from || !to) return
    const gap = tracker.timing.longestMs(from, to)
    const timing = tracker.timing.atLeast(from, to, tracker.limits.pollGapMs)
    if (timing.outcome === 'fine') return
    const { hasty } = state
    const isHabit = hasty && tracker.timing.longestMs(hasty.poll.start, to) <= habitMs
    const earlyPoll = isHabit ? hasty : undefined
    // One that is beyond doubt stays until its minute is over.
    if (timing.outcome === 'failed' || earlyPoll?.timing.outcome !== 'failed')
      state.hasty = { timing, before: last, poll: exchange }
    if (!earlyPoll) return
    report.failed({
      timing: allOf(earlyPoll.timing, timing),
      because: `The service polled again after ${durationText(gap)}, and not for the first time; the minimum interval is ${durationText(tracker.limits.pollGapMs)}.`,
      evidence: [
        earlyPoll.before.evidence,
        earlyPoll.poll.evidence,
        last.evidence,
        exchange.evidence,
      ],
      deduplicationKey: String(Math.floor(exchange.began / habitMs)),
    })
  },
})
