/**
 * RC-1. One entity is read only a few times within a short window: an event justifies one read, a batch of events about
 * it no more; each webhook justifies one more. Failed reads are retries with their own rules; deliveries are exempt. No
 * clause says a number, so that more reads are advice where the user sets none.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import { defineInvariant } from '../../invariant.ts'
import { callKey } from '../../helpers/call-outcome.ts'
import { webhooksBetween } from '../../tracking/webhooks-in-flight.ts'
import { callName, durationText } from '../../tracking/wording.ts'
import type { CallEvidence, TrackedOrder } from '../../tracking/tracker-state.ts'

const readsOf = new WeakMap<TrackedOrder, CallEvidence[]>()

const maxEntries = 5000
/** Number of events in an order's life, should all come at once: more reads are advice. */
const defaultMaxReads = 8
const windowMs = 3000

export const readsDoNotStorm = defineInvariant({
  id: 'RC-1',
  name: 'reads-do-not-storm',
  sentence:
    'Must not read an order or account more than eight times within three seconds, plus once for each webhook about it.',
  remedy:
    'Read an order once for all its events in a poll, and pause between reads that wait for a status.',
  kind: 'timing',
  ofOneProcess: true,
  clauses: ['ORD-OPS-04', 'TRN-STA-10'],
  premise: 'the service read an order or account more than once',
  adviceMeaning: 'no clause limits the reads; tolerances.reads does',
  binds: ['software-service', 'ordering-application', 'crm'],
  calls: ['getOrder', 'getAccount', 'getAccountById'],
  /** Recent reads of entities other than orders, oldest first. */
  start: () => new Map<string, CallEvidence[]>(),
  call(state, exchange, tracker, report) {
    if (!exchange.ok) return
    const key = callKey(exchange)
    if (key === undefined) return
    const { order, evidence } = exchange
    const reads = order ? readsOf.get(order) : state.get(key)
    if (!reads)
      return order ? readsOf.set(order, [evidence]) : setBounded(state, key, [evidence], maxEntries)
    report.premise()
    reads.push(evidence)
    const { timing, limits } = tracker
    const maxReads = limits.reads ?? defaultMaxReads
    const isOver = (read: CallEvidence): boolean =>
      timing.longestMs(read, evidence) >= windowMs || tracker.isOfEarlierProcess(read)
    while (reads[0] && isOver(reads[0])) reads.shift()
    if (reads.length <= maxReads || !reads[0]) return
    const came = webhooksBetween(tracker, exchange.orderId, reads[0].at, exchange.ended).length
    if (reads.length <= maxReads + came) return
    const times = reads.length
    const first = reads.shift()
    if (!first) return
    const reasons =
      came === 0
        ? ''
        : `, while ${came === 1 ? 'one webhook' : `${came} webhooks`} about it arrived in that time`
    report.failed({
      advice: limits.reads === undefined,
      timing: timing.atLeast(first, evidence, windowMs),
      because: `The service read ${callName(exchange, tracker).replace(/^the GET of /, '')} ${times} times within ${durationText(timing.longestMs(first, evidence))}, each time with success${reasons}.`,
      evidence: [first, ...reads],
      orderId: exchange.orderId,
      deduplicationKey: key,
    })
  },
})
