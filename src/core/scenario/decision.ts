/** The decisions of the recorded partner and their preconditions: the intermediate form of a derived scenario. */
import type { CancellationAnswer } from '../engine/orders/commands.ts'
import type { OperationId } from '../protocol/catalogue.ts'
import type { OrderTrigger } from '../protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../protocol/orders/order.ts'
import type { Role } from '../protocol/role.ts'

/** Capabilities that a recording may contain beside Orders. */
export const furtherCapabilities = ['logistics', 'indoor', 'customer'] as const

/** Precondition of a decision: a call, event, acknowledgment or status that came before it. */
export type Precondition =
  | {
      readonly kind: 'call'
      readonly call: OperationId
      readonly slot?: string
      /** Count until then; `tries` includes failed calls. */
      readonly times: number
      readonly counting: 'successes' | 'tries'
      readonly at: number
    }
  | {
      /** `event`: it reached the service, whatever came of it. */
      readonly kind: 'acknowledged' | 'event'
      readonly event: string
      readonly slot: string
      readonly times: number
      readonly at: number
    }
  | {
      readonly kind: 'status'
      readonly status: OrderStatus
      readonly slot: string
      readonly at: number
    }

export type DecidedAction =
  | { readonly kind: 'create' }
  /** The partner moves the order unprompted. */
  | {
      readonly kind: 'move'
      readonly move: OrderTrigger
      readonly code?: string
      readonly reason?: string
      readonly force?: true
    }
  | { readonly kind: 'answer'; readonly answer: CancellationAnswer }
  | {
      readonly kind: 'emit'
      readonly event: string
      readonly metadata?: Readonly<Record<string, unknown>>
    }
  /** A line of the order is cancelled, or a part of its quantity. */
  | {
      readonly kind: 'cancel-item'
      /** From 1. */
      readonly line: number
      readonly quantity?: number
      readonly code?: string
      readonly reason?: string
    }
  /** The service's operator had it request the cancellation; not visible in the traffic. */
  | { readonly kind: 'ask' }
  /** A default action of our counterpart that the recorded partner did not take. */
  | { readonly kind: 'omit'; readonly trigger: 'conclude' | 'answer-cancellation' }
  /** A decision that only an engine command expresses; its `orderId` is the slot. */
  | {
      readonly kind: 'command'
      readonly command: { readonly kind: string } & Readonly<Record<string, unknown>>
    }
  /** A fault from here on that belongs to no single order. */
  | { readonly kind: 'fault'; readonly spec: RecordedFaultSpec }

/** A fault in the format of scenarios and `--fault`. */
export type RecordedFaultSpec = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface PartnerDecision {
  /** Milliseconds since the recording began. */
  readonly at: number
  /** `seq` of the exchange that showed it first: the sort key where times are equal or unknown. */
  readonly seq: number
  readonly slot?: string
  readonly what: DecidedAction
  /** Its preconditions, oldest first. */
  readonly after: readonly Precondition[]
  /** The exchanges that it was derived from. */
  readonly recordIds: readonly string[]
}

/** A distortion of the traffic, as a fault that selects messages by their properties. */
export interface Anomaly {
  readonly spec: RecordedFaultSpec
  readonly recordIds: readonly string[]
}

export interface DecidedOrder {
  readonly slot: string
  readonly orderId: string
  /** When it was placed, in milliseconds since the recording began. */
  readonly at: number
  readonly type?: OrderType
  /** Number of order lines. */
  readonly items?: number
  /** The whole order; its id, status and times are replaced when it is placed again. */
  readonly document?: Readonly<Record<string, unknown>>
  /** Its known statuses, oldest first. */
  readonly statusHistory: readonly OrderStatus[]
  /** State-changing calls with their number of successes, in the order of their first success. */
  readonly calls: readonly { readonly call: OperationId; readonly times: number }[]
  /** Whether all of its events were acknowledged. */
  readonly acknowledged: boolean
}

export interface PartnerDecisions {
  /** Name of the recording. */
  readonly name: string
  /** Role of the recorded service; `none`: we played every role. */
  readonly subject: Role | 'none'
  readonly channel: 'polling' | 'webhook' | 'both'
  /** Seed of the recorded session, where it was one of ours. */
  readonly seed?: number
  readonly orders: readonly DecidedOrder[]
  /** Oldest first. */
  readonly decisions: readonly PartnerDecision[]
  readonly anomalies: readonly Anomaly[]
  /** End conditions: final statuses, or the last activity for orders without one. */
  readonly ends: readonly Precondition[]
  /** Median ms from 202 to the effect, and from the final status to CONCLUDED. */
  readonly pace: { readonly processing?: number; readonly concludeAfter?: number }
  /** Capabilities used beside Orders. */
  readonly capabilities: readonly (typeof furtherCapabilities)[number][]
  /** Roles that created deliveries at a Delivery Platform. */
  readonly deliveredBy: readonly Role[]
  readonly speaksV1: boolean
  /** When the recording ended, in milliseconds since it began. */
  readonly endsAt: number
  /** How exact times are, in milliseconds. */
  readonly resolutionMs: number
  /** One sentence each: what was guessed, and what cannot be reproduced. */
  readonly warnings: readonly string[]
}

const finalStatuses: ReadonlySet<OrderStatus> = new Set(['DELIVERED', 'CANCELLED', 'CONCLUDED'])

/** Whether an order has reached a final status. */
export function isOrderOver({ statusHistory }: Pick<DecidedOrder, 'statusHistory'>): boolean {
  const last = statusHistory.at(-1)
  return last !== undefined && finalStatuses.has(last)
}
