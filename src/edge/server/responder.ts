/**
 * Answers requests in place of the world, such as from a recording: called for each admitted, valid request before it
 * takes effect. Undefined leaves the answer to the world.
 */
import type { Role } from '../../protocol/role.ts'
import type { IncomingRequest, OutgoingReply } from './messages.ts'
import type { OperationRoute } from './route-index.ts'

/** `caller` is the role of the token's client. */
export type Responder = (
  request: IncomingRequest,
  route: OperationRoute,
  host: Role,
  caller: Role | undefined,
) => OutgoingReply | undefined
