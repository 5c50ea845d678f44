/**
 * Answers requests in place of the world, such as from a recording: called for each admitted, valid request before it
 * takes effect. Undefined leaves the answer to the world.
 */
import type { Role } from '../../protocol/role.ts'
import type { Incoming, Outgoing } from './messages.ts'
import type { Route } from './routes.ts'

/** `caller` is the role of the token's client. */
export type Answering = (
  request: Incoming,
  route: Route,
  host: Role,
  caller: Role | undefined,
) => Outgoing | undefined
