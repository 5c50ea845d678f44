/** An in-process session: the session API, and what is not available over the control API. */
import type { FaultRow, SessionApi, TakenRow } from './session-api.ts'
import type { Command } from '../engine/command.ts'
import type { AgendaCommand } from '../engine/agenda/commands.ts'
import type { Instant } from '../engine/instant.ts'
import type { JournalEntry } from '../engine/journal.ts'
import type { ProcessSignal } from '../engine/session/commands.ts'
import type { RunOutcomes } from '../rules/invariants/judge/judge.ts'
import type { Verdict } from '../rules/invariants/verdict.ts'
import type { Role } from '../protocol/role.ts'
import type { ExchangeListener } from '../traffic/log.ts'

export interface Session extends SessionApi, AsyncDisposable {
  /** The base URL of each role that we play. */
  readonly urls: ReadonlyMap<Role, string>
  /** The public URLs, in manifests and events: those of `publicUrl`, else the base URLs. */
  readonly publicUrls: ReadonlyMap<Role, string>
  /** Answers a request to any role that we play, by URL, without a socket. */
  readonly fetch: FetchHandler
  /**
   * Advances time until only endless loops without news are left; on the virtual clock also to the end of the
   * tolerances, as long as a rule is open.
   */
  readonly settle: () => Promise<void>
  /** Calls back with each exchange when it ends; returns an unsubscribe function. */
  readonly onExchange: (listener: ExchangeListener) => () => void
  /**
   * Edits the agenda, and not by hand: it is neither saved nor undone. An item that is gone is left.
   * @internal
   */
  readonly editQuietly: (edit: AgendaCommand) => void
  /**
   * How the agenda showed a command that was taken off it.
   * @internal
   */
  readonly takenRow: (command: Command) => TakenRow
  /** Facts that are still in memory, oldest first; with a number, only those after it. */
  readonly facts: (after?: number) => readonly JournalEntry[]
  /** The session's clock, for an in-process subject that must not wait on the wall clock. */
  readonly clock: SubjectClock
  /** Whether rules are checked: your service takes part, and they are not switched off. */
  readonly hasRules: () => boolean
  /** Whether a rule has been exercised: before that, nothing has been looked at. */
  readonly hasExercisedRules: () => boolean
  /** Broken invariants so far, empty when there are none; or all of them. */
  readonly verdicts: (which?: 'all') => readonly Verdict[]
  /** Final statuses of the orders, for comparison with another run of the same scenario. */
  readonly endings: () => RunOutcomes
  /** Declares that a cancellation by your service was requested by an operator, not by its own decision. */
  readonly asked: (orderId: string) => void
  /** Reports the status that your service itself gave for an order; the judge takes it as evidence. */
  readonly probed: (orderId: string, status: string) => void
  /**
   * Counts the effects of orders that were not counted yet, or lacked one (subject.effects).
   * @internal
   */
  readonly countEffects: () => Promise<void>
  /** Adds and removes faults, synchronously: `faults.add({ drop: { event: 'CONFIRMED' } })`. */
  readonly faults: FaultApi
  /** File of the certificate authority to trust, when certificates were generated here. */
  readonly authority?: string
  readonly close: () => Promise<void>
}

export type FetchHandler = (request: Request) => Promise<Response>

/** Ends the process of the user's service, which we started, and starts it again. */
export interface SubjectControl {
  readonly end: (signal: ProcessSignal) => void
  readonly start: () => void
}

export interface SubjectClock {
  /** Milliseconds since 1970, in the session's time. */
  readonly now: () => Instant
  /** Resolves when this much of the session's time is over, or as soon as `enough` is aborted. */
  readonly sleep: (ms: number, enough?: AbortSignal) => Promise<void>
  /** From 0, below 1, by the session's seed. */
  readonly random: () => number
}

/**
 * A fault specification: `{ drop: { event: 'CONFIRMED' } }`, the same as text (`'drop:event=CONFIRMED'`), or the name
 * of a profile (`'peak-hour'`). `sparring list faults` lists them all.
 */
export type FaultSpec = string | Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The faults of a session. Synchronous: an added fault applies to the very next matching message. */
export interface FaultApi {
  /**
   * Puts a fault, or all faults of a profile, in force and returns them.
   * @example
   * session.faults.add({ drop: { event: 'CONFIRMED' } }) // [{ id: 1, name: 'drop', text: 'drop:event=CONFIRMED', … }]
   * @throws Problem when the fault is unknown or its options are invalid; the message names valid ones.
   * @see ORD-GEN-02, ORD-GEN-03: events may be duplicated and reordered, and a service has to tolerate that
   */
  add(spec: FaultSpec): readonly FaultRow[]
  /**
   * Removes a fault; messages it already delays stay held until their time.
   * @throws Problem when no fault with this id is in force.
   */
  remove(id: number): void
  /** Ends all faults and releases what they hold back. From here on verdicts wait for a quiescent state. */
  end(): void
  /** Active faults first, then ended ones, each oldest first. */
  list(): readonly FaultRow[]
}
