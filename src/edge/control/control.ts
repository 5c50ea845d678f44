/**
 * The control API: a listener of its own, through which a running session is watched and steered. This file opens and
 * closes it; what a route takes and does stands in its row.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SessionFace } from '../../session-api/session-api.ts'
import { cannotListen } from '../server/listen-problem.ts'
import { failure } from './answer.ts'
import type { Guarded } from './guard.ts'
import { createHandler, type Handler, send } from './handler.ts'
import { isLoopback, urlOf } from '../server/loopback.ts'

export interface ControlOptions {
  readonly face: SessionFace
  readonly host: string
  /** 0 finds a free one. */
  readonly port: number
  /** Pages of these origins may use it; of no other. */
  readonly allowedOrigins?: readonly string[]
  /** What requests must bring along; made up when it is bound wider than this machine and none is given. */
  readonly token?: string
  /** Hears of what should not have happened, before it is answered with 500. */
  readonly onBug?: (error: unknown) => void
}

export interface Control {
  readonly url: string
  /** Present when requests must bring it along. */
  readonly token?: string
  readonly close: () => Promise<void>
}

/** What open exchanges have to come to their end once it closes. */
const graceMs = 200

export async function startControl(options: ControlOptions): Promise<Control> {
  const { face, host, port } = options
  const token =
    options.token ?? (isLoopback(host) ? undefined : randomBytes(24).toString('base64url'))
  const tokenPart = token === undefined ? {} : { token }
  const guarded: Guarded = { host, allowedOrigins: options.allowedOrigins ?? [], ...tokenPart }
  const closing = new AbortController()
  let loading: Promise<Handler> | undefined

  /** What the routes take is known with the first request: no session waits for its schemas before it is ready. */
  async function load(): Promise<Handler> {
    const { routes } = await import('./routes.ts')
    return createHandler({ face, routes, guarded, closing: closing.signal })
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    loading ??= load()
    await (
      await loading
    )(request, response)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that went away in the middle of its request is nobody's bug.
      if (response.destroyed) return
      options.onBug?.(error)
      const message = error instanceof Error ? error.message : String(error)
      if (response.headersSent) response.destroy()
      else send(response, failure('INTERNAL_ERROR', message))
    })
  })
  await new Promise<void>((resolve, reject) => {
    const refused = (error: Error) => reject(cannotListen('the control API', host, port, error))
    server.once('error', refused)
    server.listen(port, host, () => {
      server.off('error', refused)
      resolve()
    })
  })
  return {
    url: urlOf(host, (server.address() as AddressInfo).port),
    ...tokenPart,
    close: () =>
      new Promise((resolve) => {
        closing.abort()
        // Streams end by themselves now; whoever does not read to the end is not waited for.
        const impatient = setTimeout(() => server.closeAllConnections(), graceMs)
        server.close(() => {
          clearTimeout(impatient)
          resolve()
        })
        server.closeIdleConnections()
      }),
  }
}
