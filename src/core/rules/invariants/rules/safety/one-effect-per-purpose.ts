/**
 * SE-1: at most one effect per purpose. A platform recognises a retry by its X-Request-Id (the idempotency key); a
 * creation with another one orders a second courier. Allowed again once the previous delivery ended.
 */
import { defineInvariant } from '../../invariant.ts'
import type { Evidence } from '../../verdict.ts'
import { requestIdOf, orderIdOfExchange } from '../../tracking/exchange-fields.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { atTimeOfDay, orderName, requestIdText } from '../../tracking/wording.ts'
import { addBounded, setBounded } from '../../../../engine/bounded.ts'

interface Effect {
  readonly key: string | undefined
  /** The service received the success. */
  readonly answered: boolean
  readonly cite: Evidence
}

/** Whether a creation is a second effect rather than a retry of the first. */
function isAnother({ key, answered }: Effect, again: string | undefined): boolean {
  // Without request ids only the order id marks a retry, and after a success there is nothing to retry.
  return key === undefined && again === undefined ? answered : key !== again
}

export const oneEffectPerPurpose = defineInvariant({
  id: 'SE-1',
  name: 'one-effect-per-purpose',
  sentence:
    'Must not request a second delivery for the same order when an event is redelivered or the order is read again.',
  remedy:
    'Keep the ids of processed events and skip an event whose id was processed; send one X-Request-Id for all delivery requests of an order.',
  kind: 'safety',
  clauses: ['ORD-EVR-03', 'ORD-EVR-06', 'TRN-HDR-04'],
  premise: 'a delivery was created for an order',
  needs: ['subject.effects', 'logistics'],
  alsoShownBy: 'EF-1',
  binds: ['software-service', 'ordering-application'],
  calls: ['createDelivery'],
  start: () => ({
    /** Orders with a delivery whose creating call has not ended yet. */
    made: new Set<string>(),
    effects: new Map<string, Effect>(),
  }),
  call({ made, effects }, exchange, tracker, report) {
    const orderId = orderIdOfExchange(exchange)
    if (orderId === undefined) return
    const key = requestIdOf(exchange)
    const effect = effects.get(orderId)
    if (!effect) {
      if (!exchange.ok && !made.has(orderId)) return
      report.premise()
      const first = { key, answered: exchange.ok, cite: exchange.evidence }
      setBounded(effects, orderId, first, maxTrackedKeys)
      return
    }
    if (!isAnother(effect, key)) {
      if (exchange.ok) effects.set(orderId, { ...effect, answered: true })
      return
    }
    const name = orderName(tracker, orderId)
    report.failed({
      because: `Duplicate delivery request for ${name}: first ${atTimeOfDay(effect.cite.at)} ${requestIdText(effect.key)}, again ${atTimeOfDay(exchange.began)} ${requestIdText(key)}.`,
      evidence: [effect.cite, exchange.evidence],
      orderId,
      deduplicationKey: `${orderId} ${key ?? ''}`,
    })
  },
  facts: {
    'delivery.created': ({ made }, { orderId }) => void addBounded(made, orderId, maxTrackedKeys),
    'delivery.moved'({ made, effects }, { orderId, to }) {
      if (to !== 'CANCELLED' && to !== 'FAILED') return
      made.delete(orderId)
      effects.delete(orderId)
    },
  },
})
