/**
 * TK-2. A rejected token is not used again (AUT-TOK-04): the rejected call is not repeated with it once there is a new
 * one, and other calls, which may be in flight, use it only a few times. A token that the host accepts again was not
 * the cause.
 */
import { compact } from '../../../../base/compact.ts'
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { bearerToken, callKey, isAfter } from '../../helpers/call-outcome.ts'
import {
  createIssuedTokens,
  recordIssuedToken,
  isTokenRequest,
  lastTokenRequest,
} from '../../helpers/tokens.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Timing } from '../../tracking/timing.ts'
import { callName, durationText } from '../../tracking/wording.ts'
import { roles } from '../../../../protocol/role.ts'

interface Rejected {
  readonly by: ObservedExchange
  /** The calls rejected with it, the last of each retry key. */
  readonly calls: Map<string, ObservedExchange>
  /** Uses beyond doubt, and those that may have been in flight. */
  uses: number
  doubtful: number
  doubt: Timing | undefined
}

const maxTokens = 50
const maxCalls = 500
const maxUses = 3

export const rejectedTokensAreDropped = defineInvariant({
  id: 'TK-2',
  name: 'rejected-tokens-are-dropped',
  sentence: 'Must not use a token again after it was rejected.',
  remedy:
    'Discard the token at the first 401, request a new one, and look the token up for every call, retries included.',
  kind: 'liveness',
  ofOneProcess: true,
  clauses: ['AUT-TOK-04'],
  premise: 'a call was answered 401',
  binds: roles,
  calls: 'all',
  start: () => ({ rejected: new Map<string, Rejected>(), issued: createIssuedTokens() }),
  call({ rejected, issued }, exchange, tracker, report) {
    if (isTokenRequest(exchange, tracker)) return recordIssuedToken(issued, exchange)
    if (exchange.status !== 401 && rejected.size === 0) return
    const token = bearerToken(exchange)
    const key = callKey(exchange)
    if (token === undefined || key === undefined) return
    const before = rejected.get(token)
    if (before && exchange.began >= before.by.ended) {
      const renewed = lastTokenRequest(issued, token)
      const call = before.calls.get(key)
      const hadAnother = call && renewed && isAfter(renewed, call) && isAfter(exchange, renewed)
      const use = tracker.timing.of({
        from: before.by.ended,
        to: exchange.began,
        // Calls that began at the very limit count as uses.
        byMs: exchange.began - before.by.ended - tracker.limits.inFlightMs + 1,
      })
      if (exchange.status === 401 && use.outcome === 'failed') before.uses++
      if (exchange.status === 401 && use.outcome === 'inconclusive') {
        before.doubtful++
        before.doubt = use
      }
      if (hadAnother)
        report.failed({
          timing: tracker.timing.inOrder(renewed.ended, exchange.began),
          because: `The service repeated ${callName(exchange, tracker)} with the token that had been rejected ${durationText(exchange.began - call.ended)} before, although it had requested a new one.`,
          evidence: [call.evidence, renewed.evidence, exchange.evidence],
          orderId: exchange.orderId,
          deduplicationKey: `same ${token}`,
        })
      else if (before.uses + before.doubtful > maxUses)
        report.failed({
          ...compact({ timing: before.uses > maxUses ? undefined : before.doubt }),
          because: `The service used a token ${before.uses + before.doubtful} more times after it had been rejected, and was rejected each time, the last time ${durationText(exchange.began - before.by.ended)} later.`,
          evidence: [before.by.evidence, exchange.evidence],
          deduplicationKey: `often ${token}`,
        })
    }
    if (exchange.status !== 401) {
      // Accepted again: the token was not the cause.
      if (before && exchange.ok) rejected.delete(token)
      return
    }
    report.premise()
    if (before) setBounded(before.calls, key, exchange, maxCalls)
    else
      setBounded(
        rejected,
        token,
        {
          by: exchange,
          calls: new Map([[key, exchange]]),
          uses: 0,
          doubtful: 0,
          doubt: undefined,
        },
        maxTokens,
      )
  },
})
