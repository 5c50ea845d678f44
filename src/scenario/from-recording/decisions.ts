/**
 * Derives the decisions of the recorded partner, with times and preconditions, from a recording. Replayed in a fresh
 * world they drive a service the same way again.
 */
import { compact } from '../../compact.ts'
import { operation as rowOf } from '../../protocol/catalogue.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import { answerAnomalies } from './answers.ts'
import { changesState } from './calls.ts'
import {
  type Anomaly,
  type PartnerDecisions,
  furtherCapabilities,
  type DecidedOrder,
  type Precondition,
} from './decision.ts'
import { deliveryDecisions, refusedQuotes } from './deliveries.ts'
import { handoverAnomalies } from './handovers.ts'
import { type RecordingHistory, historyOf } from './history.ts'
import { compareMoments } from './moment.ts'
import { isOrderOver } from './is-over.ts'
import { recordedPaceOf } from './pace.ts'
import { partnerDecisions } from './partner.ts'
import { preconditionsOf } from './preconditions.ts'
import { type StatusStage, statusHistoryOf } from './status-history.ts'
import type { RecordedCall, OrderHistory } from './order-history.ts'

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

function decidedOrder(order: OrderHistory, statusHistory: readonly StatusStage[]): DecidedOrder {
  const { slot, orderId, at, type, document, events } = order
  const items = lineCountOf(order)
  return {
    slot,
    orderId,
    at,
    ...compact({ type, items, document }),
    statusHistory: statusHistory.map(({ status }) => status),
    calls: callsOf(order),
    acknowledged: events.every(({ acknowledgments }) => acknowledgments.length > 0),
  }
}

function channelOf({ events, calls }: RecordingHistory): PartnerDecisions['channel'] {
  const own = events.filter(({ isOfOrders }) => isOfOrders).flatMap(({ handovers }) => handovers)
  const used = new Set(own.map(({ channel }) => channel))
  if (used.size > 1) return 'both'
  const [only] = used
  return (
    only ?? (calls.some(({ operation }) => operation === 'pollingEvents') ? 'polling' : 'webhook')
  )
}

function capabilitiesIn({ exchanges }: RecordingContent): PartnerDecisions['capabilities'] {
  const used: ReadonlySet<string> = new Set(
    exchanges.flatMap(({ operation }) => (operation ? rowOf(operation).capability : [])),
  )
  return furtherCapabilities.filter((each) => used.has(each))
}

/** Roles that created deliveries. */
const delivererRoles = ({ exchanges }: RecordingContent): PartnerDecisions['deliveredBy'] => [
  ...new Set(
    exchanges.flatMap(({ operation, from }) => (operation === 'createDelivery' ? from.role : [])),
  ),
]

function warningsOf(
  history: RecordingHistory,
  capabilities: PartnerDecisions['capabilities'],
  statusHistories: (order: OrderHistory) => readonly StatusStage[],
): readonly string[] {
  const quotes = refusedQuotes(history).length
  const messages: (string | false)[] = [
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
      (order) =>
        statusHistories(order)[0]?.status !== undefined &&
        statusHistories(order)[0]?.status !== 'CREATED' &&
        `${order.slot} was under way before the recording began: it is placed anew`,
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
  return messages.filter((each) => each !== false)
}

/** End conditions of an order: its final status, or the last activity in the recording. */
function endOf(
  order: OrderHistory,
  statusHistory: readonly StatusStage[],
  history: RecordingHistory,
): readonly Precondition[] {
  const { slot } = order
  const statuses = statusHistory.map(({ status }) => status)
  const status = statuses.at(-1)
  if (status && isOrderOver({ statusHistory: statuses }))
    return [{ kind: 'status', status, slot, at: history.endsAt }]
  const end = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER }
  return preconditionsOf(order, statusHistory, end, history)
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
  const statusHistories = new Map(history.orders.map((order) => [order, statusHistoryOf(order)]))
  const statusHistory = (order: OrderHistory): readonly StatusStage[] =>
    statusHistories.get(order) ?? []
  const warnings = new Set<string>()
  const warn = (text: string): void => void warnings.add(text)
  const { anomalies: ofPace, concludesSteadily, ...pace } = recordedPaceOf(history, statusHistory)
  const ofAnswers = answerAnomalies({ history, statusHistory, warn })
  const decisions = [
    ...history.orders.flatMap((order) => [
      ...partnerDecisions(order, { history, statusHistory, concludesSteadily }),
      ...deliveryDecisions(order),
    ]),
    ...ofAnswers.decisions,
  ].toSorted((a, b) => compareMoments(a, b, history.axis.hasExchangeTimes))
  const capabilities = capabilitiesIn(content)
  const all = [...handoverAnomalies(history, statusHistory), ...ofPace, ...ofAnswers.anomalies]
  const anomalies = limitAnomalies(all, warn)
  for (const each of warningsOf(history, capabilities, statusHistory)) warn(each)
  const { header } = content
  return {
    name: header._rec.name,
    subject: history.subject,
    channel: channelOf(history),
    ...compact({ seed: header._rec.seed }),
    orders: history.orders.map((order) => decidedOrder(order, statusHistory(order))),
    decisions,
    anomalies,
    ends: history.orders.flatMap((order) => endOf(order, statusHistory(order), history)),
    pace: concludesSteadily
      ? pace
      : pace.processing === undefined
        ? {}
        : { processing: pace.processing },
    capabilities,
    deliveredBy: delivererRoles(content),
    endsAt: history.endsAt,
    resolutionMs: history.axis.resolutionMs,
    warnings: [...warnings],
  }
}
