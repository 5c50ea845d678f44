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

/** What came of an order: events by type, and what came twice. */
interface Arrivals {
  readonly events: Map<string, { readonly first: Evidence; times: number }>
  readonly twice: (Evidence | undefined)[]
  /** The call that failed last. */
  failed?: { readonly operation: OperationId | undefined; readonly cite: Evidence }
}

/** By order. */
type State = Map<string, Arrivals>

/** Exchanges that are cited of one order. */
const maxCited = 6

const arrivalsOf = (state: State, orderId: string): Arrivals =>
  getOrCreateBounded(state, orderId, () => ({ events: new Map(), twice: [] }))

function cite({ twice }: Arrivals, first: Evidence | undefined, again: Evidence): void {
  if (twice.length < maxCited) twice.push(first, again)
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
  handover(state, { order, event, eventType, exchange }) {
    if (!order || !event) return
    const arrivals = arrivalsOf(state, order.orderId)
    const known = arrivals.events.get(eventType)
    if (known) cite(arrivals, known.times++ === 1 ? known.first : undefined, exchange.evidence)
    else arrivals.events.set(eventType, { first: exchange.evidence, times: 1 })
  },
  call(state, { order, operation, ok, status, evidence }) {
    if (!order) return
    const arrivals = arrivalsOf(state, order.orderId)
    const { failed } = arrivals
    if (failed?.operation === operation) cite(arrivals, failed?.cite, evidence)
    delete arrivals.failed
    if (!ok && (status === 0 || status >= 500)) arrivals.failed = { operation, cite: evidence }
  },
  effects(state, observed, tracker, report) {
    const order = ownOrderOf(observed, tracker)
    if (!order) return
    const right = 1 + order.reopenedCount
    for (const each of observed.counts) {
      if (each.count > 0) report.premise()
      if (each.mayRepeat || each.count <= right) continue
      const { events, twice } = arrivalsOf(state, order.orderId)
      const came = [...events].flatMap(([type, { times }]) =>
        times > 1 ? [`${type} came ${timesText(times)}`] : [],
      )
      report.failed({
        because: `${[`${effectText(each, observed, tracker)}, where ${right} is right`, ...came].join('; ')}.`,
        evidence: twice.length > 0 ? twice : [order.firstReceipt?.evidence, order.lastCall],
        orderId: order.orderId,
        deduplicationKey: `${order.orderId} ${each.kind}`,
      })
    }
  },
  end: (_state, tracker, report) => reportUncounted(tracker, report),
})
