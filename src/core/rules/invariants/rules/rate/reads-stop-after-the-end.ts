/**
 * RC-2. Once the service knows that an order is over, it reads it only a few times more, or ever more seldom. CONCLUDED may
 * never come, so that waiting for it has an end too (ORD-TRA-10, ORD-EVT-17): within the first minute no number of reads is too many. A new
 * event, or a GET that shows the order still open, resets the count.
 */
import { addBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { Evidence } from '../../verdict.ts'
import { projectedStatus } from '../../tracking/progress.ts'
import { knowledgeText, durationText, orderName } from '../../tracking/wording.ts'
import { occurredStatuses } from '../../tracking/status-history.ts'
import type { TrackedOrder } from '../../tracking/tracker-state.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

interface Over {
  readonly since: Instant
  /** Reads since then and since the last event. */
  after: readonly Evidence[]
}

const overOf = new WeakMap<TrackedOrder, Over>()

interface State {
  /** Finished orders that were read again, so that events about all others need no lookup. */
  readonly reread: Set<Over>
}

const maxEntries = 5000
const maxReads = 3

/** So long may a service look whether a DELIVERED order is CONCLUDED soon. */
const waitForConcludedMs = 60_000

/** Pauses that grow by so much come to an end by themselves, as reads at 2, 4 and 8 seconds until CONCLUDED do. */
const growth = 1.5

function pausesGrow(reads: readonly Evidence[]): boolean {
  const pauses = reads.slice(1).map(({ at }, index) => at - (reads[index]?.at ?? at))
  return pauses.slice(1).every((pause, index) => pause >= growth * (pauses[index] ?? pause))
}

/** How the service knew that the order is over, as text. */
function knewSince({ knownStatuses: all }: TrackedOrder): string {
  const status = occurredStatuses(all).find(isFinalStatus)
  const known = status && all.get(status)
  return known ? `, although the service ${knowledgeText(known)}` : ''
}

const none: readonly Evidence[] = []

function end(order: TrackedOrder, since: Instant, report: InvariantReporter): void {
  if (overOf.get(order)) return
  report.premise()
  overOf.set(order, { since, after: none })
}

/** A new event resets the count. */
function resetCount({ reread }: State, order: TrackedOrder | undefined): void {
  const known = reread.size === 0 || !order ? undefined : overOf.get(order)
  if (known && reread.delete(known)) known.after = none
}

export const readsStopAfterTheEnd = defineInvariant<State>({
  id: 'RC-2',
  name: 'reads-stop-after-the-end',
  sentence:
    'Must not go on reading an order after it is known to be over: three times, with pauses that grow, or for a minute until CONCLUDED.',
  remedy: 'Stop reading an order once a final status is known, and do not wait for CONCLUDED.',
  kind: 'timing',
  ofOneProcess: true,
  clauses: ['ORD-TRA-10', 'ORD-TRA-11', 'ORD-EVT-17'],
  premise: 'the service knew that an order is over',
  calls: ['getOrder'],
  start: () => ({ reread: new Set() }),
  handover: (state, { order }) => resetCount(state, order),
  acknowledgment(_state, { eventType = '', order, at }, _tracker, report) {
    const status = projectedStatus(eventType)
    if (order && status && isFinalStatus(status)) end(order, at, report)
  },
  call(state, exchange, tracker, report) {
    const { order } = exchange
    if (!exchange.ok || !order) return
    const { orderId } = order
    const status = exchange.orderStatus
    if (!status) return
    if (!isFinalStatus(status)) {
      overOf.delete(order)
      return
    }
    const over = overOf.get(order)
    if (!over) return end(order, exchange.ended, report)
    if (exchange.began < over.since) return
    addBounded(state.reread, over, maxEntries)
    over.after = over.after.concat(exchange.evidence)
    const [first] = over.after
    if (over.after.length <= maxReads || !first) return
    const reads = over.after
    over.after = reads.slice(1)
    const isWaiting = status === 'DELIVERED' && exchange.began < over.since + waitForConcludedMs
    if (isWaiting || pausesGrow(reads)) return
    report.failed({
      timing: tracker.timing.inOrder(over.since, first.at),
      because: `The service read ${orderName(tracker, orderId)} ${reads.length} times within ${durationText(exchange.began - first.at)} after it was over, without a new event of it${knewSince(order)}.`,
      evidence: reads,
      orderId,
    })
  },
})
