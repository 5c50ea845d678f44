/** Options of `certify`. */
import type { CertificationData } from '../judge/certification-data.ts'
import type { AskService, ProcedureProgress } from '../judge/run-procedures.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { SessionOptions } from '../../core/session/options.ts'

/** What is certified, and how. */
export interface CertifyRequest {
  /** Clauses by their beginnings: `ORD`, `AUT-TOK`, `ORD-TRA-02`; all when absent. */
  readonly clauses?: readonly string[]
  /** Capabilities that are certified; those that the manifest declares when absent. */
  readonly capabilities?: readonly Capability[]
  /** Ids that exist at your service. */
  readonly data?: Partial<CertificationData>
  /**
   * Has your service do what no call of the protocol does: create an order, cancel one. Resolves with `why` where it was not
   * done; what needs it is skipped then. Nothing is asked for without it.
   */
  readonly ask?: AskService
  readonly onProgress?: (progress: ProcedureProgress) => void
  readonly signal?: AbortSignal
}

export interface CertifyOptions extends Omit<SessionOptions, 'only' | 'capabilities' | 'as'> {
  /** The role that your service plays. */
  readonly as: Role
  readonly request?: CertifyRequest
  /** Called with the session before anything is done: tell your service the addresses and the clock. */
  readonly connect?: (session: Session) => void | (() => void | Promise<void>)
}
