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
