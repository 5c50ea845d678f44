/**
 * PO-2. Polls keep the partner's minimum interval. A single short pause may be clock skew; a second one within a minute
 * is a violation. After a 401 the poll may be repeated at once with another token.
 */
import type { Instant } from '../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import { isPoll, polls } from '../../helpers/polling.ts'
import { told } from '../../helpers/call-outcome.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { cites, lasting } from '../../tracking/wording.ts'

interface EarlyPoll {
  readonly at: Instant
  readonly before: SeenExchange
  readonly poll: SeenExchange
}

interface State {
  last: SeenExchange | undefined
  hasty: EarlyPoll | undefined
}

const habitMs = 60_000

export const pollsKeepTheirDistance = defineInvariant<State>({
  id: 'PO-2',
  name: 'polls-keep-their-distance',
  sentence: 'Polls come no faster than the partner allows.',
  kind: 'timing',
  clauses: ['TRN-STA-10'],
  premise: 'the service polled more than once',
  binds: ['software-service'],
  sees: { exchanges: polls },
  start: () => ({ last: undefined, hasty: undefined }),
  shown: {
    exchange(state, exchange, tracker, report) {
      if (!isPoll(exchange)) return
      const { last } = state
      state.last = exchange
      if (!last || told(last) === 'unauthorized') return
      report.premise()
      const gap = Math.abs(exchange.began - last.began)
      if (gap >= tracker.patience.pollGapMs) return
      const { hasty: earlyPoll } = state
      state.hasty = { at: exchange.began, before: last, poll: exchange }
      if (!earlyPoll || exchange.began - earlyPoll.at > habitMs) return
      report.broken({
        because: `The service polled again after ${lasting(gap)}, and it was not the first time; ${lasting(tracker.patience.pollGapMs)} is the least.`,
        evidence: cites(earlyPoll.before.cite, earlyPoll.poll.cite, last.cite, exchange.cite),
        once: String(Math.floor(exchange.began / habitMs)),
      })
    },
  },
})
