/**
 * CV-5: an effect triggered by an event is not triggered again by a read, or vice versa. A delivery is requested once,
 * however the service learned of the confirmation.
 */
import { defineInvariant, type InvariantReporter } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import type { Evidence } from '../../verdict.ts'
import { requestIdOf, orderOfExchange } from '../../tracking/exchange-fields.ts'
import { getOrCreate } from '../../tracking/bounded-map.ts'
import { atTimeOfDay, orderName } from '../../tracking/wording.ts'
import type { TrackedOrder, TrackerState } from '../../tracking/tracker-state.ts'
import { isFinalStatus } from '../../tracking/status-rank.ts'

interface Effect {
  readonly key: string | undefined
  readonly cause: 'event' | 'reading'
  readonly cite: Evidence
}

interface Known {
  /** Handovers of the order's events at the last read, repeated ones too. */
  heard: number
  /** What triggered the last read. */
  cause: 'event' | 'reading'
  reading: Evidence | undefined
  effect: Effect | undefined
}

const knownOf = new WeakMap<TrackedOrder, Known>()

const fresh = (): Known => ({ heard: 0, cause: 'event', reading: undefined, effect: undefined })

function read(
  exchange: ObservedExchange,
  order: TrackedOrder,
  known: Known,
  report: InvariantReporter,
): void {
  if (!exchange.ok) return
  known.cause = order.handoverCount > known.heard ? 'event' : 'reading'
  known.heard = order.handoverCount
  known.reading = exchange.evidence
  if (known.effect && !isFinalStatus(order.hostStatus)) report.premise()
}

function create(
  exchange: ObservedExchange,
  { orderId, handoverCount }: TrackedOrder,
  known: Known,
  { tracker, report }: { readonly tracker: TrackerState; readonly report: InvariantReporter },
): void {
  const { effect, heard, reading } = known
  // An event since the last read is nearer than the read.
  const cause = handoverCount > heard ? 'event' : known.cause
  const key = requestIdOf(exchange)
  if (!effect) {
    if (exchange.ok) known.effect = { key, cause, cite: exchange.evidence }
    return
  }
  if (effect.key === key || (effect.cause === 'event' && cause === 'event')) return
  const name = orderName(tracker, orderId)
  const why =
    cause === 'reading'
      ? `after it had read the order again (GET ${reading ? atTimeOfDay(reading.at) : ''}) without a new event`
      : 'after an event with what it had read before'
  report.failed({
    because: `Second delivery request for ${name} ${atTimeOfDay(exchange.began)}, ${why}; the first was ${atTimeOfDay(effect.cite.at)}.`,
    evidence: [effect.cite, reading, exchange.evidence],
    orderId,
    deduplicationKey: `${orderId} ${key ?? ''}`,
  })
}

export const readingRepeatsNoEffect = defineInvariant({
  id: 'CV-5',
  name: 'reading-repeats-no-effect',
  sentence: 'Must not repeat an effect, such as a delivery request, when an order is read again.',
  remedy:
    'Record for each order which effects were started, and check that record for events and for GET replies alike.',
  kind: 'safety',
  clauses: ['ORD-EVR-06', 'ORD-EVR-03'],
  premise: 'the service read an order again after it had requested its delivery',
  needs: ['logistics'],
  calls: ['getOrder', 'createDelivery'],
  call(_state, exchange, tracker, report) {
    const order = orderOfExchange(exchange, tracker)
    if (!order) return
    const known = getOrCreate(knownOf, order, fresh)
    if (exchange.operation === 'getOrder') read(exchange, order, known, report)
    else create(exchange, order, known, { tracker, report })
  },
  facts: {
    'delivery.moved'(_state, { orderId, to }, { orders }) {
      const order = orders.get(orderId)
      const known = order && knownOf.get(order)
      if (known && (to === 'CANCELLED' || to === 'FAILED')) known.effect = undefined
    },
  },
})
