/** What somebody on our side of a recording decided, and what it came after: a scenario of one recording, as data. */
import type { CancellationAnswer } from '../../engine/command.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { OrderTrigger } from '../../protocol/orders/lifecycle.ts'
import type { OrderStatus, OrderType } from '../../protocol/orders/order.ts'
import type { Role } from '../../protocol/role.ts'

/** What a recording may have beside Orders. */
export const furtherCapabilities = ['logistics', 'indoor', 'customer'] as const

/** Something that the recorded service did before a decision, or that had become so. */
export type Trigger =
  | {
      readonly kind: 'call'
      readonly call: OperationId
      readonly slot?: string
      /** So often until then; tries count as well where they failed. */
      readonly times: number
      readonly counting: 'successes' | 'tries'
      readonly at: number
    }
  | {
      readonly kind: 'acknowledged'
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

export type What =
  | { readonly kind: 'create' }
  /** The partner moves the order of its own accord. */
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
  /** A person at the service's own screen had it ask to cancel; no traffic says so. */
  | { readonly kind: 'ask' }
  /** What our own habits would do, and the partner did not. */
  | { readonly kind: 'omit'; readonly trigger: 'conclude' | 'answer-cancellation' }
  /** A decision that only a command of the engine says; `orderId` in it is the slot. */
  | {
      readonly kind: 'command'
      readonly command: { readonly kind: string } & Readonly<Record<string, unknown>>
    }
  /** Something goes wrong from here on, which is about no single order. */
  | { readonly kind: 'fault'; readonly spec: FaultSpec }

/** A fault as scenarios and `--fault` take it. */
export type FaultSpec = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface Decision {
  /** Milliseconds since the recording began. */
  readonly at: number
  /** Of the exchange that it showed in first: the order in which decisions came, where times are equal or unknown. */
  readonly seq: number
  readonly slot?: string
  readonly what: What
  /** What it waited for, in the order in which that happened. */
  readonly after: readonly Trigger[]
  /** The exchanges that it was read from. */
  readonly recordIds: readonly string[]
}

/** What went wrong on the way, said of messages by what they are about. */
export interface Anomaly {
  readonly spec: FaultSpec
  readonly recordIds: readonly string[]
}

export interface OrderDecided {
  readonly slot: string
  readonly orderId: string
  /** When it was placed, in milliseconds since the recording began. */
  readonly at: number
  readonly type?: OrderType
  /** How many lines. */
  readonly items?: number
  /** The whole order; its id, status and times are left to whoever places it again. */
  readonly document?: Readonly<Record<string, unknown>>
  /** The statuses that it is known to have had, in order. */
  readonly way: readonly OrderStatus[]
  /** Calls that moved it, or were to, by how often each succeeded, in the order of their first success. */
  readonly calls: readonly { readonly call: OperationId; readonly times: number }[]
  /** Every event of it that was handed over was acknowledged. */
  readonly acknowledged: boolean
}

export interface Decisions {
  /** As the recording is called. */
  readonly name: string
  /** Whose service it was; nobody: we played every role. */
  readonly subject: Role | 'nobody'
  readonly channel: 'polling' | 'webhook' | 'both'
  /** The seed of the session that was recorded, where it was one of ours. */
  readonly seed?: number
  readonly orders: readonly OrderDecided[]
  /** In the order in which they were made. */
  readonly decisions: readonly Decision[]
  readonly anomalies: readonly Anomaly[]
  /** What there was last: the ends of orders, and what the service did last about those that have none. */
  readonly ends: readonly Trigger[]
  /** How long the partner took from 202 to the effect, and from the end to CONCLUDED; in milliseconds. */
  readonly pace: { readonly processing?: number; readonly concludeAfter?: number }
  /** Beside Orders. */
  readonly capabilities: readonly (typeof furtherCapabilities)[number][]
  /** Who had orders delivered by a Delivery Platform. */
  readonly deliveredBy: readonly Role[]
  /** When the recording ended, in milliseconds since it began. */
  readonly endsAt: number
  /** One sentence each: what had to be guessed, and what cannot be done again. */
  readonly warnings: readonly string[]
}
