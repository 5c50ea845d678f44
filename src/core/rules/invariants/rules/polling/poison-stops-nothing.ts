/**
 * PO-3. A poison event stops neither the events behind it in its batch nor later polls (ORD-OPS-01, ORD-OPS-02). Poison
 * is an event of an unknown type, or without a type or order id.
 */
import { setBounded } from '../../../../engine/bounded.ts'
import type { Instant } from '../../../../engine/instant.ts'
import { defineInvariant } from '../../invariant.ts'
import type { ObservedExchange } from '../../judge/observations.ts'
import { isAnyOrderEventType } from '../../tracking/progress.ts'
import { durationText, orderName } from '../../tracking/wording.ts'

interface Behind {
  readonly eventType: string
  readonly orderId: string | undefined
  readonly since: Instant
  readonly poll: ObservedExchange
  readonly poison: string
}

interface State {
  /** The last batch with a poison event, and the name of that event. */
  batch: { readonly poll: ObservedExchange; readonly poison: string; answered: boolean } | undefined
  /** Events behind a poison event, not acknowledged yet. */
  readonly behind: Map<string, Behind>
}

const maxEntries = 5000

export const poisonStopsNothing = defineInvariant<State>({
  id: 'PO-3',
  name: 'poison-stops-nothing',
  sentence:
    'Must continue with the other events of a poll, and with polling, when it cannot process an event.',
  remedy:
    'Handle errors per event: log an event that cannot be processed, acknowledge it and continue with the next.',
  kind: 'liveness',
  clauses: ['ORD-OPS-01', 'ORD-OPS-02'],
  premise: 'a poll returned an event of an unknown type, or one without a type or an order',
  calls: ['acknowledgeEvents', 'pollingEvents'],
  start: () => ({ batch: undefined, behind: new Map() }),
  handover(state, { eventId, event, eventType, orderId, channel, exchange, at }, _tracker, report) {
    if (channel === 'webhook') return
    const isPoison = !isAnyOrderEventType(eventType) || orderId === undefined
    if (state.batch?.poll === exchange && !isPoison) {
      const { poison } = state.batch
      // An event that an acknowledgment named before is not stopped: the host returns it again.
      if (state.behind.has(eventId) || event?.lastNamedAt !== undefined) return
      const entry = { eventType, orderId, since: at, poll: exchange, poison }
      setBounded(state.behind, eventId, entry, maxEntries)
    }
    if (!isPoison) return
    report.premise()
    const poison = eventType || 'an event without a type'
    if (state.batch?.poll !== exchange) state.batch = { poll: exchange, poison, answered: false }
  },
  call(state, exchange) {
    const { batch, behind } = state
    if (exchange.operation === 'pollingEvents' && batch && exchange.began >= batch.poll.ended)
      batch.answered = true
    if (exchange.operation !== 'acknowledgeEvents' || behind.size === 0) return
    for (const { eventId } of exchange.namedEvents() ?? []) behind.delete(eventId)
  },
  end({ batch, behind }, tracker, report) {
    if (batch && !batch.answered && tracker.now - batch.poll.ended > tracker.limits.graceMs) {
      const timing = tracker.deadline(batch.poll.ended)
      if (timing.outcome === 'fine') report.open()
      else
        report.failed({
          timing,
          because: `The service has not polled again since a poll returned ${batch.poison}, ${durationText(tracker.now - batch.poll.ended)} ago.`,
          evidence: [batch.poll.evidence],
        })
    }
    for (const [eventId, { eventType, orderId, since, poll, poison }] of behind) {
      const of = orderId === undefined ? '' : ` of ${orderName(tracker, orderId)}`
      report.due(tracker.deadline(since), () => ({
        because: `${eventType}${of} came behind ${poison} in a poll, and the service never acknowledged it.`,
        evidence: [poll.evidence],
        orderId,
        deduplicationKey: eventId,
      }))
    }
  },
})
