/** What a session is to the process that it runs in: the face that everybody has, and what needs no control API. */
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
  /** Answers a request to any role that we play, by its URL, without a socket. */
  readonly fetch: FetchHandler
  /** Lets time pass until nothing is left but endless loops that bring no news. */
  readonly settle: () => Promise<void>
  /** Calls back with each exchange as it ends; answers how to stop. */
  readonly onExchange: (listener: ExchangeListener) => () => void
  /** The facts that are in memory, oldest first. */
  readonly facts: () => readonly Entry[]
  /** The session's clock, for a subject in this process: nothing waits for the wall then. */
  readonly clock: SubjectClock
  /** What your service broke, so far: none when all is well. */
  readonly verdicts: () => readonly Verdict[]
  /** How the orders of this run have ended, to be held against another run of the same story. */
  readonly endings: () => Endings
  /** Somebody had your service ask to cancel this order: that it asks is not its own idea. */
  readonly asked: (orderId: string) => void
  /** Your service itself said, when somebody asked it, that the order is in this status: its judge may go by that. */
  readonly probed: (orderId: string, status: string) => void
  /** Puts faults in force and takes them out of it, at once: `faults.add({ drop: { event: 'CONFIRMED' } })`. */
  readonly faults: FaultsHand
  /** The certificate authority to trust for HTTPS, where the certificates were made here: a file. */
  readonly authority?: string
  readonly close: () => Promise<void>
}

export interface PreparedSession extends Session {
  /**
   * The counterparts begin, if they have not yet. They begin of their own accord with the first request that could
   * change something, which waits for it: so the same input gives the same journal, however long they take to load.
   */
  readonly begin: () => Promise<void>
  /** Before `faults.add` can be used at once: what the names of faults mean is a lot to load. */
  readonly loadFaults: () => Promise<void>
}
