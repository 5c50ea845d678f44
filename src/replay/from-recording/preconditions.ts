/** Preconditions of a decision: the status of the order, and the last call and acknowledgment of the service. */
import type { Precondition } from '../../core/scenario/decision.ts'
import { changesState, countUntil } from './calls.ts'
import { channelOf, type RecordingHistory } from './history.ts'
import type { RecordedCall, RecordedMoment, OrderHistory } from './order-history.ts'

const isBefore = ({ ended, seq }: RecordedCall, moment: RecordedMoment, honest: boolean): boolean =>
  seq < moment.seq && (!honest || ended <= moment.at)

/** The last known status before a moment. */
function statusBefore(
  { slot, stages }: OrderHistory,
  moment: RecordedMoment,
): Precondition | undefined {
  const stage = stages.findLast(({ at }) => at < moment.at)
  return stage && { kind: 'status', status: stage.status, slot, at: stage.at }
}

function callBefore(
  { slot, calls }: OrderHistory,
  moment: RecordedMoment,
  honest: boolean,
): Precondition | undefined {
  // Without times a refused call may be a consequence of the decision, so only successes count.
  const last = calls.findLast(
    (call) => changesState(call) && (call.ok || honest) && isBefore(call, moment, honest),
  )
  if (!last?.operation) return undefined
  const counting = last.ok ? 'successes' : 'tries'
  const times = countUntil(calls, last, last.ok)
  return { kind: 'call', call: last.operation, slot, times, counting, at: last.ended }
}

/** The last acknowledgment call before a moment. */
function acknowledgmentBefore(
  { slot, events }: OrderHistory,
  moment: RecordedMoment,
  honest: boolean,
): Precondition | undefined {
  let found: { readonly type: string; readonly call: RecordedCall } | undefined
  for (const { eventType, acknowledgments } of events)
    for (const call of acknowledgments)
      if (isBefore(call, moment, honest) && (found === undefined || call.seq >= found.call.seq))
        found = { type: eventType, call }
  if (!found) return undefined
  const { type, call } = found
  const times = events.filter(
    ({ eventType, acknowledgments }) =>
      eventType === type && acknowledgments.some(({ seq }) => seq <= call.seq),
  ).length
  return { kind: 'acknowledged', event: type, slot, times, at: call.ended }
}

/** Preconditions of a decision, latest last. */
export function preconditionsOf(
  order: OrderHistory,
  moment: RecordedMoment,
  { axis: { hasExchangeTimes: honest } }: RecordingHistory,
): readonly Precondition[] {
  const all = [
    statusBefore(order, moment),
    callBefore(order, moment, honest),
    acknowledgmentBefore(order, moment, honest),
  ]
  return all.filter((each) => each !== undefined).toSorted((a, b) => a.at - b.at)
}

/**
 * The first poll before a moment, if any: by then the service has a token and a manifest. A service that gets its events
 * pushed may poll or not.
 */
export function firstPollBefore(
  history: RecordingHistory,
  moment: RecordedMoment,
): Precondition | undefined {
  const { calls, axis } = history
  if (channelOf(history) === 'webhook') return undefined
  const poll = calls.find(
    (call) =>
      call.operation === 'pollingEvents' &&
      call.ok &&
      isBefore(call, moment, axis.hasExchangeTimes),
  )
  return (
    poll && {
      kind: 'call',
      call: 'pollingEvents',
      times: 1,
      counting: 'successes',
      at: poll.ended,
    }
  )
}
