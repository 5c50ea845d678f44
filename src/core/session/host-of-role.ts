/** The host of a role that a session plays. */
import type { Host } from '../runtime/server/host.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import { problem } from '../base/problem.ts'
import type { Role } from '../protocol/role.ts'

export function hostOfRole({ hosts }: WorldRuntime, role: Role): Host {
  const host = hosts.get(role)
  if (!host) throw problem(`cannot reach the ${role}`, 'this session does not play it', 'See --as.')
  return host
}

/** The role whose base URL a request's URL begins with. */
export function roleAtUrl(url: string, known: readonly (readonly [Role, string])[]): Role {
  const role = known.find(([, base]) => url.startsWith(`${base}/`))?.[0]
  if (role) return role
  throw problem(`cannot answer ${url}`, 'no role that we play is there', 'See urls.')
}
