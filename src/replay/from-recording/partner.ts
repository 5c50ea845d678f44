/**
 * Decisions of the partner about one order: placement, cancellation, answers to cancellation requests, unprompted moves
 * and events. Direct consequences of the service's calls are no decisions.
 */
import { compact } from '../../core/base/compact.ts'
import { isOrderEventType } from '../../core/protocol/orders/events.ts'
import { orderLifecycle, type OrderTrigger } from '../../core/protocol/orders/lifecycle.ts'
import type { CancellationAnswer } from '../../core/engine/orders/commands.ts'
import { valueAt, isRefusal, textAt } from '../../core/rules/invariants/tracking/exchange-fields.ts'
import type { DecidedAction, PartnerDecision, Precondition } from '../../core/scenario/decision.ts'
import type { RecordingHistory } from './history.ts'
import { firstPollBefore, preconditionsOf } from './preconditions.ts'
import type {
  RecordedCall,
  RecordedMoment,
  EventHistory,
  OrderHistory,
  StatusStage,
} from './order-history.ts'

/** Lifecycle trigger by emitted event. */
const triggerByEvent = new Map<string, OrderTrigger>(
  orderLifecycle.map(({ emits, trigger }) => [emits, trigger]),
)

const answers: Readonly<Record<string, CancellationAnswer>> = {
  CANCELLATION_REQUEST_ACCEPTED: 'accept',
  CANCELLATION_REQUEST_DENIED: 'deny',
}

/** Events that follow from a call and are no decisions. */
const consequences: ReadonlySet<string> = new Set(['CREATED', 'CANCELLATION_REQUESTED'])

interface FoundDecision {
  readonly moment: RecordedMoment
  readonly what: DecidedAction
  readonly recordIds: readonly string[]
}

const momentOf = ({ madeAt, handovers }: EventHistory): RecordedMoment => {
  const [first] = handovers
  const seq = first ? first.call.seq : Number.MAX_SAFE_INTEGER
  return { at: madeAt ?? first?.call.began ?? 0, seq }
}

const sourcesOf = ({ handovers }: EventHistory): readonly string[] =>
  handovers.slice(0, 1).map(({ call }) => call.recordId)

/** Whether an earlier call of the service, accepted or with unknown outcome, may have caused it. */
const mayHaveAsked = (
  calls: readonly RecordedCall[],
  { seq }: RecordedMoment,
  asks: (call: RecordedCall) => boolean,
) => calls.some((call) => call.seq < seq && asks(call) && !isRefusal(call.observed))

function cancelledBy(order: OrderHistory, moment: RecordedMoment): 'service' | 'partner' {
  const { calls, events } = order
  const asked = mayHaveAsked(calls, moment, ({ operation }) => operation === 'requestCancellation')
  const denied = events.some(
    (event) =>
      event.eventType === 'CANCELLATION_REQUEST_DENIED' &&
      (event.madeAt ?? momentOf(event).at) <= moment.at,
  )
  return asked && !denied ? 'service' : 'partner'
}

const reasonOf = ({ metadata }: EventHistory) =>
  compact({ code: textAt(metadata, 'code'), reason: textAt(metadata, 'reason') })

/** A move that the service did not request. */
function moveOf(move: OrderTrigger, event: EventHistory): DecidedAction {
  if (move === 'cancel') return { kind: 'move', move, ...reasonOf(event) }
  // `collect` is the partner's own trigger; all others belong to the service, so the partner has to force them.
  return move === 'collect' ? { kind: 'move', move } : { kind: 'move', move, force: true }
}

/** By the line: the ids of items of an order that is made up are others. */
function itemCancelled(order: OrderHistory, event: EventHistory): DecidedAction | undefined {
  const itemId = textAt(event.metadata, 'itemId')
  const asked = mayHaveAsked(
    order.calls,
    momentOf(event),
    ({ operation }) => operation === 'cancelOrderItem',
  )
  if (asked || itemId === undefined) return undefined
  const items = valueAt(order.document, 'items')
  const line = Array.isArray(items) ? items.findIndex((each) => textAt(each, 'id') === itemId) : 0
  const quantity = valueAt(event.metadata, 'quantityCancelled')
  const remaining = valueAt(event.metadata, 'quantityRemaining')
  return {
    kind: 'cancel-item',
    // Of a line that the document does not have, the first is as good as any.
    line: Math.max(0, line) + 1,
    ...(typeof quantity === 'number' && remaining !== 0 ? { quantity } : {}),
    ...reasonOf(event),
  }
}

/** The decision behind an event; undefined when the event is a consequence. */
function decidedBy(event: EventHistory, order: OrderHistory): DecidedAction | undefined {
  const { eventType: type, metadata } = event
  const answer = answers[type]
  if (answer) return { kind: 'answer', answer }
  if (consequences.has(type) || type === 'CONCLUDED') return undefined
  if (type === 'ITEM_CANCELLED') return itemCancelled(order, event)
  const move = triggerByEvent.get(type)
  if (move === 'cancel' && cancelledBy(order, momentOf(event)) === 'service') return undefined
  if (move) {
    const isAsked = mayHaveAsked(order.calls, momentOf(event), ({ trigger }) => trigger === move)
    return isAsked && move !== 'cancel' ? undefined : moveOf(move, event)
  }
  if (!isOrderEventType(type))
    return { kind: 'emit', event: type.startsWith('X_') ? type : `X_${type}` }
  return { kind: 'emit', event: type, ...compact({ metadata }) }
}

/** A status observed only in reads, and not requested by the service. */
function unannounced(stage: StatusStage, order: OrderHistory): FoundDecision | undefined {
  const { status, reading, at } = stage
  if (!reading || status === 'CREATED' || status === 'CONCLUDED') return undefined
  const moment = { at, seq: reading.seq }
  const row = orderLifecycle.find(({ to }) => to === status)
  if (!row) return undefined
  const asks = ({ operation, trigger }: RecordedCall): boolean =>
    status === 'CANCELLED'
      ? operation === 'requestCancellation'
      : orderLifecycle.some((each) => each.to === status && each.trigger === trigger)
  if (mayHaveAsked(order.calls, moment, asks)) return undefined
  const what: DecidedAction =
    status === 'CANCELLED'
      ? { kind: 'move', move: 'cancel' }
      : { kind: 'move', move: row.trigger, force: true }
  return { moment, what, recordIds: [reading.recordId] }
}

/** Default actions of our counterpart that the partner did not take, or took at another time. */
function omissions({ calls, stages }: OrderHistory, isSteady: boolean): readonly FoundDecision[] {
  const found: FoundDecision[] = []
  const request = calls.find(({ operation, ok }) => operation === 'requestCancellation' && ok)
  if (request)
    found.push({
      moment: { at: request.ended + 0.5, seq: request.seq + 0.5 },
      what: { kind: 'omit', trigger: 'answer-cancellation' },
      recordIds: [request.recordId],
    })
  const end = stages.find(({ status }) => status === 'DELIVERED' || status === 'CANCELLED')
  const concluded = stages.find(({ status }) => status === 'CONCLUDED')
  if (!end || (isSteady && concluded)) return found
  const ended = end.event
    ? { ...momentOf(end.event), at: end.at + 0.5 }
    : { at: end.at + 0.5, seq: end.reading?.seq ?? 0 }
  const recordIds = end.event ? sourcesOf(end.event) : []
  found.push({ moment: ended, what: { kind: 'omit', trigger: 'conclude' }, recordIds })
  if (!concluded) return found
  const moment = concluded.event
    ? momentOf(concluded.event)
    : { at: concluded.at + 1, seq: concluded.reading?.seq ?? ended.seq }
  const sources = concluded.event ? sourcesOf(concluded.event) : recordIds
  found.push({ moment, what: { kind: 'move', move: 'conclude' }, recordIds: sources })
  return found
}

/** Cancellation requests of the service; whether an operator caused them is unknown. */
function requests({ calls }: OrderHistory): readonly FoundDecision[] {
  const first = calls.find(({ operation }) => operation === 'requestCancellation')
  if (!first) return []
  const { began: at, seq, recordId } = first
  return [{ moment: { at: at + 0.5, seq }, what: { kind: 'ask' }, recordIds: [recordId] }]
}

/** No line is cancelled before it (ORD-ITM-05); a part of a recording may not show it. */
const confirmationBefore = (
  { slot, stages }: OrderHistory,
  { at }: RecordedMoment,
): readonly Precondition[] =>
  stages.some((stage) => stage.status !== 'CREATED' && stage.at <= at)
    ? []
    : [{ kind: 'status', status: 'CONFIRMED', slot, at }]

export interface PartnerDecisionContext {
  readonly history: RecordingHistory
  /** Where CONCLUDED followed, it did after about the same time: our counterpart's default reproduces it. */
  readonly concludesSteadily: boolean
}

function placing(order: OrderHistory, { history }: PartnerDecisionContext): PartnerDecision {
  const { slot, at, seq, events, documentFrom } = order
  const created = events.find(({ eventType }) => eventType === 'CREATED')
  const poll = firstPollBefore(history, { at, seq })
  const sources = [...(created ? sourcesOf(created) : []), ...(documentFrom ? [documentFrom] : [])]
  return {
    at,
    seq,
    slot,
    what: { kind: 'create' },
    after: poll ? [poll] : [],
    recordIds: [...new Set(sources)],
  }
}

export function partnerDecisions(
  order: OrderHistory,
  deciding: PartnerDecisionContext,
): readonly PartnerDecision[] {
  const ofEvents = order.events
    .filter(({ isOfOrders }) => isOfOrders)
    .flatMap((event): readonly FoundDecision[] => {
      const what = decidedBy(event, order)
      return what ? [{ moment: momentOf(event), what, recordIds: sourcesOf(event) }] : []
    })
  const found = [
    ...ofEvents,
    ...order.stages.flatMap((stage) => unannounced(stage, order) ?? []),
    ...omissions(order, deciding.concludesSteadily),
    ...requests(order),
  ]
  return [
    placing(order, deciding),
    ...found.map(({ moment, what, recordIds }) => ({
      ...moment,
      slot: order.slot,
      what,
      after: [
        ...preconditionsOf(order, moment, deciding.history),
        ...(what.kind === 'cancel-item' ? confirmationBefore(order, moment) : []),
      ],
      recordIds,
    })),
  ]
}
