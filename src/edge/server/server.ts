/**
 * One generic server for any role: node:http, a host that answers, and a log that hears of every exchange. It holds
 * sockets, limits and time-outs, and decides nothing.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ExchangeRequest } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import type { Role } from '../../protocol/role.ts'
import { cannotListen } from './listen-problem.ts'
import { wallNow } from '../clock/clock.ts'
import { carryOut, type Ending } from './send-distorted.ts'
import type { Host, Served } from './host.ts'
import { bodyLimit, tooLarge } from './limits.ts'
import { urlOf } from './loopback.ts'
import { createPairs, type Incoming, type Outgoing } from './messages.ts'
import { createServedExchange, unanswered } from './served-exchange.ts'
import { socketLine } from './socket-transport.ts'

export interface ServerOptions {
  readonly host: Host
  readonly log: TrafficLog
  readonly address: string
  readonly port: number
  /** Makes a server that speaks HTTPS; it speaks plain HTTP without it. */
  readonly secure?: typeof createServer | undefined
  /** The role of the user's service, if it has one: it is the subject of an exchange. */
  readonly subject?: Role | undefined
  /**
   * Called before each request is answered: the session's clock catches up with the wall. What it answers is waited for:
   * the session has still to begin.
   */
  readonly beforeAnswer: (request: Incoming) => Promise<void> | undefined
  /** Something that must not happen did; the client got a 500. */
  readonly onBug: (error: unknown) => void
}

export interface RunningServer {
  readonly url: string
  /** Stops listening, lets open exchanges end, closes what is left after a moment. */
  readonly close: () => Promise<void>
}

/** How long a request may take to come in. */
const wholeWithinMs = 30_000

/** How long open exchanges may take to end once the server stops. */
const graceMs = 1000

/** Where a request leads here: a client that takes us for a proxy writes the whole URL (RFC 9112, 3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('?') || path === '' ? `/${path}` : path
}

/** Header values that a client may repeat arrive as lists; they are one value to the host. */
function incoming(request: IncomingMessage, body: string): Incoming {
  const { headers } = request
  return {
    method: request.method ?? 'GET',
    target: targetOf(request),
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(',') : value
    },
    body,
  }
}

export function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, log, address, subject } = options
  const exchangeOf = createServedExchange(host, subject)
  const pairsOf = createPairs()
  let base = ''

  function send(response: ServerResponse, reply: Outgoing): void {
    const headers: Record<string, string | number> = { ...reply.headers }
    if (reply.body !== undefined) headers['content-length'] = Buffer.byteLength(reply.body)
    else if (reply.status !== 204) headers['content-length'] = 0
    response.writeHead(reply.status, headers)
    response.end(reply.body)
  }

  /** The request as it is written down. */
  function raw(request: IncomingMessage, body: string): ExchangeRequest {
    const { rawHeaders, method = 'GET' } = request
    const target = targetOf(request)
    // `OPTIONS *` asks about the server as a whole: that has no path.
    const url = target.startsWith('/') ? `${base}${target}` : `${base}/${target}`
    const headers = pairsOf(rawHeaders)
    return body === '' ? { method, url, headers } : { method, url, headers, body }
  }

  function finish(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    startedAt: number,
  ): void {
    const came = incoming(request, body)
    const seq = log.begin({
      startedAt,
      soFar: () =>
        exchangeOf({ served: unanswered, seq: 0, startedAt, request: raw(request, body) }),
    })
    const answer = (served: Served): void => {
      const asked = { served, seq, startedAt, request: raw(request, body) }
      if (served.way) {
        const over = (ending: Ending): void => log.add(exchangeOf({ ...asked, ending }))
        carryOut(served.reply, served.way, socketLine(response), over).catch(options.onBug)
        return
      }
      send(response, served.reply)
      log.add(exchangeOf(asked))
    }
    const failed = (error: unknown): Served => {
      options.onBug(error)
      return { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    let served: Served
    try {
      const begun = options.beforeAnswer(came)
      if (begun) {
        begun
          .then(() => host.answer(came))
          .catch(failed)
          .then(answer)
          .catch(options.onBug)
        return
      }
      served = host.answer(came)
    } catch (error) {
      served = failed(error)
    }
    answer(served)
  }

  /** An answer before the request is whole: it goes out at once, and what still comes is not kept. */
  function cutShort(
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
    reply: Outgoing,
  ): void {
    response.shouldKeepAlive = false
    send(response, { ...reply, headers: { ...reply.headers, connection: 'close' } })
    const seq = log.begin()
    const served = { reply }
    log.add(exchangeOf({ served, seq, startedAt, request: raw(request, '') }))
    request.resume()
    // A client that goes on sending is cut off, but not before it could read the answer.
    setTimeout(() => request.destroy(), graceMs).unref()
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = wallNow()
    const { headers } = request
    if (headers.host === undefined && request.httpVersion === '1.1') {
      cutShort(
        request,
        response,
        startedAt,
        host.error('INVALID_PAYLOAD', 'there is no Host header'),
      )
      return
    }
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      finish(request, response, '', startedAt)
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    let over = Number(headers['content-length'] ?? 0) > bodyLimit
    if (over) {
      cutShort(request, response, startedAt, tooLarge(host))
      return
    }
    request.on('data', (chunk: Buffer) => {
      if (over) return
      size += chunk.length
      if (size > bodyLimit) {
        over = true
        chunks.length = 0
        cutShort(request, response, startedAt, tooLarge(host))
      } else chunks.push(chunk)
    })
    request.on('end', () => {
      if (over) return
      const [only] = chunks
      const bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks)
      finish(request, response, bytes.toString('utf8'), startedAt)
    })
    // A client that goes away in the middle of its body leaves nothing behind to answer.
    request.on('error', () => response.destroy())
  }

  // Without a Host header node would answer by itself, and without the error body (TRN-ERB-02).
  const limits = {
    keepAliveTimeout: 10_000,
    requestTimeout: wholeWithinMs,
    requireHostHeader: false,
  }
  const server: Server = (options.secure ?? createServer)(limits, receive)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // An expectation that node does not know would be answered 417 without a body; it is nobody's business here.
  server.on('checkExpectation', receive)
  server.on('clientError', (error, socket) => {
    if (!socket.writable) return
    const { status, headers, body = '' } = host.error('INVALID_PAYLOAD', whyUnreadable(error))
    const type = headers['content-type'] ?? 'application/json'
    socket.end(
      `HTTP/1.1 ${status} Bad Request\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })

  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(cannotListen(`the ${host.role}`, address, options.port, error)),
    )
    server.listen(options.port, address, () => {
      const { port } = server.address() as AddressInfo
      base = urlOf(address, port, options.secure ? 'https' : 'http')
      resolve({ url: base, close: () => stop(server, sockets) })
    })
  })
}

/** Why no request could be made of what came. */
function whyUnreadable(error: NodeJS.ErrnoException): string {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'the headers are over 16 KB'
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return `the request did not come whole within ${wholeWithinMs / 1000} s`
  return 'the request is no HTTP/1.1'
}

async function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    // Those that have never come to an agreement about encryption are none to the server, and yet keep it open.
    for (const socket of sockets) socket.destroy()
  }, graceMs)
  await closed
  clearTimeout(timer)
}
