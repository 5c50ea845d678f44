/** What a decision waited for: the status that the order had, and what its service did last before it. */
import type { Trigger } from './decision.ts'
import { hasEffect, timesUntil } from './calls.ts'
import type { History } from './history.ts'
import type { Stage } from './status-history.ts'
import type { Call, OrderHistory } from './order-history.ts'

/** Just before an instant, or before an exchange where instants do not tell. */
export interface Moment {
  readonly at: number
  readonly seq: number
}

const isBefore = ({ ended, seq }: Call, moment: Moment, honest: boolean): boolean =>
  seq < moment.seq && (!honest || ended <= moment.at)

/** The status that the order had reached, by what anybody could know of it. */
function statusBefore(
  { slot }: OrderHistory,
  way: readonly Stage[],
  moment: Moment,
): Trigger | undefined {
  const stage = way.findLast(({ at }) => at < moment.at)
  return stage && { kind: 'status', status: stage.status, slot, at: stage.at }
}

function callBefore(
  { slot, calls }: OrderHistory,
  moment: Moment,
  honest: boolean,
): Trigger | undefined {
  // Where times do not tell, a call that was refused may have been refused because of the decision.
  const last = calls.findLast(
    (call) => hasEffect(call) && (call.ok || honest) && isBefore(call, moment, honest),
  )
  if (!last?.operation) return undefined
  const counting = last.ok ? 'successes' : 'tries'
  const times = timesUntil(calls, last, last.ok)
  return { kind: 'call', call: last.operation, slot, times, counting, at: last.ended }
}

/** An acknowledgment that a service made of its own accord; the answer to a webhook is not waited for apart. */
function acknowledgmentBefore(
  { slot, events }: OrderHistory,
  moment: Moment,
  honest: boolean,
): Trigger | undefined {
  let found: { readonly type: string; readonly call: Call } | undefined
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

/** Everything that a decision about an order came after, the latest last. */
export function triggersOf(
  order: OrderHistory,
  way: readonly Stage[],
  moment: Moment,
  { axis: { honest } }: History,
): readonly Trigger[] {
  const all = [
    statusBefore(order, way, moment),
    callBefore(order, moment, honest),
    acknowledgmentBefore(order, moment, honest),
  ]
  return all.filter((each) => each !== undefined).toSorted((a, b) => a.at - b.at)
}

/** Whether the service polled before: it has a token by then, and knows its partner. */
export function firstPollBefore({ calls, axis }: History, moment: Moment): Trigger | undefined {
  const poll = calls.find(
    (call) => call.operation === 'pollingEvents' && call.ok && isBefore(call, moment, axis.honest),
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
