/**
 * The two views of an order, read from its exchanges: what the Ordering Application had when, what the Software Service
 * demonstrably knew when, and the events, reads and calls between them. What never went over the wire is not in it.
 */
import { compact } from '../../../core/base/compact.ts'
import type { Instant } from '../../../core/engine/instant.ts'
import {
  acknowledgedEventIds,
  handedOverEvents,
} from '../../../core/rules/invariants/judge/carried-events.ts'
import { createExchangeObserver } from '../../../core/rules/invariants/judge/exchange-observer.ts'
import type { ObservedExchange } from '../../../core/rules/invariants/judge/observations.ts'
import { projectedStatus } from '../../../core/rules/invariants/tracking/progress.ts'
import { operation as rowOf } from '../../../core/protocol/catalogue.ts'
import { type OrderStatus, orderStatuses } from '../../../core/protocol/orders/order.ts'
import type { StoryStep } from '../../../core/session-api/session-api.ts'
import { extractHandedOverEvents } from '../../../core/traffic/entities/entities.ts'
import { parseIsoInstant } from '../../../core/traffic/date-time.ts'
import { endOf, hasSucceeded } from '../../../core/traffic/exchange.ts'
import type { ReportedExchange } from './report-content.ts'
import { endText } from './exchange-text.ts'

/** An event in transit from the originator to the receiver. */
export interface EventArrow {
  readonly eventType: string
  /** The status that it announces. */
  readonly status?: OrderStatus
  /** When the originator made it; absent where its body does not say. */
  readonly createdAt?: Instant
  /** When it came to the receiver, or was lost. */
  readonly at: Instant
  readonly exchange: number
  readonly isLost: boolean
  /** An event that was made later came earlier, or it was long in transit. */
  readonly isLate: boolean
  /** The n-th time that it came, from 1. */
  readonly time: number
}

/** A call or a read of the receiver. */
export interface CallArrow {
  readonly kind: 'call' | 'read'
  readonly name: string
  readonly began: Instant
  readonly ended: Instant
  readonly exchange: number
  readonly end: string
  readonly isFailed: boolean
}

export interface OrderViewPair {
  readonly orderId: string
  readonly host: readonly StoryStep[]
  readonly known: readonly StoryStep[]
  readonly events: readonly EventArrow[]
  readonly calls: readonly CallArrow[]
  /** Numbers of the exchanges about it: its calls, and those that hand over or acknowledge its events. */
  readonly exchanges: readonly number[]
}

/** An event that is longer in transit is late, in milliseconds; a service polls at its own interval. */
const lateByPollMs = 30_000
const lateByWebhookMs = 3000

interface Draft {
  readonly host: StoryStep[]
  readonly known: StoryStep[]
  readonly events: Omit<EventArrow, 'isLate'>[]
  readonly calls: CallArrow[]
  readonly exchanges: Set<number>
}

/** The first of each status, in the order of time. */
function firstSteps(steps: readonly StoryStep[]): readonly StoryStep[] {
  const first = new Map<OrderStatus, StoryStep>()
  for (const step of steps.toSorted((one, other) => one.at - other.at))
    if (!first.has(step.status)) first.set(step.status, step)
  return [...first.values()]
}

/** Statuses that a host reaches only forward: an event that says so before is what the host had. */
const rankOfStatus = ({ status }: StoryStep): number => orderStatuses.indexOf(status)

/** Marks what came late: long in transit, or overtaken by an event that was made later. */
function withLateness(
  events: readonly Omit<EventArrow, 'isLate'>[],
  webhooks: ReadonlySet<number>,
): readonly EventArrow[] {
  const sorted = events.toSorted((one, other) => one.at - other.at)
  let newest = Number.NEGATIVE_INFINITY
  return sorted.map((event) => {
    const { createdAt, at, exchange } = event
    if (createdAt === undefined) return { ...event, isLate: false }
    const limit = webhooks.has(exchange) ? lateByWebhookMs : lateByPollMs
    const isLate = createdAt < newest || at - createdAt > limit
    newest = Math.max(newest, createdAt)
    return { ...event, isLate }
  })
}

class OrderViews {
  readonly #drafts = new Map<string, Draft>()
  readonly #orderByEvent = new Map<string, { orderId: string; eventType: string }>()
  readonly #arrivals = new Map<string, number>()

  of(exchanges: readonly ReportedExchange[]): ReadonlyMap<string, OrderViewPair> {
    const webhooks = new Set<number>()
    const observe = createExchangeObserver('software-service')
    for (const exchange of exchanges) {
      const { orderId, seq, operation } = exchange
      if (orderId !== undefined) this.#draftOf(orderId).exchanges.add(seq)
      if (operation !== undefined && rowOf(operation).webhook) webhooks.add(seq)
      const observed = observe(exchange, { began: exchange.startedAt, ended: endOf(exchange) })
      if (!observed) continue
      this.#takeHandovers(observed)
      this.#takeLost(observed)
      this.#takeAcknowledgments(observed)
      this.#takeCall(observed)
    }
    return new Map(
      Array.from(this.#drafts, ([orderId, draft]) => [
        orderId,
        {
          orderId,
          host: firstSteps(draft.host).toSorted(
            (one, other) => one.at - other.at || rankOfStatus(one) - rankOfStatus(other),
          ),
          known: firstSteps(draft.known),
          events: withLateness(draft.events, webhooks),
          calls: draft.calls,
          exchanges: [...draft.exchanges].toSorted((one, other) => one - other),
        },
      ]),
    )
  }

  #draftOf(orderId: string): Draft {
    const draft = this.#drafts.get(orderId) ?? {
      host: [],
      known: [],
      events: [],
      calls: [],
      exchanges: new Set<number>(),
    }
    this.#drafts.set(orderId, draft)
    return draft
  }

  #takeHandovers(observed: ObservedExchange): void {
    const { seq } = observed.exchange
    for (const { eventId, eventType, orderId, createdAt } of handedOverEvents(observed)) {
      if (orderId === undefined) continue
      const draft = this.#draftOf(orderId)
      const made = createdAt === undefined ? undefined : parseIsoInstant(createdAt)
      const status = projectedStatus(eventType)
      const time = (this.#arrivals.get(eventId) ?? 0) + 1
      this.#arrivals.set(eventId, time)
      this.#orderByEvent.set(eventId, { orderId, eventType })
      draft.exchanges.add(seq)
      const at = observed.caller === 'subject' ? observed.ended : observed.began
      draft.events.push({
        eventType,
        at,
        exchange: seq,
        isLost: false,
        time,
        ...compact({ createdAt: made, status }),
      })
      if (status !== undefined && made !== undefined && time === 1)
        draft.host.push({ status, at: made, exchange: seq })
    }
  }

  /** A webhook that did not arrive. */
  #takeLost(observed: ObservedExchange): void {
    const { exchange, ended } = observed
    const { operation, seq, orderId, reply } = exchange
    if (observed.caller !== 'sparring' || operation === undefined || reply) return
    if (!rowOf(operation).webhook || handedOverEvents(observed).length > 0) return
    for (const { type, about } of extractHandedOverEvents(exchange)) {
      const named = about.find((each) => each.startsWith('order '))?.slice('order '.length)
      const id = named ?? orderId
      if (id === undefined) continue
      const draft = this.#draftOf(id)
      draft.exchanges.add(seq)
      draft.events.push({ eventType: type, at: ended, exchange: seq, isLost: true, time: 1 })
    }
  }

  #takeAcknowledgments(observed: ObservedExchange): void {
    for (const eventId of acknowledgedEventIds(observed)) {
      const event = this.#orderByEvent.get(eventId)
      if (!event) continue
      const draft = this.#draftOf(event.orderId)
      draft.exchanges.add(observed.exchange.seq)
      const status = projectedStatus(event.eventType)
      if (status !== undefined)
        draft.known.push({ status, at: observed.ended, exchange: observed.exchange.seq })
    }
  }

  #takeCall(observed: ObservedExchange): void {
    const { exchange, began, ended, operation, orderStatus, ok } = observed
    const { orderId, seq, reply } = exchange
    if (orderId === undefined || observed.caller !== 'subject') return
    if (operation === 'pollingEvents' || operation === 'acknowledgeEvents') return
    const draft = this.#draftOf(orderId)
    const isRead = operation === 'getOrder'
    draft.calls.push({
      kind: isRead ? 'read' : 'call',
      name: isRead ? `reads ${orderStatus ?? ''}`.trim() : (operation ?? exchange.request.method),
      began,
      ended,
      exchange: seq,
      end: endText(exchange),
      isFailed: !ok && !hasSucceeded(reply),
    })
    if (!isRead || orderStatus === undefined || !ok) return
    draft.known.push({ status: orderStatus, at: ended, exchange: seq })
    draft.host.push({ status: orderStatus, at: ended, exchange: seq })
  }
}

/** The views of every order of these exchanges, by id, in the order in which the orders appear. */
export function orderViewsOf(
  exchanges: readonly ReportedExchange[],
): ReadonlyMap<string, OrderViewPair> {
  return new OrderViews().of(exchanges)
}
