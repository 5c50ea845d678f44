/** Finds out whether ports are free, by listening on them. */
import { createServer } from 'node:net'
import { problem } from '../../core/base/problem.ts'
import { roles } from '../../core/protocol/role.ts'

/** Listens on a port, or on any with 0; resolves to its number when it is closed again. */
const tryPort = (port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** A port that is free at this moment. */
export const freePort = (host: string): Promise<number> => tryPort(0, host)

/** The error of listening on a port; undefined when it is free. */
export const listenError = (host: string, port: number): Promise<Error | undefined> =>
  tryPort(port, host).then(
    () => undefined,
    (error: Error) => error,
  )

/** Below those of connections. The count is prime: with any stride all are passed before one comes again. */
const servicePorts = { first: 20_000, count: 11_987 } as const
/** Each process has its own: two that go side by side through all ports meet where one follows the other closely. */
const stride = 1 + Math.floor(Math.random() * (servicePorts.count - 1))
let nextServicePort = Math.floor(Math.random() * servicePorts.count)
const maxServicePortTries = 100
/** Ports of services that run side by side: a free one may be meant for another, which does not listen yet. */
const reserved = new Set<number>()

/**
 * A free port for a program that listens on it a moment later: no connection of ours or of others gets it meanwhile, nor the next
 * caller.
 */
export async function freeServicePort(host: string): Promise<number> {
  for (let tried = 0; tried < maxServicePortTries; tried++) {
    nextServicePort = (nextServicePort + stride) % servicePorts.count
    const port = servicePorts.first + nextServicePort
    if (!reserved.has(port) && (await listenError(host, port)) === undefined) return port
  }
  return freePort(host)
}

const maxTries = 50

export interface ReservedPorts extends Disposable {
  /** The first of as many in a row as a session needs. */
  readonly first: number
  readonly service: number
}

/**
 * Free ports for a session and a service beside it, which no other of this process takes meanwhile.
 */
export async function reservePorts(attempted: string, host: string): Promise<ReservedPorts> {
  for (let tried = 0; tried < maxTries; tried++) {
    // They are kept for minutes: none is among those that connections get.
    const first = await freeServicePort(host)
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
