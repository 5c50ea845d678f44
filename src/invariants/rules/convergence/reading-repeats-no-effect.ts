/**
 * CV-5: an effect triggered by an event is not triggered again by a read, or vice versa. A delivery is requested once,
 * however the service learned of the confirmation.
 */
import { defineInvariant, type Tell } from '../../invariant.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import type { Cited } from '../../verdict.ts'
import { keyOf, orderIn } from '../../tracking/subject-order.ts'
import { createNote } from '../../tracking/per-order-state.ts'
import { isOver } from '../../tracking/progress.ts'
import { atClock, cites, nameOf } from '../../tracking/wording.ts'
import type { OrderWatch, Watch } from '../../tracking/tracker-state.ts'

interface Effect {
  readonly key: string | undefined
  readonly cause: 'event' | 'reading'
  readonly cite: Cited
}

interface Known {
  /** Distinct handovers at the last read. */
  heard: number
  /** What triggered the last read. */
  cause: 'event' | 'reading'
  reading: Cited | undefined
  effect: Effect | undefined
}

const knownOf = createNote<Known>()

const fresh = (): Known => ({ heard: 0, cause: 'event', reading: undefined, effect: undefined })

function read(exchange: SeenExchange, order: OrderWatch, known: Known, report: Tell): void {
  if (!exchange.ok) return
  known.cause = order.heard > known.heard ? 'event' : 'reading'
  known.heard = order.heard
  known.reading = exchange.cite
  if (known.effect && !isOver(order.truth)) report.premise()
}

function create(
  exchange: SeenExchange,
  orderId: string,
  known: Known,
  { watch: tracker, tell: report }: { readonly watch: Watch; readonly tell: Tell },
): void {
  const { effect, cause, reading } = known
  const key = keyOf(exchange)
  if (!effect) {
    if (exchange.ok) known.effect = { key, cause, cite: exchange.cite }
    return
  }
  if (effect.key === key || (effect.cause === 'event' && cause === 'event')) return
  const name = nameOf(tracker, orderId)
  const why =
    cause === 'reading'
      ? `because it had read the order again (GET ${reading ? atClock(reading.at) : ''}), with no news of it in between`
      : 'because of an event that told what it had read before'
  report.broken({
    because: `The service asked for a delivery of ${name} once more ${atClock(exchange.began)}, ${why}; it had one since ${atClock(effect.cite.at).slice(3)}.`,
    evidence: cites(effect.cite, reading, exchange.cite),
    orderId,
    once: `${orderId} ${key ?? ''}`,
  })
}

export const readingRepeatsNoEffect = defineInvariant<undefined>({
  id: 'CV-5',
  name: 'reading-repeats-no-effect',
  sentence: 'Reading an order again sets off nothing that was set off before.',
  kind: 'safety',
  clauses: ['ORD-EVR-06', 'ORD-EVR-03'],
  premise: 'the service read an order again after it had asked for its delivery',
  binds: ['software-service'],
  sees: {
    exchanges: ['getOrder', 'createDelivery'],
    facts: ['delivery.moved'],
  },
  start: () => undefined,
  shown: {
    exchange(_state, exchange, tracker, report) {
      if (exchange.by !== 'subject') return
      const order = orderIn(exchange, tracker)
      if (!order) return
      const known = knownOf.or(order, fresh)
      if (exchange.operation === 'getOrder') read(exchange, order, known, report)
      else create(exchange, order.orderId, known, { watch: tracker, tell: report })
    },
    fact(_state, { fact }, { orders }) {
      if (fact.kind !== 'delivery.moved' || (fact.to !== 'CANCELLED' && fact.to !== 'FAILED'))
        return
      const order = orders.get(fact.orderId)
      const known = order && knownOf.of(order)
      if (known) known.effect = undefined
    },
  },
})
