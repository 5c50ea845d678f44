/**
 * EF-1: at most one effect of each kind per order, whatever came twice. An order that an operator opened again may have one more for
 * each time.
 */
import type { OperationId } from '../../../../protocol/catalogue.ts'
import { timesText } from '../../../../protocol/count-text.ts'
import { effectText, ownOrderOf, reportUncounted } from '../../helpers/effects.ts'
import { defineInvariant } from '../../invariant.ts'
import { getOrCreateBounded } from '../../tracking/bounded-map.ts'
import { progressOperations } from '../../tracking/progress.ts'
import type { Evidence } from '../../verdict.ts'

/** What came twice of an order. */
interface Repetition {
  /** First handovers, by type of event: what came twice is cited with them. */
  readonly first: Map<string, Evidence>
  /** How often events came. */
  readonly handovers: Map<string, number>
  readonly evidence: Evidence[]
  /** The call that failed last. */
  failed?: { readonly operation: OperationId | undefined; readonly cite: Evidence }
}

/** By order. */
type State = Map<string, Repetition>

/** Exchanges that are cited of one order. */
const maxCited = 6

const repetitionOf = (state: State, orderId: string): Repetition =>
  getOrCreateBounded(state, orderId, () => ({
    first: new Map(),
    handovers: new Map(),
    evidence: [],
  }))

function cite({ evidence }: Repetition, ...cited: readonly (Evidence | undefined)[]): void {
  for (const each of cited) if (each && evidence.length < maxCited) evidence.push(each)
}

export const oneEffectPerOrder = defineInvariant<State>({
  id: 'EF-1',
  name: 'one-effect-per-order',
  sentence:
    'Must do what it does once per order at most once, whatever event or call of the order came twice.',
  remedy:
    'Store the event id and the effect in one transaction, with a unique key per order, and skip what is there already.',
  kind: 'safety',
  clauses: ['ORD-EVR-03', 'ORD-EVR-06'],
  premise: 'subject.effects counted an effect of an order',
  needs: ['subject.effects'],
  calls: progressOperations,
  start: () => new Map(),
  handover(state, { order, event, eventType, handoverNumber, exchange }) {
    if (!order || !event) return
    const repetition = repetitionOf(state, order.orderId)
    const { first, handovers } = repetition
    if (handoverNumber === 1) {
      first.set(eventType, exchange.evidence)
      return
    }
    cite(repetition, handovers.has(eventType) ? undefined : first.get(eventType), exchange.evidence)
    handovers.set(eventType, handoverNumber)
  },
  call(state, { order, operation, ok, status, evidence }) {
    if (!order) return
    const repetition = repetitionOf(state, order.orderId)
    const { failed } = repetition
    if (failed?.operation === operation) cite(repetition, failed?.cite, evidence)
    delete repetition.failed
    if (!ok && (status === 0 || status >= 500)) repetition.failed = { operation, cite: evidence }
  },
  effects(state, observed, tracker, report) {
    const order = ownOrderOf(observed, tracker)
    if (!order) return
    const right = 1 + order.reopenedCount
    for (const each of observed.counts) {
      if (each.count > 0) report.premise()
      if (each.mayRepeat || each.count <= right) continue
      const { evidence, handovers } = repetitionOf(state, order.orderId)
      const came = Array.from(handovers, ([type, times]) => `${type} came ${timesText(times)}`)
      report.failed({
        because: `${effectText(each, observed, tracker)}, where ${right} is right${came.length > 0 ? `; ${came.join(', ')}` : ''}.`,
        evidence: evidence.length > 0 ? evidence : [order.firstReceipt?.evidence, order.lastCall],
        orderId: order.orderId,
        deduplicationKey: `${order.orderId} ${each.kind}`,
      })
    }
  },
  end: (_state, tracker, report) => reportUncounted(tracker, report),
})
