/** The opposite of a failure as expectations: they fail while it shows, and hold for a service that is mended. */
import { operations, type OperationId } from '../../core/protocol/catalogue.ts'
import type { HeaderLine } from '../../core/traffic/recording/format.ts'
import { orderStatuses } from '../../core/protocol/orders/order.ts'
import { orderLifecycle } from '../../core/protocol/orders/lifecycle.ts'
import type { ScenarioInput } from '../../core/scenario/schema.ts'
import type { PartnerDecisions, Precondition } from '../../core/scenario/decision.ts'
import type { RecordingHistory } from './history.ts'
import type { EventHistory, RecordedCall } from './order-history.ts'
import { compact } from '../../core/base/compact.ts'
import { countUntil } from './calls.ts'

/** What a recording was cut down to. */
export type RecordedFailure = NonNullable<HeaderLine['_rec']['failure']>
type Expectations = NonNullable<ScenarioInput['expect']>

export interface OppositeOfFailure {
  readonly expect: Expectations
  /** What must be so, as a sentence without a full stop. */
  readonly text: string
}

const operationOf = (name: string): OperationId | undefined =>
  operations.find(({ id }) => id === name)?.id

interface Placed {
  /** The slot of the order of the failure. */
  readonly order?: string
}

const ofOrder = ({ order }: Placed): string => (order === undefined ? '' : ` of ${order}`)

/** Successful calls about an order, up to the announcement of a status where there is one. */
function callsBefore(
  { orders }: RecordingHistory,
  { order }: Placed,
  call: string,
  state?: string,
): readonly RecordedCall[] {
  const history = orders.find(({ slot }) => slot === order)
  const announced = state && history?.events.find(({ eventType }) => eventType === state)
  const until = announced ? (announced.handovers[0]?.call.seq ?? Infinity) : Infinity
  return (history?.calls ?? []).filter(({ operation, seq }) => operation === call && seq < until)
}

function neverRefused(call: OperationId, placed: Placed): OppositeOfFailure {
  return {
    expect: { calls: [{ call, ...placed, times: 0, counting: 'refusals' }] },
    text: `${call}${ofOrder(placed)} is never refused`,
  }
}

function atMost(call: OperationId, placed: Placed, most: number, tries: boolean) {
  const often =
    most === 0 ? 'is not made' : `is made ${most === 1 ? 'once' : `${most} times`} at most`
  return {
    expect: {
      calls: [
        { call, ...placed, 'at-most': most, ...(tries ? { counting: 'tries' as const } : {}) },
      ],
    },
    text: `${call}${ofOrder(placed)} ${often}`,
  }
}

/** Statuses that come after the one that an event announces. */
function laterStatuses(state: string) {
  const reached = orderLifecycle.find(({ emits }) => emits === state)?.to ?? 'CREATED'
  return orderStatuses.filter((status) => status !== reached && status !== 'CREATED')
}

function oppositeOf(
  failure: RecordedFailure,
  history: RecordingHistory,
  placed: Placed,
): OppositeOfFailure | undefined {
  if (failure.kind === 'invariant')
    return { expect: { invariants: [failure.name] }, text: `${failure.name} holds` }
  if (failure.kind === 'ending' && failure.call === undefined) {
    const { order = '' } = placed
    return {
      expect: { statuses: { [order]: laterStatuses(failure.state) } },
      text: `${order} is not left at ${failure.state}`,
    }
  }
  const [name = '', event] = (
    failure.kind === 'ending' ? (failure.call ?? '') : failure.operation
  ).split(':')
  const call = operationOf(name)
  if (!call) return undefined
  switch (failure.kind) {
    case 'answer': {
      if (failure.by !== 'partner' && failure.event !== undefined)
        return {
          expect: { taken: [{ event: failure.event, ...placed }] },
          text: `${failure.event}${ofOrder(placed)} is taken`,
        }
      const opposite = neverRefused(call, placed)
      if (failure.by === 'partner') return opposite
      const made = [{ call, ...placed, 'at-least': 1 }]
      return { ...opposite, expect: { calls: [...(opposite.expect.calls ?? []), ...made] } }
    }
    case 'repeat': {
      const tries = callsBefore(history, placed, call).every(({ ok }) => ok)
      return atMost(call, placed, 1, tries)
    }
    case 'ending':
      return atMost(call, placed, callsBefore(history, placed, call, failure.state).length, true)
    case 'difference': {
      const recorded = callsBefore(history, placed, call).length
      if (failure.standing === 'extra') return atMost(call, placed, recorded, true)
      if (failure.standing !== 'missing' || event !== undefined) return undefined
      return {
        expect: { calls: [{ call, ...placed, 'at-least': Math.max(1, recorded) }] },
        text: `${call}${ofOrder(placed)} is made`,
      }
    }
    default:
      return failure satisfies never
  }
}

/** Undefined where expectations cannot tell the failure. */
export function oppositeOfFailure(
  failure: RecordedFailure,
  history: RecordingHistory,
): OppositeOfFailure | undefined {
  const slot = history.orders.find(({ orderId }) => orderId === failure.order)?.slot
  if (failure.order !== undefined && slot === undefined && failure.kind !== 'invariant')
    return undefined
  const placed = slot === undefined ? {} : { order: slot }
  const found = oppositeOf(failure, history, placed)
  // What else is wrong is another matter.
  return found && { ...found, expect: { invariants: [], ...found.expect } }
}

const maxNamed = 12

/** The order in which events reached the service, and which of them came out of turn, in sentences. */
export function arrivalText({ orders }: RecordingHistory): string {
  const nameOf = (event: EventHistory, slot: string): string => `${event.eventType} of ${slot}`
  const arrivals = orders
    .flatMap(({ slot, events }) =>
      events.flatMap((event) =>
        event.handovers.map(({ call, place }) => ({
          event,
          call,
          place,
          name: nameOf(event, slot),
        })),
      ),
    )
    .toSorted((a, b) => a.call.seq - b.call.seq || a.place - b.place)
  if (arrivals.length === 0) return ''
  const names = arrivals.map(({ name }) => name)
  const left = names.length - maxNamed
  const sentences = [
    `Your service gets ${names.slice(0, maxNamed).join(', then ')}${left > 0 ? ` and ${left} more` : ''}`,
  ]
  for (const [index, { event, name, call }] of arrivals.entries()) {
    const before = arrivals.slice(0, index)
    const overtaken = before.find(
      (other) =>
        other.event.orderId === event.orderId &&
        (other.event.madeAt ?? 0) > (event.madeAt ?? Infinity),
    )
    if (overtaken && !before.some((other) => other.event === event))
      sentences.push(`${overtaken.name} reaches your service before ${name}`)
    if (before.findLast((other) => other.event === event)) sentences.push(`${name} comes again`)
    const together = before.at(-1)
    if (together?.call === call) sentences.push(`${together.name} and ${name} come in one poll`)
  }
  return `${[...new Set(sentences)].join('. ')}.`
}

/**
 * Repeated events of an order, as often as they were acknowledged: faults end with the last step, which is to come after
 * them.
 */
function repetitionsOf(
  { orders }: RecordingHistory,
  slot: string | undefined,
): readonly Precondition[] {
  const events = orders.find((each) => each.slot === slot)?.events ?? []
  return events.flatMap(({ eventType, acknowledgments }) =>
    slot !== undefined && acknowledgments.length > 1
      ? [
          {
            kind: 'acknowledged' as const,
            event: eventType,
            slot,
            times: acknowledgments.length,
            at: acknowledgments.at(-1)?.ended ?? 0,
          },
        ]
      : [],
  )
}

/** The messages at which the service was ended: it is in the scenario too, as long as its faults are in force. */
function crashesOf(
  { anomalies, decisions }: PartnerDecisions,
  { calls, orders, events }: RecordingHistory,
): readonly Precondition[] {
  const specs = [
    ...anomalies,
    ...decisions.flatMap(({ what, recordIds }) =>
      what.kind === 'fault' ? { spec: what.spec, recordIds } : [],
    ),
  ]
  const ids = specs.flatMap(({ spec, recordIds }) => (spec['crash'] ? recordIds : []))
  return calls
    .filter(({ recordId }) => ids.includes(recordId))
    .flatMap((call): readonly Precondition[] => {
      const { operation, orderId, observed, ended: at } = call
      const slot = orders.find((each) => each.orderId === orderId)?.slot
      if (observed.caller === 'subject' && operation !== undefined) {
        const same = calls.filter((each) => each.orderId === orderId)
        const times = countUntil(same, call, false)
        return [
          { kind: 'call', call: operation, ...compact({ slot }), times, counting: 'tries', at },
        ]
      }
      const event = events.find(({ handovers }) => handovers.some((each) => each.call === call))
      if (!event || slot === undefined) return []
      const times = event.handovers.findIndex((each) => each.call === call) + 1
      return [{ kind: 'event', event: event.eventType, slot, times, at }]
    })
}

/** Decisions without what waits for the failure itself, or for the end of a recording that was cut. */
export function withoutEnd(
  decisions: PartnerDecisions,
  failure: RecordedFailure,
  history: RecordingHistory,
): PartnerDecisions {
  const slot = decisions.orders.find(({ orderId }) => orderId === failure.order)?.slot
  const call = 'operation' in failure ? failure.operation : undefined
  return {
    ...decisions,
    ends: [
      ...crashesOf(decisions, history),
      ...(decisions.anomalies.length > 0 ? repetitionsOf(history, slot) : []),
    ],
    endsAt: 0,
    decisions: decisions.decisions.map((decision) => ({
      ...decision,
      after: decision.after.filter(
        (each) => each.kind !== 'call' || each.call !== call || each.slot !== slot,
      ),
    })),
  }
}
