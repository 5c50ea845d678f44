/** Free ports for a session and a service beside it, which no other of this process takes meanwhile. */
import { problem } from '../../core/base/problem.ts'
import { roles } from '../../core/protocol/role.ts'
import { freePort, freeServicePort, listenError } from './ports.ts'

const maxTries = 50

/** Ports of services that run side by side: a free one may be meant for another, which does not listen yet. */
const reserved = new Set<number>()

export interface ReservedPorts extends Disposable {
  /** The first of as many in a row as a session needs. */
  readonly first: number
  readonly service: number
}

export async function reservePorts(attempted: string, host: string): Promise<ReservedPorts> {
  for (let tried = 0; tried < maxTries; tried++) {
    const first = await freePort(host)
    const service = await freeServicePort(host)
    const row = [first, ...roles.map((_role, index) => first + 1 + index)]
    const all = [...row, service]
    if (first + roles.length > 65_535 || row.includes(service)) continue
    const errors = await Promise.all(all.map((port) => listenError(host, port)))
    if (errors.some((error) => error !== undefined)) continue
    if (all.some((port) => reserved.has(port))) continue
    for (const port of all) reserved.add(port)
    const release = (): void => all.forEach((port) => void reserved.delete(port))
    return { first, service, [Symbol.dispose]: release }
  }
  throw problem(attempted, 'no ports are free', 'Give a URL instead.')
}
