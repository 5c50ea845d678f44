/**
 * TK-1. A token is requested only when needed: at first, after a rejection, near expiry, or after a failed request;
 * never twice in parallel (AUT-TOK-03). A 401 justifies a new token only if it rejected the latest one. A single
 * unneeded request is tolerated, since the service may have restarted.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { bearerToken } from '../../helpers/call-outcome.ts'
import {
  isTokenRequest,
  issuedTokenOf,
  tokenLifetimeMs,
  credentialsOf,
} from '../../helpers/tokens.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { allOf, type Timing } from '../../tracking/timing.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'
import { durationText, replyName } from '../../tracking/wording.ts'
import { roles } from '../../../../protocol/role.ts'

/** Token state of one set of credentials at one host. */
interface TokenState {
  /** The last token request. */
  last: ObservedExchange
  /** The last token that the service received. */
  token: string | undefined
  /** Time after the last request from which on it may be renewed. */
  renewAfterMs: number
  /** Another request is justified: the token was rejected, or the last request failed. */
  needed: boolean
  /** The last unneeded request. */
  needless: ObservedExchange | undefined
}

interface State {
  readonly purses: Map<string, TokenState>
  /** Token state by token. */
  readonly owners: Map<string, TokenState>
}

const maxCredentials = 500
const maxTokens = 2000
/** Fraction of the lifetime after which a token may be renewed. */
const renewable = 0.5
/** Common clients renew a token so long before its end: one of 40 s with each call. */
const renewalMarginMs = 60_000
const habitMs = 60_000
/** Shortest time after which a service is taken to give up a request, in ms. */
const shortestTimeoutMs = 1000

/** Whether two requests overlapped for the service, not only because a fault delayed the first reply. */
function overlap(earlier: ObservedExchange, later: ObservedExchange, inFlightMs: number): boolean {
  if (later.began >= earlier.ended || earlier.began >= later.ended) return false
  return !earlier.isFaulted || Math.abs(later.began - earlier.began) < inFlightMs
}

/** The second request comes when the first is answered, and not at once. */
const apartTiming = (
  { timing, limits }: TrackerState,
  earlier: ObservedExchange,
  later: ObservedExchange,
): Timing =>
  later.began < earlier.ended
    ? timing.inOrder(later.began, Math.min(earlier.ended, later.ended))
    : timing.atLeast(earlier.end, later.start, limits.inFlightMs)

/** The answer to a request came so late, because of us, that the service may have abandoned it. */
const answerTiming = ({ timing }: TrackerState, { began, ended }: ObservedExchange): Timing =>
  timing.inOrder(began, ended)

/** We were so late, in taking a request or in answering it, that the service may have timed out. */
const timeoutTiming = ({ timing }: TrackerState, { began, ended }: ObservedExchange): Timing =>
  timing.of({ from: began, to: ended, byMs: shortestTimeoutMs })

function receive(state: State, tokenState: TokenState, request: ObservedExchange): void {
  const token = issuedTokenOf(request)
  tokenState.last = request
  // A reply that a fault delayed or broke may not have arrived.
  tokenState.needed = token === undefined || request.isFaulted
  if (token === undefined) return
  tokenState.token = token
  const lifetimeMs = tokenLifetimeMs(request)
  tokenState.renewAfterMs = Math.min(lifetimeMs * renewable, lifetimeMs - renewalMarginMs)
  setBounded(state.owners, token, tokenState, maxTokens)
}

export const oneTokenPerRejection = defineInvariant<State>({
  id: 'TK-1',
  name: 'one-token-per-rejection',
  sentence: 'Must request one token at a time, and a new one only when it is needed.',
  remedy:
    'Share one token between all workers, renew it in one place, and only after a 401 or shortly before it expires.',
  kind: 'safety',
  ofOneProcess: true,
  clauses: ['AUT-TOK-03', 'AUT-TOK-04'],
  premise: 'the service requested a token',
  binds: roles,
  calls: 'all',
  start: () => ({ purses: new Map(), owners: new Map() }),
  call(state, exchange, tracker, report) {
    if (exchange.status === 401) {
      const token = bearerToken(exchange)
      const owner = token === undefined ? undefined : state.owners.get(token)
      if (owner && owner.token === token) owner.needed = true
    }
    if (!isTokenRequest(exchange, tracker)) return
    const key = credentialsOf(exchange)
    const known = state.purses.get(key)
    const tokenState = known && tracker.isOfEarlierProcess(known.last.evidence) ? undefined : known
    report.premise()
    if (!tokenState) {
      const first: TokenState = {
        last: exchange,
        token: undefined,
        renewAfterMs: 0,
        needed: true,
        needless: undefined,
      }
      receive(state, first, exchange)
      setBounded(state.purses, key, first, maxCredentials)
      return
    }
    const { last, needed, needless, renewAfterMs } = tokenState
    const { inFlightMs } = tracker.limits
    const { timing } = tracker
    const sinceLast = timing.longestMs(last.end, exchange.start)
    const isNeedless = !needed && sinceLast < renewAfterMs
    // Too soon for a restart: the two requests are uncoordinated.
    const isMoment = isNeedless && sinceLast < inFlightMs
    if (isMoment || overlap(last, exchange, inFlightMs))
      report.failed({
        timing: allOf(apartTiming(tracker, last, exchange), timeoutTiming(tracker, last)),
        because:
          'The service requested a token while its request for the same token was in progress or had just been answered.',
        evidence: [last.evidence, exchange.evidence],
        deduplicationKey: `together ${key}`,
      })
    else if (isNeedless) {
      if (needless && timing.longestMs(needless.start, exchange.start) < habitMs)
        report.failed({
          timing: answerTiming(tracker, last),
          because: `The service requested another token ${durationText(sinceLast)} after it had received one (${replyName(last)}) that had not been rejected, and not for the first time.`,
          evidence: [needless.evidence, last.evidence, exchange.evidence],
          deduplicationKey: `needless ${key}`,
        })
      tokenState.needless = exchange
    }
    receive(state, tokenState, exchange)
  },
})
