/** The host of a role that a session plays. */
import type { Host } from '../edge/server/host.ts'
import type { WorldRuntime } from '../edge/world-runtime.ts'
import { problem } from '../problem.ts'
import type { Role } from '../protocol/role.ts'

export function hostOfRole({ hosts }: WorldRuntime, role: Role): Host {
  const host = hosts.get(role)
  if (!host) throw problem(`cannot reach the ${role}`, 'this session does not play it', 'See --as.')
  return host
}
