/**
 * A service on a socket with the routes that a test names, and 404 elsewhere: the least that somebody may have on the
 * first day.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { listenOnSocket, type OnSocket } from './on-socket.ts'

export interface BareReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly text?: string
}

export interface BareCall {
  /** `POST /webhooks/orders`, without the query. */
  readonly what: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A reply, one that depends on the request, or none ever. */
export type BareRoute = BareReply | ((call: BareCall) => BareReply) | 'hangs'

export interface BareService extends OnSocket {
  /** All requests, oldest first. */
  readonly calls: readonly BareCall[]
  readonly to: (what: string) => readonly BareCall[]
  /** The reply of a route from now on; without one the route is gone. */
  readonly route: (what: string, reply?: BareRoute) => void
}

export const jsonReply = (value: unknown, status = 200): BareReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(value),
})

/** `port` 0 takes a free one. `elsewhere` answers what no route does. */
export async function openBareService(
  routes: Readonly<Record<string, BareRoute>>,
  { port = 0, elsewhere = { status: 404 } }: { port?: number; elsewhere?: BareReply } = {},
): Promise<BareService> {
  const replies = new Map(Object.entries(routes))
  const calls: BareCall[] = []
  const server = await listenOnSocket((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const what = `${request.method} ${request.url?.split('?')[0]}`
      const call = { what, headers: request.headers, text: Buffer.concat(chunks).toString() }
      calls.push(call)
      const route = replies.get(what) ?? elsewhere
      if (route === 'hangs') return
      const { status, headers = {}, text } = typeof route === 'function' ? route(call) : route
      response.writeHead(status, headers).end(text)
    })
  }, port)
  return {
    ...server,
    calls,
    to: (what) => calls.filter((each) => each.what === what),
    route: (what, reply) => void (reply ? replies.set(what, reply) : replies.delete(what)),
  }
}
