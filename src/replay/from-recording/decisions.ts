/**
 * Derives the decisions of the recorded partner, with times and preconditions, from a recording. Replayed in a fresh
 * world they drive a service the same way again.
 */
import { compact } from '../../core/base/compact.ts'
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { answerAnomalies } from './answers.ts'
import { changesState, countUntil } from './calls.ts'
import {
  type Anomaly,
  type DecidedAction,
  type DecidedOrder,
  furtherCapabilities,
  isOrderOver,
  type PartnerDecision,
  type PartnerDecisions,
  type Precondition,
} from '../../core/scenario/decision.ts'
import { handoverAnomalies } from './handovers.ts'
import {
  channelOf,
  crashOptionsOf,
  historyOf,
  isCrash,
  customCrash,
  type RecordingHistory,
} from './history.ts'
import { recordedPaceOf } from './pace.ts'
import { partnerDecisions } from './partner.ts'
import { preconditionsOf } from './preconditions.ts'
import {
  compareMoments,
  type EventHistory,
  type OrderHistory,
  type RecordedCall,
} from './order-history.ts'
import { textAt, valueAt } from '../../core/rules/invariants/tracking/exchange-fields.ts'
import { readDeliveryEvent } from '../../core/protocol/logistics/read.ts'

/**
 * Which exchanges a replay by decisions depends on: those that the decisions are derived from, and all handovers,
 * since a lost or repeated event shows only among the others.
 */
export function drivingExchanges(content: RecordingContent) {
  const { decisions, anomalies } = decisionsOf(content)
  const handovers = content.exchanges.filter(
    ({ from, request, eventIds = [] }) =>
      eventIds.length > 0 && (from.party !== 'subject' || request.method === 'GET'),
  )
  const sources = new Set([...decisions, ...anomalies].flatMap(({ recordIds }) => recordIds))
  const plain = handovers.map(({ recordId }) => recordId).filter((id) => !sources.has(id))
  const decided = new Set(
    decisions.flatMap(({ what, recordIds }) => (what.kind === 'fault' ? [] : recordIds)),
  )
  const crashed = new Set(content.exchanges.filter(isCrash).map(({ recordId }) => recordId))
  const faults = [...anomalies, ...decisions.filter(({ what }) => what.kind === 'fault')]
    .map(({ recordIds }) => new Set(recordIds.filter((id) => crashed.has(id) || !decided.has(id))))
    .filter(({ size }) => size > 0)
  return {
    /** By record id. */
    all: new Set([...sources, ...plain]),
    /** Those of them that hand events over as a matter of course, and that nothing is derived from. */
    plain: new Set(plain),
    /** Each fault by the exchanges that show it, and that no decision is derived from; a crash by its own. */
    faults,
    /** Of these, crashes at exchanges that a decision is derived from. */
    spareable: new Set([...crashed].filter((id) => decided.has(id))),
  }
}

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

/**
 * Decisions of the recorded Delivery Platform that differ from the default success path of ours: rejection, incident,
 * cancellation, failure.
 */
function deliveryDecisions(order: OrderHistory): readonly PartnerDecision[] {
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
const refusedQuotes = ({ calls }: RecordingHistory): readonly RecordedCall[] =>
  calls.filter(
    ({ operation, ok, observed }) =>
      operation === 'checkDeliveryAvailability' &&
      ok &&
      [false, 'false'].some((no) => valueAt(observed.responseJson(), 'available') === no),
  )

/** Maximum anomalies in a derived scenario; the rest is summarized in a warning. */
const maxAnomalies = 200

const lineCountOf = ({ document }: OrderHistory): number | undefined => {
  const items = document?.['items']
  return Array.isArray(items) ? items.length : undefined
}

/** State-changing calls on an order, in the order of their first success. */
function callsOf({ calls }: OrderHistory): DecidedOrder['calls'] {
  const times = new Map<NonNullable<RecordedCall['operation']>, number>()
  for (const call of calls)
    if (call.operation && changesState(call) && call.ok)
      times.set(call.operation, (times.get(call.operation) ?? 0) + 1)
  return Array.from(times, ([call, often]) => ({ call, times: often }))
}

function decidedOrder(order: OrderHistory): DecidedOrder {
  const { slot, orderId, at, type, document, events, stages } = order
  const items = lineCountOf(order)
  return {
    slot,
    orderId,
    at,
    ...compact({ type, items, document }),
    statusHistory: stages.map(({ status }) => status),
    calls: callsOf(order),
    acknowledged: events.every(({ acknowledgments }) => acknowledgments.length > 0),
  }
}

function capabilitiesIn({ exchanges }: RecordingContent): PartnerDecisions['capabilities'] {
  const used: ReadonlySet<string> = new Set(
    exchanges.flatMap(({ operation }) => (operation ? rowOf(operation).capability : [])),
  )
  return furtherCapabilities.filter((each) => used.has(each))
}

/** Whether the traffic is of V1. */
export const isRecordedInV1 = ({ exchanges }: Pick<RecordingContent, 'exchanges'>): boolean =>
  exchanges.some(({ operation }) => operation?.endsWith('V1'))

/** Roles that created deliveries. */
const delivererRoles = ({ exchanges }: RecordingContent): PartnerDecisions['deliveredBy'] => [
  ...new Set(
    exchanges.flatMap(({ operation, from }) => (operation === 'createDelivery' ? from.role : [])),
  ),
]

function warningsOf(
  history: RecordingHistory,
  capabilities: PartnerDecisions['capabilities'],
): readonly string[] {
  const quotes = refusedQuotes(history).length
  const messages: (string | false | undefined)[] = [
    !history.axis.hasExchangeTimes &&
      'its exchanges are on another clock than its events, and it does not say on which: delays are those between events',
    history.orders.length === 0 && 'the recording has no order: nothing is decided about any',
    quotes > 0 &&
      `the platform said no to ${quotes} quotes: ours asks its own map, and may say yes`,
    ...history.orders.map(
      ({ slot, document }) =>
        document === undefined &&
        `the recording has no document of ${slot}: its type and its lines are made up`,
    ),
    ...history.orders.map(
      ({ slot, stages: [first] }) =>
        first &&
        first.status !== 'CREATED' &&
        `${slot} was under way before the recording began: it is placed anew`,
    ),
    ...history.orders.map(
      ({ slot, calls }) =>
        calls.some(({ operation }) => operation === 'requestCancellation') &&
        history.subject === 'software-service' &&
        `your service asked to cancel ${slot}, and nothing in the recording says why: if a person had it ask, say where that is asked for`,
    ),
    ...capabilities
      .filter((each) => each !== 'logistics')
      .map((each) => `what was decided in ${each} is left to our counterparts’ own habits`),
    history.subject !== 'software-service' &&
      history.subject !== 'none' &&
      `the recorded service is the ${history.subject}: what its store decided is left to ours, and orders are its own to place`,
  ]
  return messages.filter((each) => typeof each === 'string')
}

/** End conditions of an order: its final status, or the last activity in the recording. */
function endOf(order: OrderHistory, history: RecordingHistory): readonly Precondition[] {
  const { slot } = order
  const statusHistory = order.stages.map(({ status }) => status)
  const status = statusHistory.at(-1)
  if (status && isOrderOver({ statusHistory }))
    return [{ kind: 'status', status, slot, at: history.endsAt }]
  const end = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER }
  return preconditionsOf(order, end, history)
}

/** Keeps the first anomalies up to the limit; foreign traffic may have very many. */
function limitAnomalies(
  anomalies: readonly Anomaly[],
  warn: (text: string) => void,
): readonly Anomaly[] {
  const left = anomalies.length - maxAnomalies
  if (left > 0) warn(`${left} more oddities are left out: there are ${anomalies.length}`)
  return anomalies.slice(0, maxAnomalies)
}

/** Decisions of the partner in a recording. Never fails: unknown data is guessed or omitted, with a warning. */
export function decisionsOf(content: RecordingContent): PartnerDecisions {
  const history = historyOf(content)
  const warnings = new Set<string>()
  const warn = (text: string): void => void warnings.add(text)
  const { anomalies: ofPace, concludesSteadily, ...pace } = recordedPaceOf(history)
  const ofAnswers = answerAnomalies({
    history,
    warn,
    crash: customCrash(content),
    downMs: crashOptionsOf(content).down,
  })
  const decisions = [
    ...history.orders.flatMap((order) => [
      ...partnerDecisions(order, { history, concludesSteadily }),
      ...deliveryDecisions(order),
    ]),
    ...ofAnswers.decisions,
  ].toSorted((a, b) => compareMoments(a, b, history.axis.hasExchangeTimes))
  const capabilities = capabilitiesIn(content)
  const all = [...handoverAnomalies(history), ...ofPace, ...ofAnswers.anomalies]
  const anomalies = limitAnomalies(all, warn)
  for (const each of warningsOf(history, capabilities)) warn(each)
  const { header } = content
  return {
    name: header._rec.name,
    subject: history.subject,
    channel: channelOf(history),
    ...compact({ seed: header._rec.seed }),
    orders: history.orders.map(decidedOrder),
    decisions,
    anomalies,
    ends: history.orders.flatMap((order) => endOf(order, history)),
    pace: concludesSteadily
      ? pace
      : pace.processing === undefined
        ? {}
        : { processing: pace.processing },
    capabilities,
    deliveredBy: delivererRoles(content),
    speaksV1: isRecordedInV1(content),
    endsAt: history.endsAt,
    resolutionMs: history.axis.resolutionMs,
    warnings: [...warnings],
  }
}
