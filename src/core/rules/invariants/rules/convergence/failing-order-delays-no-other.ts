/**
 * CV-13: an order or merchant that fails permanently delays no other. It is judged while faults are in force, since
 * they may never end; so only orders that no fault touched count, and only from the last distortion of shared
 * operations (polls, tokens).
 */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { isCancellationPending, isWaitingForSparring } from './every-order-comes-to-its-end.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Evidence } from '../../verdict.ts'
import { retryAfterInstant } from '../../helpers/call-outcome.ts'
import { isRefusal, orderIdOfExchange } from '../../tracking/exchange-fields.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { atTimeOfDay, durationText, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

/** Successive failures after which an order counts as failing. */
const failuresOfOne = 3

/** Maximum number of orders checked per failure; the oldest are overdue first. */
const maxChecked = 10

interface FailureRun {
  readonly since: Instant
  readonly times: number
  readonly last: Evidence
}

interface State {
  /** Open orders that no fault touched, oldest first. */
  readonly open: Map<string, TrackedOrder>
  /** Successive failures by order. */
  readonly failing: Map<string, FailureRun>
  /** Failing orders. */
  readonly sick: Set<string>
  /** Last distortion of an operation that belongs to no order, or end of the last pause that a reply asked for. */
  common: Instant
}

function clearFailures({ failing, sick }: State, orderId: string): void {
  failing.delete(orderId)
  sick.delete(orderId)
}

function call(
  state: State,
  exchange: ObservedExchange,
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  if (exchange.ok && state.failing.size === 0) return
  // Retry-After holds back the calls about all orders.
  state.common = Math.max(state.common, retryAfterInstant(exchange) ?? 0)
  const orderId = orderIdOfExchange(exchange)
  if (orderId === undefined) return
  if (exchange.ok || isRefusal(exchange)) return clearFailures(state, orderId)
  const before = state.failing.get(orderId)
  const times = (before?.times ?? 0) + 1
  const since = before?.since ?? exchange.began
  setBounded(state.failing, orderId, { since, times, last: exchange.evidence }, maxTrackedKeys)
  if (times === failuresOfOne) {
    state.sick.add(orderId)
    if (state.open.size > (state.open.has(orderId) ? 1 : 0)) report.premise()
  }
  if (times < failuresOfOne) return
  let looked = 0
  for (const order of state.open.values()) {
    if (looked++ === maxChecked) return
    if (!isCancellationPending(order) && order.waits === undefined)
      judge(state, order, tracker, report)
  }
}

/** Another order that failed recently; one that was abandoned delays nothing. */
function otherFailing(
  { sick, failing }: State,
  orderId: string,
  { now, limits }: TrackerState,
): (FailureRun & { readonly orderId: string }) | undefined {
  for (const other of sick) {
    const failureRun = failing.get(other)
    if (!failureRun || other === orderId || now - failureRun.last.at > limits.convergeMs) continue
    return { ...failureRun, orderId: other }
  }
  return undefined
}

function judge(
  state: State,
  order: TrackedOrder,
  tracker: TrackerState,
  report: InvariantReporter,
): void {
  const { orderId, createdAt, hostStatus, firstReceipt, waited } = order
  const failureRun = otherFailing(state, orderId, tracker)
  if (!failureRun) return
  const took = tracker.now - Math.max(createdAt, failureRun.since, state.common) - waited
  const { now, limits } = tracker
  const timing = tracker.timing.atMostUntilNow(now - took, now, limits.convergeMs)
  if (timing.outcome === 'fine') return isFinalStatus(hostStatus) ? undefined : report.open()
  const [name, other] = [orderName(tracker, orderId), orderName(tracker, failureRun.orderId)]
  const came = isFinalStatus(hostStatus) ? 'reached its end only' : `is still ${hostStatus}`
  report.failed({
    timing,
    because: `${name}, which no fault touched, ${came} ${durationText(tracker.now - createdAt)} after it was created, while ${other} fails (${failureRun.times} failed calls in a row, the last ${atTimeOfDay(failureRun.last.at)}).`,
    evidence: [firstReceipt?.evidence, order.lastCall, failureRun.last],
    orderId,
  })
}

export const failingOrderDelaysNoOther = defineInvariant<State>({
  id: 'CV-13',
  name: 'failing-order-delays-no-other',
  sentence: 'Must bring all other orders to their end while the calls about one order fail.',
  remedy:
    'Process orders independently: retry a failing one in the background and continue with the others.',
  kind: 'liveness',
  clauses: ['ORD-GEN-05', 'TRN-STA-12'],
  premise: 'calls about one order failed again and again while there were others',
  calls: 'all',
  start: () => ({
    open: new Map(),
    failing: new Map(),
    sick: new Set(),
    common: 0,
  }),
  call: (state, exchange, tracker, report) => call(state, exchange, tracker, report),
  facts: {
    'order.created'(state, { order: { id } }, { orders }, report) {
      const order = orders.get(id)
      if (!order || order.isForeign) return
      setBounded(state.open, id, order, maxTrackedKeys)
      if (state.sick.size > 0) report.premise()
    },
    'order.moved'(state, { orderId, to }, tracker, report) {
      if (!isFinalStatus(to)) return
      const order = state.open.get(orderId)
      state.open.delete(orderId)
      if (order && !isCancellationPending(order)) judge(state, order, tracker, report)
      clearFailures(state, orderId)
    },
    'fault.fired'(state, { orderId }, { now }) {
      if (orderId === undefined) state.common = Math.max(state.common, now)
      else state.open.delete(orderId)
    },
  },
  end(state, tracker, report) {
    if (state.sick.size === 0) return
    for (const order of state.open.values())
      if (!isWaitingForSparring(order, tracker)) judge(state, order, tracker, report)
  },
})
