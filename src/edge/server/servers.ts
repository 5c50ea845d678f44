/** The servers of all roles that we play, started together and stopped together. */
import type { ErrorCode } from '../../protocol/errors.ts'
import type { Role } from '../../protocol/role.ts'
import type { Host } from './host.ts'
import { type RunningServer, type ServerOptions, startServer } from './server.ts'

export interface ServersOptions extends Pick<
  ServerOptions,
  'log' | 'address' | 'secure' | 'beforeAnswer' | 'onBug' | 'subject'
> {
  readonly roles: readonly Role[]
  readonly ports: (role: Role) => number
  /** The host that stands behind a role at this moment: a reset puts another there. */
  readonly host: (role: Role) => Host | undefined
  /** Gets the base URL of each role once it listens. */
  readonly urls: Map<Role, string>
}

/** A host whose stage may change under it: the socket stays, whoever answers is asked for anew. */
function standing(role: Role, current: () => Host | undefined): Host {
  const now = (): Host => {
    const host = current()
    if (!host) throw new Error(`nobody plays the ${role}`)
    return host
  }
  return {
    role,
    get served() {
      return now().served
    },
    base: () => now().base(),
    answer: (request) => now().answer(request),
    error: (code: ErrorCode, message) => now().error(code, message),
  }
}

export async function startServers(
  options: ServersOptions,
): Promise<{ close: () => Promise<void> }> {
  const { roles, ports, host, urls } = options
  const servers: RunningServer[] = []
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()))
  }
  try {
    for (const role of roles) {
      const server = await startServer({
        ...options,
        host: standing(role, () => host(role)),
        port: ports(role),
      })
      servers.push(server)
      urls.set(role, server.url)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { close }
}
