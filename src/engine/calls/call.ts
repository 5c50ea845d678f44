/**
 * A call out: planned by the core, made by the edge, and its outcome comes back as a command. So the core stays pure,
 * and a retry is an item on the agenda like everything else.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'

export interface CallIntent {
  /** The role that we play. */
  readonly from: Role
  readonly to: Role
  /** Another Delivery Platform than the usual one: its place among those that were configured, from 1. */
  readonly platform?: number
  readonly operation: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The event that the call hands over; its body is made when it is sent. */
  readonly eventId?: string
  /** The n-th try of the same call, from 1. */
  readonly attempt: number
  /** X-Request-Id: the same for every try of one call (TRN-HDR-04). */
  readonly requestId?: string
}

export interface Call extends CallIntent {
  readonly id: number
  readonly requestId: string
}

export type CallOutcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Parsed JSON; undefined when there was no body or no JSON in it. */
      readonly body?: unknown
      /** Retry-After in milliseconds, when the answer had one. */
      readonly retryAfterMs?: number
      /** How long the answer may be kept, by its Cache-Control, when it had one. */
      readonly freshForMs?: number
      /** A stranger had made the call in its place: nothing is known of the true one. */
      readonly forged?: true
    }
  | {
      readonly kind: 'failed'
      /** What happened on the way: `ECONNREFUSED`, `TIMEOUT`, `NO_TOKEN` … */
      readonly code: string
      readonly message: string
    }

/** Whether a later try may fare better: the network failed, or the answer says so by its status (TRN-STA-10 to 12). */
export const mayRetry = (outcome: CallOutcome): boolean =>
  outcome.kind === 'failed' || outcome.status === 429 || outcome.status >= 500

/** Tries of one call at most, the first included. */
export const mostAttempts = 5

/** Polls: whoever makes them makes them again, whatever comes of one. */
const polls: readonly OperationId[] = ['pollingEvents', 'pollEventsV1']
export const isPoll = (operation: OperationId): boolean => polls.includes(operation)

/** Pages that a CRM pulls: a round that breaks off is begun again. */
const pulled: readonly OperationId[] = [
  'listCustomers',
  'getCustomers',
  'listLeads',
  'getLeads',
  'listOrders',
  'getOrdersForCRM',
  'listReviews',
  'getReviews',
]

/** Operations that go on by a plan of their own, as every webhook does. */
const ownPlan: ReadonlySet<OperationId> = new Set([...polls, ...pulled, 'getManifest'])

/** Whether this call will be tried again. */
export const willRetry = (call: CallIntent, outcome: CallOutcome): boolean =>
  mayRetry(outcome) &&
  call.attempt < mostAttempts &&
  call.eventId === undefined &&
  !ownPlan.has(call.operation)

export const succeeded = (outcome: CallOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

/** An outcome in a few words, for journals and screens. */
export const outcomeText = (outcome: CallOutcome): string =>
  outcome.kind === 'answered' ? String(outcome.status) : outcome.code
