/**
 * Somebody who answers in the place of the world, such as a recording: asked about every request that was admitted and is
 * whole, before anything happens. Undefined leaves the answer to the world.
 */
import type { Role } from '../../protocol/role.ts'
import type { Incoming, Outgoing } from './messages.ts'
import type { Route } from './routes.ts'

/** `caller` is the role of the client whose token it is. */
export type Answering = (
  request: Incoming,
  route: Route,
  host: Role,
  caller: Role | undefined,
) => Outgoing | undefined
