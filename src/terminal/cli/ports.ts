/** Finds out whether ports are free, by listening on them. */
import { createServer } from 'node:net'

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

/** Below the ports that common systems give to connections, and to who listens on any. */
const servicePorts = { first: 20_000, count: 12_000 } as const
let nextServicePort = Math.floor(Math.random() * servicePorts.count)
const maxServicePortTries = 100

/**
 * A free port for a program that listens on it a moment later: no connection of ours or of others gets it meanwhile, nor the next
 * caller.
 */
export async function freeServicePort(host: string): Promise<number> {
  for (let tried = 0; tried < maxServicePortTries; tried++) {
    const port = servicePorts.first + (nextServicePort++ % servicePorts.count)
    if ((await listenError(host, port)) === undefined) return port
  }
  return freePort(host)
}
