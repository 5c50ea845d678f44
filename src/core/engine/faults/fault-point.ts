/**
 * Fault points, where a fault may act: an event about to be handed over, an accepted call about to take effect, a
 * request that came in, a call of ours about to go out. A fault point is identified by content, never by a count of all
 * earlier traffic, so the same fault finds the same message in another run.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Role } from '../../protocol/role.ts'
import type { EventChannel } from '../emitted-event.ts'

/** The order and event that a message concerns. */
interface MessageReferences {
  readonly orderId?: string
  readonly merchantId?: string
  /** Event type: `CONFIRMED`, `loyalty.points_accrued`. */
  readonly eventType?: string
  readonly eventId?: string
}

export interface HandoverPoint extends MessageReferences {
  readonly kind: 'handover'
  readonly channel: EventChannel
  readonly eventId: string
  readonly eventType: string
  /** The role that emits it. */
  readonly from: Role
  /** It alone reveals an entity: no list operation would show it. */
  readonly reveals: boolean
  /** It is the last event of its order. */
  readonly closes: boolean
  /** It was made up, not caused by a step of its order: faults add no further events to it. */
  readonly extra?: true
  /** Event of a played recording: it is not in this world, so only its delivery can be distorted. */
  readonly recorded?: true
  /** The other channel, where every event is handed over by both. */
  readonly alsoBy?: EventChannel
  /** `createdAt` of the order's previous event. */
  readonly previousAt?: string
}

export interface EffectPoint extends MessageReferences {
  readonly kind: 'effect'
  /** The accepted trigger: `confirm`, `item.cancel` … */
  readonly trigger: string
}

/** An order that the Ordering Application makes up by itself, before it is there. */
export interface ArrivalPoint extends MessageReferences {
  readonly kind: 'arrival'
  /** It is the n-th one, from 1. */
  readonly arrival: number
  /** The code of its store, by which no other order finds it yet. */
  readonly merchantCode?: string
}

interface WirePoint extends MessageReferences {
  readonly operation: OperationId
  readonly method: string
  readonly from: Role
  readonly to: Role
  /** The events that it delivers or acknowledges. */
  readonly events: readonly FaultPointEvent[]
}

export interface FaultPointEvent {
  readonly eventType: string
  readonly eventId?: string
  readonly orderId?: string
  readonly merchantId?: string
}

/** The event that an earlier identical call caused, and its channels. */
export interface RepeatedEvent {
  readonly eventId: string
  readonly eventType: OrderEventType
  readonly channels: readonly EventChannel[]
}

/** A request to a role that we play: its answer may be distorted. */
export interface AnswerPoint extends WirePoint {
  readonly kind: 'answer'
  /** It repeats a call whose effect has happened; set by the engine. */
  readonly repeats?: RepeatedEvent
  /** The client that authenticated the request. */
  readonly clientId?: string
  /** The request follows a redirect of ours. */
  readonly redirected?: true
}

/** A call of ours: its request or its answer may be distorted. */
export interface CallPoint extends WirePoint {
  readonly kind: 'call'
  readonly attempt: number
}

export type FaultPoint = PlanPoint | MessagePoint
export type MessagePoint = AnswerPoint | CallPoint
export type PlanPoint = HandoverPoint | EffectPoint | ArrivalPoint
