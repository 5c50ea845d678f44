/**
 * Decisions of the recorded Delivery Platform that differ from the default success path of ours: rejection, incident,
 * cancellation, failure.
 */
import { compact } from '../../core/base/compact.ts'
import { valueAt, textAt } from '../../core/rules/invariants/tracking/exchange-fields.ts'
import { readDeliveryEvent } from '../../core/protocol/logistics/read.ts'
import type { PartnerDecision, Precondition, DecidedAction } from '../../core/scenario/decision.ts'
import { countUntil } from './calls.ts'
import type { RecordingHistory } from './history.ts'
import type { RecordedCall, EventHistory, OrderHistory } from './order-history.ts'

/** The decision behind a delivery event, if any. */
function decidedBy(
  event: EventHistory,
  slot: string,
  calls: readonly RecordedCall[],
): DecidedAction | undefined {
  const [first] = event.handovers
  if (!first) return undefined
  const body = first.call.observed.requestJson()
  const { status } = readDeliveryEvent(body)
  const because =
    textAt(body, 'event', 'reason') ??
    textAt(body, 'reason') ??
    textAt(body, 'rejectionInfo', 'reason')
  const apply = (trigger: string, more: Readonly<Record<string, unknown>> = {}): DecidedAction => ({
    kind: 'command',
    command: {
      kind: 'delivery.apply',
      orderId: slot,
      trigger,
      ...compact({ because }),
      ...more,
    },
  })
  if (status === 'FAILED') return apply('fail')
  if (status !== 'CANCELLED') return undefined
  if (event.eventType === 'REJECTED') return apply('cancel', { rejects: true })
  const asked = calls.some(
    ({ operation, seq }) => operation === 'cancelDelivery' && seq < first.call.seq,
  )
  return asked ? undefined : apply('cancel')
}

/** Precondition: the last call to the Delivery Platform before it. */
function triggerBefore(
  slot: string,
  calls: readonly RecordedCall[],
  seq: number,
): readonly Precondition[] {
  const last = calls.findLast(
    (call) => call.to === 'delivery-platform' && call.ok && call.seq < seq && call.operation,
  )
  return last?.operation
    ? [
        {
          kind: 'call',
          call: last.operation,
          slot,
          times: countUntil(calls, last, true),
          counting: 'successes',
          at: last.ended,
        },
      ]
    : []
}

function problemsIn(body: unknown): readonly string[] {
  const list = valueAt(body, 'problem')
  return (Array.isArray(list) ? list : []).flatMap((each) => textAt(each, 'code') ?? [])
}

/** Incidents observed in delivery reads that the service did not report itself. */
function incidents({ slot, calls }: OrderHistory): readonly PartnerDecision[] {
  const reported = new Set(
    calls
      .filter(({ operation }) => operation === 'reportDeliveryProblem')
      .flatMap(({ observed }) => textAt(observed.requestJson(), 'code') ?? []),
  )
  const found: PartnerDecision[] = []
  for (const { operation, ok, observed, began, seq, recordId } of calls) {
    if (operation !== 'getDelivery' || !ok) continue
    for (const code of problemsIn(observed.responseJson())) {
      if (reported.has(code)) continue
      reported.add(code)
      const command = { kind: 'delivery.report', orderId: slot, problem: { code } }
      const after = triggerBefore(slot, calls, seq)
      const what: DecidedAction = { kind: 'command', command }
      found.push({ at: began, seq, slot, what, after, recordIds: [recordId] })
    }
  }
  return found
}

export function deliveryDecisions(order: OrderHistory): readonly PartnerDecision[] {
  const { slot, calls, events } = order
  const fromEvents = events
    .filter(({ isOfOrders }) => !isOfOrders)
    .flatMap((event): readonly PartnerDecision[] => {
      const what = decidedBy(event, slot, calls)
      const call = event.handovers[0]?.call
      if (!what || !call) return []
      const at = event.madeAt ?? call.began
      const after = triggerBefore(slot, calls, call.seq)
      return [{ at, seq: call.seq, slot, what, after, recordIds: [call.recordId] }]
    })
  return [...fromEvents, ...incidents(order)]
}

/** Refused quotes; our platform computes its own, and may accept. */
export const refusedQuotes = ({ calls }: RecordingHistory): readonly RecordedCall[] =>
  calls.filter(
    ({ operation, ok, observed }) =>
      operation === 'checkDeliveryAvailability' &&
      ok &&
      [false, 'false'].some((no) => valueAt(observed.responseJson(), 'available') === no),
  )
