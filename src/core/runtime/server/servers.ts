/** The servers of all roles that we play, started together and stopped together. */
import type { ErrorCode } from '../../protocol/errors.ts'
import type { Role } from '../../protocol/role.ts'
import type { Host } from './host.ts'
import { RunningServer, type ServerOptions } from './server.ts'

export interface ServersOptions extends Pick<
  ServerOptions,
  'log' | 'address' | 'allowedHosts' | 'secure' | 'beforeAnswer' | 'onBug' | 'subject'
> {
  readonly roles: readonly Role[]
  readonly ports: (role: Role) => number
  /** The current host of a role: a reset replaces it. */
  readonly host: (role: Role) => Host | undefined
  /** Filled with the base URL of each role once it listens. */
  readonly urls: Map<Role, string>
}

/** A host that delegates to the current one, so that sockets survive a reset. */
function delegatingHost(role: Role, current: () => Host | undefined): Host {
  const currentHost = (): Host => {
    const host = current()
    if (!host) throw new Error(`no counterpart plays the ${role}`)
    return host
  }
  return {
    role,
    get served() {
      return currentHost().served
    },
    base: () => currentHost().base(),
    answer: (request) => currentHost().answer(request),
    error: (code: ErrorCode, message, status) => currentHost().error(code, message, status),
  }
}

export interface RunningServers {
  readonly close: () => Promise<void>
  /** Leaves the ports to others while that works, and listens on them again unless closed meanwhile. */
  readonly withoutPorts: <Value>(work: () => Promise<Value>) => Promise<Value>
}

export async function startServers(options: ServersOptions): Promise<RunningServers> {
  const { roles, ports, host, urls } = options
  const servers: RunningServer[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.close()))
  }
  let closed = false
  const close = (): Promise<void> => {
    closed = true
    return stop()
  }
  try {
    for (const role of roles) {
      const ours = delegatingHost(role, () => host(role))
      const server = new RunningServer({ ...options, host: ours, port: ports(role) })
      await server.open()
      servers.push(server)
      urls.set(role, server.url)
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    close,
    async withoutPorts(work) {
      await stop()
      try {
        return await work()
      } finally {
        if (!closed) await Promise.all(servers.map((server) => server.open()))
      }
    },
  }
}
