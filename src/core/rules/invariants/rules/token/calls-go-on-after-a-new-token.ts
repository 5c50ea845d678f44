/**
 * TK-3. A call that was answered 401 is repeated with the new token (AUT-TOK-04: a worker renews its token and
 * continues), unless it is no longer needed.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { bearerToken, callKey, isAfter, callResultOf } from '../../helpers/call-outcome.ts'
import {
  createIssuedTokens,
  recordIssuedToken,
  isTokenRequest,
  lastTokenRequest,
} from '../../helpers/tokens.ts'
import {
  isStillPending,
  type PendingCall,
  pendingCallOf,
  awaitedOperations,
} from '../../helpers/pending-calls.ts'
import { callName, durationText } from '../../tracking/wording.ts'

interface Interrupted {
  readonly wanted: PendingCall
  readonly token: string | undefined
}

const maxEntries = 5000

export const callsGoOnAfterANewToken = defineInvariant({
  id: 'TK-3',
  name: 'calls-go-on-after-a-new-token',
  sentence: 'Must repeat a call that was answered 401 with the new token.',
  remedy: 'Keep the call that got the 401, and send it again as soon as the new token has arrived.',
  kind: 'liveness',
  clauses: ['AUT-TOK-04'],
  premise: 'a call that an order needs was answered 401',
  calls: ['issueToken', ...awaitedOperations],
  start: () => ({ interrupted: new Map<string, Interrupted>(), issued: createIssuedTokens() }),
  call({ interrupted, issued }, exchange, tracker, report) {
    if (isTokenRequest(exchange, tracker)) return recordIssuedToken(issued, exchange)
    const isRejected = callResultOf(exchange) === 'unauthorized'
    if (!isRejected && interrupted.size === 0) return
    const key = callKey(exchange)
    if (key === undefined) return
    const before = interrupted.get(key)
    if (before && exchange.began < before.wanted.failed.ended) return
    const token = bearerToken(exchange)
    const renewed = lastTokenRequest(issued, token ?? '')
    if (before && renewed && token === before.token) {
      const { failed: lastFailure } = before.wanted
      if (isAfter(renewed, lastFailure) && isAfter(exchange, renewed))
        report.failed({
          timing: tracker.timing.inOrder(renewed.ended, exchange.began),
          because: `After a 401 to ${callName(lastFailure, tracker)} the service got a new token, but repeated the call with the old one.`,
          evidence: [lastFailure.evidence, renewed.evidence, exchange.evidence],
          orderId: exchange.orderId,
          deduplicationKey: key,
        })
    }
    interrupted.delete(key)
    if (!isRejected) return
    const wanted = pendingCallOf(exchange, exchange.ended, (before?.wanted.tries ?? 0) + 1)
    if (!wanted) return
    report.premise()
    setBounded(interrupted, key, { wanted, token }, maxEntries)
  },
  end({ interrupted }, tracker, report) {
    for (const [key, { wanted }] of interrupted) {
      if (!isStillPending(wanted, tracker)) continue
      const { failed: lastFailure, orderId } = wanted
      report.due(tracker.deadline(wanted.since), () => ({
        because: `The service got a 401 to ${callName(lastFailure, tracker)}, and has not repeated the call for ${durationText(tracker.now - lastFailure.ended)}.`,
        evidence: [lastFailure.evidence],
        orderId,
        deduplicationKey: key,
      }))
    }
  },
})
