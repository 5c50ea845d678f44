/** Counts and levels of a session for monitoring: labels are bounded, ids are never among them. */
import type { EventChannel } from '../engine/emitted-event.ts'
import type { VerdictOutcome } from '../rules/invariants/verdict.ts'
import type { OrderStatus } from '../protocol/orders/order.ts'
import type {
  AnswerTimes,
  ExchangeCount,
  ExchangeFailureCount,
} from '../traffic/traffic-counters.ts'

/** What a session counts; counters go on through a reset and a fork, levels are those of its present world. */
export interface SessionMetrics {
  readonly exchanges: readonly ExchangeCount[]
  readonly failures: readonly ExchangeFailureCount[]
  readonly answerTimes: {
    /** Upper bounds in ms, ascending; without the infinite one. */
    readonly boundsMs: readonly number[]
    readonly byOperation: readonly AnswerTimes[]
  }
  /** Faults that distorted a message or a plan, by the name of the fault. */
  readonly faultsFired: readonly { readonly fault: string; readonly count: number }[]
  /** Worlds that a reset or a fork has put in place of the first. */
  readonly resets: number
  readonly activeFaults: number
  /** Items of the agenda; `loops` are those among `due` and `later` that repeat for ever, such as polls. */
  readonly agenda: {
    readonly due: number
    readonly later: number
    readonly held: number
    readonly loops: number
  }
  /** Events that are not handed over yet: in the mailbox for polls, or waiting for the receiver of webhooks. */
  readonly eventsWaiting: Readonly<Record<EventChannel, number>>
  readonly callsInFlight: number
  /** Spans that a collector took and did not take; absent in a session that is not traced. */
  readonly spans?: { readonly exported: number; readonly dropped: number }
  readonly orders: readonly { readonly status: OrderStatus; readonly count: number }[]
  /** The outcome of each rule; empty without a service to judge. */
  readonly rules: readonly { readonly rule: string; readonly outcome: VerdictOutcome | 'advice' }[]
}
