/**
 * RT-4. After a reply with Retry-After the operation is not called before that time (TRN-STA-10), by any part of the
 * service and for any order, since a 429 counts all its calls. A 503 about one order says nothing about the others: these
 * are advice. Calls in flight at that moment are excused.
 */
import type { Instant } from '../../../../engine/instant.ts'
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey, hasAmbiguousCaller, retryAfterInstant } from '../../helpers/call-outcome.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { allOf } from '../../tracking/timing.ts'
import { callName, durationText, replyName } from '../../tracking/wording.ts'
import { roles } from '../../../../protocol/role.ts'

interface RequestedPause {
  readonly until: Instant
  readonly by: ObservedExchange
  readonly key: string | undefined
  /** The origin it applies to: another host may serve the same operation. */
  readonly origin: string
}

const maxOperations = 200
const maxPauses = 4
/** In ms: timers fire slightly early, and a date has no milliseconds. */
const toleranceMs = 100

const originOf = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2))

export const retryAfterIsWaitedOut = defineInvariant({
  id: 'RT-4',
  name: 'retry-after-is-waited-out',
  sentence: 'Must not make a call of the same kind before the time given in Retry-After is over.',
  remedy: 'Read Retry-After, and hold back all calls of that operation until the time is over.',
  kind: 'timing',
  adviceMeaning: 'no clause says that a 503 about one order holds back the calls about others',
  ofOneProcess: true,
  clauses: ['TRN-STA-10', 'TRN-STA-12'],
  premise: 'the service got a reply with Retry-After',
  binds: roles,
  calls: 'all',
  /** The last Retry-After pauses by operation; several, since replies may arrive late. */
  start: () => new Map<string, readonly RequestedPause[]>(),
  call(state, exchange, tracker, report) {
    const { operation, began, ended } = exchange
    if (operation === undefined || hasAmbiguousCaller(exchange, tracker)) return
    const { url } = exchange.exchange.request
    for (const pause of state.get(operation) ?? []) {
      const { by, until, origin, key } = pause
      // The call that received the reply knows at once; others may be in flight.
      const isSameCall = key === callKey(exchange)
      const inFlightMs = isSameCall ? 0 : tracker.limits.inFlightMs
      if (began < by.ended + inFlightMs || exchange.exchange.seq <= by.exchange.seq) continue
      if (began >= until - toleranceMs || !url.startsWith(origin)) continue
      if (tracker.isOfEarlierProcess(by.evidence)) continue
      const isAdvice = !isSameCall && by.status !== 429
      const timing = allOf(
        tracker.timing.inOrder(by.ended + inFlightMs, began),
        tracker.timing.atLeast(by.end, exchange.start, until - toleranceMs - by.ended),
      )
      report.failed({
        timing,
        because: `The service made ${callName(exchange, tracker)} ${durationText(tracker.timing.longestMs(by.end, exchange.start))} after ${replyName(by)}${isSameCall ? '' : ` to ${callName(by, tracker)}`}.`,
        evidence: [by.evidence, exchange.evidence],
        orderId: exchange.orderId,
        deduplicationKey: `${by.exchange.seq}${isAdvice ? ' advice' : ''}`,
        advice: isAdvice,
      })
    }
    const until = exchange.ok ? undefined : retryAfterInstant(exchange)
    if (until === undefined || until <= ended) return
    report.premise()
    const pause = { until, by: exchange, key: callKey(exchange), origin: originOf(url) }
    const before = state.get(operation) ?? []
    setBounded(state, operation, [...before.slice(1 - maxPauses), pause], maxOperations)
  },
})
