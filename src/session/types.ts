/** Types of an in-process session: the session API and what is not available over the control API. */
import type { FetchHandler } from '../edge/client/destinations.ts'
import type { SubjectClock } from '../edge/clock/subject-clock.ts'
import type { Entry } from '../engine/journal.ts'
import type { Endings } from '../invariants/judge/judge.ts'
import type { Verdict } from '../invariants/verdict.ts'
import type { Role } from '../protocol/role.ts'
import type { SessionFace } from '../session-api/session-api.ts'
import type { FaultsHand } from './fault-api.ts'
import type { ExchangeListener } from '../traffic/log.ts'

export interface Session extends SessionFace, AsyncDisposable {
  /** The base URL of each role that we play. */
  readonly urls: ReadonlyMap<Role, string>
  /** Answers a request to any role that we play, by URL, without a socket. */
  readonly fetch: FetchHandler
  /** Advances time until only endless loops without news are left. */
  readonly settle: () => Promise<void>
  /** Calls back with each exchange when it ends; returns an unsubscribe function. */
  readonly onExchange: (listener: ExchangeListener) => () => void
  /** Facts that are still in memory, oldest first. */
  readonly facts: () => readonly Entry[]
  /** The session's clock, for an in-process subject that must not wait on the wall clock. */
  readonly clock: SubjectClock
  /** Broken invariants so far; empty when there are none. */
  readonly verdicts: () => readonly Verdict[]
  /** Final statuses of the orders, for comparison with another run of the same scenario. */
  readonly endings: () => Endings
  /** Declares that a cancellation by your service was requested by an operator, not by its own decision. */
  readonly asked: (orderId: string) => void
  /** Reports the status that your service itself gave for an order; the judge takes it as evidence. */
  readonly probed: (orderId: string, status: string) => void
  /** Adds and removes faults, synchronously: `faults.add({ drop: { event: 'CONFIRMED' } })`. */
  readonly faults: FaultsHand
  /** File of the certificate authority to trust, when certificates were generated here. */
  readonly authority?: string
  readonly close: () => Promise<void>
}

export interface PreparedSession extends Session {
  /**
   * Starts the counterparts, once. Without it they start with the first request that could change something, which
   * waits for them: so the same input gives the same journal, however long loading takes.
   */
  readonly begin: () => Promise<void>
  /** Loads the fault catalogue; required before the synchronous `faults.add`. */
  readonly loadFaults: () => Promise<void>
}
