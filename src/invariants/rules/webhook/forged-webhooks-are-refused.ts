/**
 * WH-3. A webhook with a wrong signature or store is refused and has no effect (AUT-GEN-02). An effect is detectable
 * where nothing else had announced the order to the service.
 */
import { setBounded } from '../../../engine/bounded.ts'
import { defineInvariant, type Tell } from '../../invariant.ts'
import { isBetween, orderNamed } from '../../helpers/call-outcome.ts'
import { isForged, isWebhook, receivers } from '../../helpers/webhooks.ts'
import { callName } from '../../helpers/call-wording.ts'
import type { SeenExchange } from '../../judge/observations.ts'
import { cites, nameOf } from '../../tracking/wording.ts'
import type { Watch } from '../../tracking/tracker-state.ts'

interface State {
  /** Orders announced only by a forged webhook that was refused. */
  readonly forged: Map<string, SeenExchange>
  /** First call about each order that was not announced yet; it may end before the webhook does. */
  readonly acted: Map<string, SeenExchange>
}

const maxEntries = 2000

/** Whether other webhooks about the order are in flight. */
const isMoreUnderWay = ({ orders }: Watch, orderId: string, eventId: string): boolean =>
  orders.get(orderId)?.events.some((other) => other.eventId !== eventId && other.calling > 0) ===
  true

function recordForged(
  forged: State['forged'],
  exchange: SeenExchange,
  tracker: Watch,
  report: Tell,
): void {
  const { orderId, status } = exchange
  report.premise()
  if (exchange.ok)
    report.broken({
      because: `The service answered a forged webhook${orderId === undefined ? '' : ` of ${nameOf(tracker, orderId)}`} with ${status}: ${exchange.exchange.fault}.`,
      evidence: [exchange.cite],
      orderId,
      once: `${exchange.exchange.seq}`,
    })
  const isNew = orderId !== undefined && tracker.orders.get(orderId)?.told === undefined
  if (isNew && !exchange.ok && !forged.has(orderId))
    setBounded(forged, orderId, exchange, maxEntries)
}

export const forgedWebhooksAreRefused = defineInvariant<State>({
  id: 'WH-3',
  name: 'forged-webhooks-are-refused',
  sentence:
    'A webhook with a wrong signature or for a wrong store is refused, and nothing comes of it.',
  kind: 'safety',
  clauses: ['AUT-GEN-02', 'TRN-STA-05'],
  premise: 'a webhook came with a wrong signature, or for a store that is not the service’s',
  binds: receivers,
  sees: { exchanges: 'all' },
  start: () => ({ forged: new Map(), acted: new Map() }),
  shown: {
    handover({ forged, acted }, { orderId, eventId, channel, exchange }, tracker, report) {
      if (forged.size === 0 && acted.size === 0) return
      if (orderId === undefined || isForged(exchange)) return
      const by = forged.get(orderId)
      const call = acted.get(orderId)
      forged.delete(orderId)
      acted.delete(orderId)
      // A call between the forged and the genuine event was caused by the forged one.
      if (!by || !call || !isBetween(by, call, exchange)) return
      // Unless another webhook was in flight.
      if (channel === 'polling' || isMoreUnderWay(tracker, orderId, eventId)) return
      report.broken({
        because: `The service refused a forged webhook of ${nameOf(tracker, orderId)} with ${by.status}, and made ${callName(call, tracker)} all the same, before anything else told it of the order.`,
        evidence: cites(by.cite, call.cite, exchange.cite),
        orderId,
        once: `${by.exchange.seq}`,
      })
    },
    exchange({ forged, acted }, exchange, tracker, report) {
      if (exchange.by !== 'subject') {
        if (isForged(exchange) && isWebhook(exchange))
          recordForged(forged, exchange, tracker, report)
        return
      }
      const order = orderNamed(exchange, tracker)
      if (!order || order.told || acted.has(order.orderId)) return
      setBounded(acted, order.orderId, exchange, maxEntries)
    },
  },
  end({ forged, acted }, tracker, report) {
    for (const [orderId, by] of forged) {
      const call = acted.get(orderId)
      if (!call || call.exchange.seq < by.exchange.seq || !tracker.overdue(call.ended)) continue
      report.broken({
        because: `The service refused a forged webhook of ${nameOf(tracker, orderId)} with ${by.status}, and made ${callName(call, tracker)} all the same; nothing else ever told it of the order.`,
        evidence: cites(by.cite, call.cite),
        orderId,
        once: `${by.exchange.seq}`,
      })
    }
  },
})
