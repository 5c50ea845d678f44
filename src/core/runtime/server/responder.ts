/**
 * Answers requests in place of the world, such as from a recording: called for each admitted request before it takes effect,
 * and for each request that is no operation of the host. Undefined leaves the answer to the world.
 */
import type { Role } from '../../protocol/role.ts'
import type { IncomingRequest, OutgoingReply } from './messages.ts'
import type { OperationRoute } from './route-index.ts'

export interface AnsweredCall {
  readonly host: Role
  /** The role of the token's client. */
  readonly caller?: Role | undefined
  /** The world refuses the body, which the partner may have taken. */
  readonly isInvalid?: true
}

/** `route` is absent for a request that is no operation. */
export interface Responder {
  (
    request: IncomingRequest,
    route: OperationRoute | undefined,
    call: AnsweredCall,
  ): OutgoingReply | undefined
  /** Paths under which a host is called besides its own, longest first: `/v2`. */
  readonly basePaths?: (host: Role) => readonly string[]
}
