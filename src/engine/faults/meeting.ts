/**
 * What a fault may meet: an event about to be handed over, an accepted call about to take effect, a request that came in,
 * a call of ours about to go out. A meeting says what it is about by content, never by a count of everything before it,
 * so the same fault finds the same message in another run.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderEventType } from '../../protocol/orders/events.ts'
import type { Role } from '../../protocol/role.ts'
import type { Channel } from '../fact.ts'

/** The order or other thing that a message is about, and the event that it carries. */
interface Subject {
  readonly orderId?: string
  readonly merchantId?: string
  /** By its name: `CONFIRMED`, `loyalty.points_accrued`. */
  readonly eventType?: string
  readonly eventId?: string
}

export interface HandoverMeeting extends Subject {
  readonly kind: 'handover'
  readonly channel: Channel
  readonly eventId: string
  readonly eventType: string
  /** The role that announces it. */
  readonly from: Role
  /** It announces what nobody could hear of otherwise: there is no list to find it in. */
  readonly reveals: boolean
  /** Nothing of its order comes after it. */
  readonly closes: boolean
  /** No step of its order has brought it: somebody made it up, and what comes along with events does not with this one. */
  readonly extra?: true
  /** It is one of a recording that is played: nothing of it is in this world, so only its way can be another. */
  readonly recorded?: true
  /** The other channel, where the session hands every event over by both. */
  readonly alsoBy?: Channel
  /** When the order's event before it was made, as that one says. */
  readonly previousAt?: string
}

export interface EffectMeeting extends Subject {
  readonly kind: 'effect'
  /** What was accepted: `confirm`, `item.cancel` … */
  readonly trigger: string
}

interface WireMeeting extends Subject {
  readonly operation: OperationId
  readonly method: string
  readonly from: Role
  readonly to: Role
  /** The events that it brings or acknowledges. */
  readonly events: readonly CarriedEvent[]
}

export interface CarriedEvent {
  readonly eventType: string
  readonly eventId?: string
  readonly orderId?: string
  readonly merchantId?: string
}

/** An event that a call has led to before, and the channels by which it was handed over. */
export interface Repeated {
  readonly eventId: string
  readonly eventType: OrderEventType
  readonly channels: readonly Channel[]
}

/** A request that came to a role that we play: it is the answer that may be distorted. */
export interface AnswerMeeting extends WireMeeting {
  readonly kind: 'answer'
  /** It asks for what was done already; the world itself says so. */
  readonly repeats?: Repeated
  /** Whose token or credentials came with it. */
  readonly clientId?: string
}

/** A call of ours: the request itself, or what comes back to us. */
export interface CallMeeting extends WireMeeting {
  readonly kind: 'call'
  readonly attempt: number
}

export type Meeting = HandoverMeeting | EffectMeeting | AnswerMeeting | CallMeeting
export type MessageMeeting = AnswerMeeting | CallMeeting
export type PlanMeeting = HandoverMeeting | EffectMeeting
