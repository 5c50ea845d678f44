/**
 * RT-8. A failure after a failure of another kind is handled like a first one: a 401 after a 503 leads to a new token,
 * a 503 after a 429 to a retry.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import {
  bearerToken,
  callKey,
  retryAfterInstant,
  callResultOf,
  type CallResult,
} from '../../helpers/call-outcome.ts'
import {
  isStillPending,
  type PendingCall,
  pendingCallOf,
  awaitedOperations,
} from '../../helpers/pending-calls.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { callName, durationText, replyName } from '../../tracking/wording.ts'

interface Failing {
  readonly first: ObservedExchange
  readonly last: ObservedExchange
  /** The chain contains failures of more than one kind. */
  readonly mixed: boolean
  /** Number of rejected tokens: after a rejected fresh one nothing more can be done. */
  readonly rejections: number
  /** The pending call, and since when. */
  readonly wanted: PendingCall
}

const maxEntries = 5000

/** Kind of a failure; failures of one kind need the same handling. */
const kindOf = (observed: ObservedExchange, answer: CallResult): string =>
  answer === 'again' ? (observed.status === 429 ? 'limited' : 'again') : answer

const failures: ReadonlySet<CallResult> = new Set<CallResult>(['again', 'silent', 'unauthorized'])

export const secondFailuresAreHandledToo = defineInvariant({
  id: 'RT-8',
  name: 'second-failures-are-handled-too',
  sentence: 'Must handle a failure that follows one of another kind like a first failure.',
  remedy:
    'Decide by the last reply alone: get a new token after a 401 and retry after a 5xx, whatever failed before.',
  kind: 'liveness',
  clauses: ['TRN-STA-12', 'AUT-TOK-04'],
  premise: 'a call failed in one way and then in another',
  calls: awaitedOperations,
  start: () => new Map<string, Failing>(),
  call(state, exchange, tracker, report) {
    if (exchange.ok && state.size === 0) return
    const key = callKey(exchange)
    if (key === undefined) return
    const before = state.get(key)
    if (before && exchange.began < before.last.ended) return
    const answer = callResultOf(exchange)
    const sameToken =
      before?.mixed === true &&
      before.rejections === 1 &&
      callResultOf(before.last) === 'unauthorized' &&
      bearerToken(exchange) === bearerToken(before.last)
    if (before && sameToken)
      report.failed({
        timing: tracker.timing.inOrder(before.last.ended, exchange.began),
        because: `After ${replyName(before.first)} the service got ${replyName(before.last)} to ${callName(before.last, tracker)}, and repeated it with the same token.`,
        evidence: [before.first.evidence, before.last.evidence, exchange.evidence],
        orderId: exchange.orderId,
        deduplicationKey: key,
      })
    state.delete(key)
    if (!failures.has(answer)) return
    const since = Math.max(exchange.ended, retryAfterInstant(exchange) ?? 0)
    // Only a second failure is reported, and no difference is made between it and a third.
    const wanted = pendingCallOf(exchange, since, 2)
    if (!wanted) return
    const first = before?.first ?? exchange
    const mixed =
      before !== undefined &&
      kindOf(before.last, callResultOf(before.last)) !== kindOf(exchange, answer)
    if (mixed) report.premise()
    const rejections = (before?.rejections ?? 0) + (answer === 'unauthorized' ? 1 : 0)
    setBounded(state, key, { first, last: exchange, mixed, rejections, wanted }, maxEntries)
  },
  end(state, tracker, report) {
    for (const [key, { first, last, mixed, wanted }] of state) {
      if (!mixed || !isStillPending(wanted, tracker)) continue
      report.due(tracker.deadline(wanted.since), () => ({
        because: `After ${replyName(first)} the service got ${replyName(last)} to ${callName(last, tracker)}, and has not retried it for ${durationText(tracker.now - last.ended)}.`,
        evidence: [first.evidence, last.evidence],
        orderId: wanted.orderId,
        deduplicationKey: key,
      }))
    }
  },
})
