/**
 * TK-2. A rejected token is not used again (AUT-TOK-04): the rejected call is not repeated with it once there is a new
 * one, and other calls, which may be in flight, use it only a few times. A token that the host accepts again was not
 * the cause.
 */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { bearer, callKey, isAfter } from '../../helpers/call-outcome.ts'
import { everyRole } from '../../helpers/roles.ts'
import {
  createIssued,
  hearIssued,
  isTokenRequest,
  type Issued,
  lastRequest,
} from '../../helpers/tokens.ts'
import { callName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { cites, lasting } from '../../tracking/wording.ts'

interface Rejected {
  readonly by: SeenExchange
  /** The calls rejected with it, the last of each retry key. */
  readonly calls: Map<string, SeenExchange>
  uses: number
}

interface State {
  readonly rejected: Map<string, Rejected>
  readonly issued: Issued
}

const maxTokens = 50
const maxCalls = 500
const maxUses = 3

export const rejectedTokensAreDropped = defineInvariant<State>({
  id: 'TK-2',
  name: 'rejected-tokens-are-dropped',
  sentence: 'A token that was rejected is not used any more.',
  kind: 'liveness',
  clauses: ['AUT-TOK-04'],
  premise: 'a call was answered 401',
  binds: everyRole,
  sees: { exchanges: ['issueToken'], failures: 'all' },
  start: () => ({ rejected: new Map(), issued: createIssued() }),
  minds: ({ rejected }) => rejected.size > 0,
  shown: {
    exchange({ rejected, issued }, exchange, tracker, report) {
      if (exchange.by !== 'subject') return
      if (isTokenRequest(exchange, tracker)) return hearIssued(issued, exchange)
      if (exchange.status !== 401 && rejected.size === 0) return
      const token = bearer(exchange)
      const key = callKey(exchange)
      if (token === undefined || key === undefined) return
      const before = rejected.get(token)
      if (before && exchange.began >= before.by.ended) {
        const renewed = lastRequest(issued, token)
        const call = before.calls.get(key)
        const hadAnother = call && renewed && isAfter(renewed, call) && isAfter(exchange, renewed)
        const isUse = exchange.began - before.by.ended >= tracker.patience.inFlightMs
        if (isUse && exchange.status === 401) before.uses++
        if (hadAnother)
          report.broken({
            because: `The service repeated ${callName(exchange, tracker)} with the token that had been rejected ${lasting(exchange.began - call.ended)} before, though it had asked for a new one.`,
            evidence: cites(call.cite, renewed.cite, exchange.cite),
            orderId: exchange.orderId,
            once: `same ${token}`,
          })
        else if (before.uses > maxUses)
          report.broken({
            because: `The service used a token ${before.uses} more times after it had been rejected, was rejected again each time, the last time ${lasting(exchange.began - before.by.ended)} later.`,
            evidence: cites(before.by.cite, exchange.cite),
            once: `often ${token}`,
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
          { by: exchange, calls: new Map([[key, exchange]]), uses: 0 },
          maxTokens,
        )
    },
  },
})
