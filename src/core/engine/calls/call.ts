/**
 * An outgoing call: planned by the engine, made by the edge; its outcome comes back as a command. So the engine stays
 * pure, and a retry is an agenda item.
 */
import type { OperationId } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import type { Chance } from '../chance.ts'

export interface CallIntent {
  /** The role that we play. */
  readonly from: Role
  readonly to: Role
  /** A further Delivery Platform than the default one: its index in the configuration, from 1. */
  readonly platform?: number
  readonly operation: OperationId
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** The event that the call hands over; the body is composed when it is sent. */
  readonly eventId?: string
  /** Attempt number of the same call, from 1. */
  readonly attempt: number
  /** X-Request-Id: the same for every attempt of one call (TRN-HDR-04). */
  readonly requestId?: string
  /** What is wrong with it on purpose, as real partners call now and then: a correct host refuses it. */
  readonly trial?: string
  /** Its token has no more than these scopes, and it has none without one. Nothing follows from its answer. */
  readonly scopes?: readonly string[]
}

/** `wrong on purpose: close of an account that is IN_USE`; undefined of a call that should be right. */
export const trialText = ({ trial }: Pick<CallIntent, 'trial'>): string | undefined =>
  trial === undefined ? undefined : `wrong on purpose: ${trial}`

/** The beginning of ids that are made up on purpose: a host has none of them. */
const madeUpBeginning = '00000000-0000-4000-8000-'
export const madeUpId = (chance: Chance): string => `${madeUpBeginning}${chance.uuid().slice(-12)}`
export const isMadeUpId = (id: string | undefined): boolean =>
  id?.startsWith(madeUpBeginning) === true

export interface OutgoingCall extends CallIntent {
  readonly id: number
  readonly requestId: string
}

export type CallOutcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Parsed JSON; undefined when there was no body or no JSON in it. */
      readonly body?: unknown
      /** Why a body that begins as JSON cannot be parsed. */
      readonly malformed?: string
      /** Retry-After in milliseconds, if present. */
      readonly retryAfterMs?: number
      /** Freshness by Cache-Control in milliseconds, if present. */
      readonly freshForMs?: number
      /** A forged request was sent in place of the call: the outcome of the true one is unknown. */
      readonly forged?: true
    }
  | {
      readonly kind: 'failed'
      /** Error code: `ECONNREFUSED`, `TIMEOUT`, `NO_TOKEN` … */
      readonly code: string
      readonly message: string
    }

/** Whether a retry may succeed: network failure, 429 or 5xx (TRN-STA-10 to 12). */
export const isRetryableOutcome = (outcome: CallOutcome): boolean =>
  outcome.kind === 'failed' || outcome.status === 429 || outcome.status >= 500

/** Maximum attempts of one call, the first included. */
export const maxCallAttempts = 5

/** Polls: repeated by their own loop, whatever the outcome. */
const pollOperations: readonly OperationId[] = ['pollingEvents', 'pollEventsV1']
export const isPollOperation = (operation: OperationId): boolean =>
  pollOperations.includes(operation)

/** Pages that a CRM pulls: an aborted round is started again. */
const pullOperations: readonly OperationId[] = [
  'listCustomers',
  'getCustomers',
  'listLeads',
  'getLeads',
  'listOrders',
  'getOrdersForCRM',
  'listReviews',
  'getReviews',
]

/** Operations that are retried by a plan of their own, as every webhook is. */
const selfRetried: ReadonlySet<OperationId> = new Set([
  ...pollOperations,
  ...pullOperations,
  'getManifest',
])

/** Whether a counterpart makes the call in a loop of its own: another one would begin another loop. */
export const isMadeInLoop = ({
  operation,
  eventId,
}: Pick<CallIntent, 'operation' | 'eventId'>): boolean =>
  eventId === undefined && selfRetried.has(operation)

/** Whether this call will be retried. */
export const willRetry = (call: CallIntent, outcome: CallOutcome): boolean =>
  isRetryableOutcome(outcome) &&
  call.attempt < maxCallAttempts &&
  call.eventId === undefined &&
  call.scopes === undefined &&
  !isMadeInLoop(call)

export const isSuccess = (outcome: CallOutcome): boolean =>
  outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300

/** Short text of an outcome, for journals and screens. */
export const outcomeText = (outcome: CallOutcome): string =>
  outcome.kind === 'answered' ? String(outcome.status) : outcome.code
