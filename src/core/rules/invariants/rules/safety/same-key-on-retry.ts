/**
 * SE-2: a retry after an ambiguous outcome repeats the call: same X-Request-Id (the idempotency key), equal body, even
 * if the host detects duplicates itself. A refusal ends a call, and so does the end of the delivery that it created.
 */
import { defineInvariant } from '../../invariant.ts'
import type { Evidence } from '../../verdict.ts'
import {
  isAmbiguous,
  isRefusal,
  requestIdOf,
  orderIdOfExchange,
} from '../../tracking/exchange-fields.ts'
import { maxTrackedKeys } from '../../tracking/bounded-map.ts'
import { atTimeOfDay, orderName, requestIdText } from '../../tracking/wording.ts'
import { setBounded } from '../../../../engine/bounded.ts'

interface Attempt {
  readonly key: string | undefined
  readonly body: string | undefined
  readonly outcome: string
  readonly cite: Evidence
}

export const sameKeyOnRetry = defineInvariant({
  id: 'SE-2',
  name: 'same-key-on-retry',
  sentence:
    'Must retry a delivery request whose outcome is unknown with the same X-Request-Id and the same body.',
  remedy:
    'Store the X-Request-Id and the body before the first attempt, and send both unchanged with each retry.',
  kind: 'safety',
  clauses: ['TRN-HDR-04', 'TRN-STA-12', 'LOG-CON-03'],
  premise: 'a call for a delivery was tried again after it had failed',
  binds: ['software-service', 'ordering-application'],
  calls: ['createDelivery'],
  /** Calls with an ambiguous outcome, by order. */
  start: () => new Map<string, Attempt>(),
  call(ambiguous, observed, tracker, report) {
    const orderId = orderIdOfExchange(observed)
    if (orderId === undefined) return
    const key = requestIdOf(observed)
    const body = observed.requestFingerprint
    const before = ambiguous.get(orderId)
    if (before) {
      report.premise()
      const other =
        before.key === key
          ? before.body === body
            ? undefined
            : 'had another body'
          : `came ${requestIdText(key)} instead of ${before.key ?? 'none'}`
      if (other)
        report.failed({
          because: `The retry of the delivery request for ${orderName(tracker, orderId)} ${atTimeOfDay(observed.began)} ${other}. The attempt ${atTimeOfDay(before.cite.at)} was ${before.outcome}, so it may have taken effect.`,
          evidence: [before.cite, observed.evidence],
          orderId,
        })
    }
    if (observed.ok || isRefusal(observed)) ambiguous.delete(orderId)
    else if (isAmbiguous(observed)) {
      const outcome = observed.status > 0 ? `answered ${observed.status}` : 'not answered'
      setBounded(
        ambiguous,
        orderId,
        { key, body, outcome, cite: observed.evidence },
        maxTrackedKeys,
      )
    }
  },
  facts: {
    'delivery.moved'(ambiguous, { orderId, to }) {
      if (to === 'CANCELLED' || to === 'FAILED') ambiguous.delete(orderId)
    },
  },
})
