/**
 * RT-8. A failure after a failure of another kind is handled like a first one: a 401 after a 503 leads to a new token,
 * a 503 after a 429 to a retry.
 */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { bearer, callKey, retryAfter, told, type Told } from '../../helpers/call-outcome.ts'
import {
  isStillWanted,
  type Wanted,
  wantedOf,
  wantedOperations,
} from '../../helpers/pending-calls.ts'
import { answerName, callName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { cites, lasting } from '../../tracking/wording.ts'

interface Failing {
  readonly first: SeenExchange
  readonly last: SeenExchange
  /** The chain contains failures of more than one kind. */
  readonly mixed: boolean
  /** Number of rejected tokens: after a rejected fresh one nothing more can be done. */
  readonly rejections: number
  /** The pending call, and since when. */
  readonly wanted: Wanted
}

type State = Map<string, Failing>

const maxEntries = 5000

/** Kind of a failure; failures of one kind need the same handling. */
const kindOf = (seen: SeenExchange, answer: Told): string =>
  answer === 'again' ? (seen.status === 429 ? 'limited' : 'again') : answer

const failures: ReadonlySet<Told> = new Set<Told>(['again', 'silent', 'unauthorized'])

export const secondFailuresAreHandledToo = defineInvariant<State>({
  id: 'RT-8',
  name: 'second-failures-are-handled-too',
  sentence: 'A failure that follows one of another kind is handled like a first one.',
  kind: 'liveness',
  clauses: ['TRN-STA-12', 'AUT-TOK-04'],
  premise: 'a call failed in one way and then in another',
  binds: ['software-service'],
  sees: { failures: wantedOperations },
  start: () => new Map(),
  minds: (failing) => failing.size > 0,
  shown: {
    exchange(state, exchange, tracker, report) {
      if (exchange.by !== 'subject' || (exchange.ok && state.size === 0)) return
      const key = callKey(exchange)
      if (key === undefined) return
      const before = state.get(key)
      if (before && exchange.began < before.last.ended) return
      const answer = told(exchange)
      const sameToken =
        before?.mixed === true &&
        before.rejections === 1 &&
        told(before.last) === 'unauthorized' &&
        bearer(exchange) === bearer(before.last)
      if (before && sameToken)
        report.broken({
          because: `After ${answerName(before.first)} the service got ${answerName(before.last)} to ${callName(before.last, tracker)}, and tried it again with the same token.`,
          evidence: cites(before.first.cite, before.last.cite, exchange.cite),
          orderId: exchange.orderId,
          once: key,
        })
      state.delete(key)
      if (!failures.has(answer)) return
      const since = Math.max(exchange.ended, retryAfter(exchange) ?? 0)
      const wanted = wantedOf(exchange, since, (before?.wanted.tries ?? 0) + 1)
      if (!wanted) return
      const first = before?.first ?? exchange
      const mixed =
        before !== undefined && kindOf(before.last, told(before.last)) !== kindOf(exchange, answer)
      if (mixed) report.premise()
      const rejections = (before?.rejections ?? 0) + (answer === 'unauthorized' ? 1 : 0)
      setBounded(state, key, { first, last: exchange, mixed, rejections, wanted }, maxEntries)
    },
  },
  end(state, tracker, report) {
    for (const [key, { first, last, mixed, wanted }] of state) {
      if (!mixed || !isStillWanted(wanted, tracker)) continue
      if (!tracker.overdue(wanted.since)) {
        report.open()
        continue
      }
      report.broken({
        because: `After ${answerName(first)} the service got ${answerName(last)} to ${callName(last, tracker)}, and has not come back to it for ${lasting(tracker.now - last.ended)}.`,
        evidence: cites(first.cite, last.cite),
        orderId: wanted.orderId,
        once: key,
      })
    }
  },
})
