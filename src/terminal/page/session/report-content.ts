/**
 * What the HTML report of a session is drawn from: plain data, from a recording, a running session or a scenario run.
 */
import type { Explanation, Split } from '../../../core/session-api/session-api.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import type { RecordedVerdict } from '../../../core/traffic/recording/session-end.ts'

/** An exchange, which may be one line of a recording that stands for several idle polls. */
export interface ReportedExchange extends Exchange {
  readonly repeated?: { readonly times: number }
}

/** An order as the session names it; without an explanation its two views are read from the traffic alone. */
export interface ReportedOrder {
  readonly orderId: string
  /** `o2` is the second order of the session. */
  readonly slot?: string
  /** One line: `TAKEOUT order 12 of Bella: CONFIRMED`. */
  readonly title?: string
  readonly explanation?: Pick<Explanation, 'host' | 'known' | 'conclusion'> & {
    readonly splits: readonly Split[]
  }
}

export interface ReportedFault {
  /** `drop event=CREATED`, or as exchanges name it: `reset on req(confirmOrder,o2)`. */
  readonly text: string
  /** How often it fired. */
  readonly fired: number
  /** It was removed, or has ended. */
  readonly isOver?: true
  /** Numbers of the exchanges that it distorted. */
  readonly exchanges: readonly number[]
}

/** A clause that a rule comes from. */
export interface ReportedClause {
  readonly id: string
  /** The statement with the place where it stands; empty where it is not known. */
  readonly text: string
}

/** A verdict with what its clauses say; evidence is numbers of exchanges. */
export type ReportedVerdict = Pick<
  RecordedVerdict,
  | 'id'
  | 'sentence'
  | 'remedy'
  | 'outcome'
  | 'premises'
  | 'violations'
  | 'follows'
  | 'adviceMeaning'
  | 'findings'
> & { readonly clauses: readonly ReportedClause[] }

export type ReportedFinding = ReportedVerdict['findings'][number]

/** A failure that the traffic shows by itself: a rejected call, a repeated call, an order that was left. */
export interface ReportedFailure {
  readonly text: string
  readonly count: number
  readonly exchanges: readonly number[]
}

/** How much of the traffic the page has. */
export interface ReportedAmount {
  /** Exchanges of the session. */
  readonly all: number
  /** Those that the filters of the command line leave. */
  readonly chosen: number
  /** How to see the others, as sentences; none when nothing was left out. */
  readonly remedies: readonly string[]
}

export interface SessionReport {
  /** Names and values: roles, seed, clock, versions, duration. */
  readonly facts: readonly (readonly [name: string, text: string])[]
  /** In the order in which their requests began. */
  readonly exchanges: readonly ReportedExchange[]
  readonly orders: readonly ReportedOrder[]
  readonly faults: readonly ReportedFault[]
  /** Undefined where nothing was judged. */
  readonly verdicts: readonly ReportedVerdict[] | undefined
  /** Why there are none. */
  readonly whyNoVerdicts?: string
  readonly failures: readonly ReportedFailure[]
  readonly amount: ReportedAmount
  /** The only order that the page tells of; absent for all. */
  readonly onlyOrder?: string
}
