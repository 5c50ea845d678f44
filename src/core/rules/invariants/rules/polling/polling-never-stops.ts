/**
 * PO-1. The service keeps polling at its interval, whatever the outcome of a poll, an event or an order (ORD-OPS-01). A
 * pause runs from the reply of one poll to the next poll. After a failed poll or token request a longer pause is
 * allowed until the fault window ends, and one that grows from try to try; a pause longer than usual is open meanwhile, whatever else the service does.
 */
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import { retryAfterInstant } from '../../helpers/call-outcome.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { durationText, replyName } from '../../tracking/wording.ts'
import type { Moment } from '../../tracking/service-clock.ts'
import type { TrackerState } from '../../tracking/tracker-state.ts'

interface PauseHistory {
  /** The last pauses in ms, as a ring buffer. */
  readonly gaps: number[]
  count: number
}

const remembered = 15

const createPauseHistory = (): PauseHistory => ({ gaps: [], count: 0 })

function recordPause(interval: PauseHistory, gap: number): void {
  interval.gaps[interval.count++ % remembered] = gap
}

/** Median of the last pauses; 0 if there were none. */
function medianPause({ gaps }: PauseHistory): number {
  return gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0
}

interface State {
  readonly interval: PauseHistory
  /** The poll that ended last. */
  last: ObservedExchange | undefined
  /** When polls or token requests were last disturbed. */
  trouble: Instant | undefined
  /** When its last call of any kind ended. */
  lastCall: Instant | undefined
  /** The last token that it asked for after a silence: as a process does that was started again. */
  token: { readonly at: Instant; readonly silentMs: number } | undefined
  /** When a poll was last hung: a hung poll is not observed until it ends. */
  hung: Instant | undefined
}

/** Factor of the median pause above which a pause is too long. */
const maxPauseFactor = 3
/** The longest pause to which the pauses between failed polls may grow, in ms, where the time to recover is shorter. */
const longestBackoffMs = 60_000
/** Number of pauses needed for a median. */
const minPauses = 3
const isKnown = ({ count }: PauseHistory): boolean => count >= minPauses

/** Factor of `graceMs` while faults disturb other calls of the service. */
const graceFactorUnderFaults = 3

const disturbs = (on: string): boolean =>
  on.startsWith('req(poll') || on.startsWith('req(issueToken')

interface Pause {
  /** Start of the pause. */
  readonly from: Instant
  /** Maximum length in ms. */
  readonly limit: number
}

/** The longest pause that nothing has disturbed, in ms. */
const undisturbedLimit = ({ interval }: State, minMs: number): number =>
  Math.max(maxPauseFactor * medianPause(interval), minMs)

/** When a poll was over. A hung one counts from its start: waiting forever is no excuse. */
const overSince = (poll: ObservedExchange): Moment =>
  poll.exchange.failure?.code === 'HUNG' ? poll.start : poll.end

/** The last pause, in ms; 0 if there was none. */
const lastPause = ({ gaps, count }: PauseHistory): number => gaps[(count - 1) % remembered] ?? 0

/**
 * The allowed pause after a poll: `convergeMs` after a disturbance or before a median is known, and more where the pauses
 * between failed polls grow, as they should.
 */
function pauseAfter(last: ObservedExchange, state: State, tracker: TrackerState): Pause {
  const { trouble, interval } = state
  const { graceMs, convergeMs } = tracker.limits
  const isTroubled = trouble !== undefined && trouble >= last.began
  if (last.ok && !last.isFaulted && !isTroubled && isKnown(interval)) {
    const least = tracker.wasFaultFreeSince(last.began) ? graceMs : graceFactorUnderFaults * graceMs
    return { from: last.ended, limit: undisturbedLimit(state, least) }
  }
  const from = Math.max(overSince(last).at, retryAfterInstant(last) ?? 0, isTroubled ? trouble : 0)
  const grown = Math.min(maxPauseFactor * lastPause(interval), longestBackoffMs)
  return { from, limit: Math.max(convergeMs, grown) }
}

const howItEnded = (last: ObservedExchange, hung?: Instant): string =>
  hung !== undefined && hung >= last.began
    ? 'its last poll was never answered'
    : `its last poll got ${last.ok ? 'a reply' : replyName(last)}`

/** Whether nothing came for most of a pause and then, before the poll, a request for a token. */
const isStartedAgain = ({ token }: State, last: ObservedExchange, gap: number): boolean =>
  token !== undefined && token.at >= last.ended && 2 * token.silentMs > gap

export const pollingNeverStops = defineInvariant<State>({
  id: 'PO-1',
  name: 'polling-never-stops',
  sentence: 'Must keep polling at its interval, whatever becomes of a poll, an event or an order.',
  remedy:
    'Set a timeout for each poll, and catch errors so that no poll, event or order can end the polling loop.',
  kind: 'liveness',
  clauses: ['ORD-OPS-01'],
  premise: 'the service polled more than once',
  adviceMeaning: 'a service that is ended and started again does not poll meanwhile',
  calls: 'all',
  start: () => ({
    interval: createPauseHistory(),
    last: undefined,
    trouble: undefined,
    lastCall: undefined,
    token: undefined,
    hung: undefined,
  }),
  facts: {
    'fault.fired'(state, { on, distortion }, { now }) {
      if (!disturbs(on)) return
      state.trouble = now
      if (distortion?.end === 'hang' && on.startsWith('req(poll')) state.hung = now
    },
    'session.subject-renewed'(state, _fact, { now }) {
      state.trouble = now
    },
  },
  call(state, exchange, tracker, report) {
    const { operation, began, ended } = exchange
    const silentMs = began - (state.lastCall ?? began)
    if (exchange.caller === 'subject' || exchange.ok)
      state.lastCall = Math.max(state.lastCall ?? ended, ended)
    if (operation === 'issueToken') {
      state.token = { at: began, silentMs }
      if (!exchange.ok) state.trouble = ended
    }
    if (operation !== 'pollingEvents') return
    if (exchange.exchange.failure?.code === 'HUNG') state.hung = undefined
    const { last, interval } = state
    if (last && exchange.began >= last.ended) {
      report.premise()
      const { from, limit } = pauseAfter(last, state, tracker)
      const { timing: measured } = tracker
      const ownMs = measured.ownMs(overSince(last), exchange.start)
      const gap = Math.min(exchange.began - from, ownMs)
      // Until its interval is known it may be one of the wall clock.
      const byMs = gap - (isKnown(interval) ? limit : limit * tracker.limits.pace)
      const timing = measured.of({ from, to: exchange.began, byMs })
      if (timing.outcome !== 'fine')
        report.failed({
          timing,
          because: `The service did not poll for ${durationText(gap)}; its usual pause is ${durationText(medianPause(interval))}, and ${howItEnded(last)}.`,
          evidence: [last.evidence, exchange.evidence],
          advice: isStartedAgain(state, last, gap),
        })
      recordPause(interval, measured.ownMs(last.end, exchange.start))
    }
    if (!last || exchange.ended >= last.ended) state.last = exchange
  },
  end(state, tracker, report) {
    const { last } = state
    if (!last) return
    const { from, limit } = pauseAfter(last, state, tracker)
    const gap = Math.min(tracker.now - from, tracker.timing.ownMs(overSince(last)))
    if (gap <= limit) {
      const isUnusual = tracker.now - from > undisturbedLimit(state, tracker.limits.graceMs)
      return isUnusual ? report.open() : undefined
    }
    const timing = tracker.deadline(from, limit)
    if (timing.outcome === 'fine') return report.open()
    report.failed({
      timing,
      because: `The service has not polled for ${durationText(tracker.now - last.ended)}; ${howItEnded(last, state.hung)}.`,
      evidence: [last.evidence],
    })
  },
})
