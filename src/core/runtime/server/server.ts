/**
 * Generic HTTP server for any role: node:http, a host that answers, a log of all exchanges. It owns sockets, limits and
 * timeouts; all decisions are the host's.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ExchangeRequest, wireWithTrailers } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import type { Role } from '../../protocol/role.ts'
import { listenOn } from './listen-problem.ts'
import { wallNow } from '../clock/clock.ts'
import { type ReplyWriter, sendDistorted, type SendOutcome } from './send-distorted.ts'
import type { Host, ServedRequest } from './host.ts'
import { createHostCheck, misdirection } from './host-names.ts'
import { bodyTooLargeReply, maxBodyBytes } from './limits.ts'
import { sendBodyAndLinger } from './lingering-close.ts'
import { listenUrl } from './loopback.ts'
import {
  addTrailers,
  createHeaderPairCache,
  headerPairs,
  type IncomingRequest,
  type OutgoingReply,
  trailerHeaders,
} from './messages.ts'
import { createServedExchange, unansweredRequest, unparsedExchange } from './served-exchange.ts'
import {
  answerUnparsedRequests,
  type RequestFailure,
  requestTimeoutMs,
} from './unparsed-requests.ts'

// Reply writer over a socket: headers, pieces of a body, and breaking off in the middle.

/** Resets the connection; a TLS socket cannot be reset and is destroyed instead. */
function reset(socket: Socket): void {
  if ('encrypted' in socket) socket.destroy()
  else socket.resetAndDestroy()
}

/** Sets Content-Length, unless the reply is chunked or a 204. Trailers follow when the reply ends. */
function writeHead(
  response: ServerResponse,
  { status, headers, trailers }: OutgoingReply,
  length: number,
): void {
  if (trailers) {
    response.writeHead(status, { ...headers, ...trailerHeaders(trailers) })
    addTrailers(response, trailers)
    return
  }
  const hasNoLength = status === 204 || headers['transfer-encoding'] !== undefined
  response.writeHead(status, hasNoLength ? headers : { ...headers, 'content-length': length })
}

function createSocketReplyWriter(response: ServerResponse): ReplyWriter {
  const clientGone = new AbortController()
  response.once('close', () => clientGone.abort())
  return {
    clientGone: clientGone.signal,
    sendWhole(reply) {
      writeHead(response, reply, Buffer.byteLength(reply.body ?? ''))
      response.end(reply.body)
    },
    writeHead(reply, length) {
      writeHead(response, reply, length)
      response.flushHeaders()
    },
    writePiece: (bytes) =>
      new Promise((resolve) => {
        // Also called when the client has disconnected: then `clientGone` is aborted and the sending ends.
        response.write(bytes, () => resolve())
      }),
    end: () => void response.end(),
    abort() {
      const { socket } = response
      if (!socket || socket.destroyed) return
      // Bytes already written have to arrive before the end: a reset would overtake them.
      if (response.headersSent) socket.destroySoon()
      else reset(socket)
    },
  }
}

export interface ServerOptions {
  readonly host: Host
  readonly log: TrafficLog
  readonly address: string
  /** Names of this server besides its address and the loopback names; a request for another host is a 421. */
  readonly allowedHosts: readonly string[]
  readonly port: number
  /** Creates an HTTPS server; plain HTTP when absent. */
  readonly secure?: typeof createServer | undefined
  /** Role of the user's service, if any: its exchanges are the subject's. */
  readonly subject?: Role | undefined
  /**
   * Called before each request is answered, so that session time catches up with the wall clock. A returned promise is
   * awaited: the session is still starting.
   */
  readonly beforeAnswer: (request: IncomingRequest) => Promise<void> | undefined
  /** Called on an internal error; the client gets a 500. */
  readonly onBug: (error: unknown) => void
}

export interface RunningServer {
  readonly url: string
  /** Stops listening, lets open exchanges end, closes remaining connections after the grace period. */
  readonly close: () => Promise<void>
  /** Listens again on the same port. */
  readonly reopen: () => Promise<void>
}

/** Grace period for open exchanges when the server stops. */
const graceMs = 1000

/** The request target without origin: a client that takes us for a proxy sends the absolute form (RFC 9112, 3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('?') || path === '' ? `/${path}` : path
}

/** Repeated headers arrive as lists and are joined for the host. */
function incoming(request: IncomingMessage, body: string): IncomingRequest {
  const { headers, rawHeaders } = request
  return {
    method: request.method ?? 'GET',
    target: targetOf(request),
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(',') : value
    },
    get headers() {
      return headerPairs(rawHeaders)
    },
    body,
  }
}

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, log, address, subject } = options
  const exchangeOf = createServedExchange(host, subject)
  const pairsOf = createHeaderPairCache()
  const isOurHost = createHostCheck(address, options.allowedHosts)
  const errorReply = ({ code, message, status }: RequestFailure): OutgoingReply =>
    host.error(code, message, status)
  let base = ''

  function send(response: ServerResponse, reply: OutgoingReply): void {
    if (reply.trailers) {
      createSocketReplyWriter(response).sendWhole(reply)
      return
    }
    const headers: Record<string, string | number> = { ...reply.headers }
    if (reply.body !== undefined) headers['content-length'] = Buffer.byteLength(reply.body)
    else if (reply.status !== 204) headers['content-length'] = 0
    response.writeHead(reply.status, headers)
    response.end(reply.body)
  }

  /** The request as it is logged. */
  function loggedRequest(request: IncomingMessage, body: string): ExchangeRequest {
    const { rawHeaders, method = 'GET' } = request
    const target = targetOf(request)
    // `OPTIONS *` concerns the whole server and has no path.
    const url = target.startsWith('/') ? `${base}${target}` : `${base}/${target}`
    const headers = pairsOf(rawHeaders)
    const whole = body === '' ? { method, url, headers } : { method, url, headers, body }
    const { rawTrailers } = request
    return rawTrailers.length > 0
      ? { ...whole, ...wireWithTrailers(headerPairs(rawTrailers)) }
      : whole
  }

  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    startedAt: number,
  ): void {
    const received = incoming(request, body)
    const seq = log.begin({
      startedAt,
      soFar: () =>
        exchangeOf({
          served: unansweredRequest,
          seq: 0,
          startedAt,
          request: loggedRequest(request, body),
        }),
    })
    const answer = (served: ServedRequest): void => {
      const { later } = served.reply
      if (later) {
        later.then((reply) => answer({ ...served, reply })).catch(options.onBug)
        return
      }
      // What listens on this port next must not be asked over a connection to this server.
      if (!server.listening) response.shouldKeepAlive = false
      const parts = { served, seq, startedAt, request: loggedRequest(request, body) }
      if (served.distortion) {
        const onSent = (outcome: SendOutcome): void =>
          void log.add(exchangeOf({ ...parts, outcome }))
        sendDistorted(
          served.reply,
          served.distortion,
          createSocketReplyWriter(response),
          onSent,
        ).catch(options.onBug)
        return
      }
      send(response, served.reply)
      log.add(exchangeOf(parts))
    }
    const internalError = (error: unknown): ServedRequest => {
      options.onBug(error)
      return { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    let served: ServedRequest
    try {
      const starting = options.beforeAnswer(received)
      if (starting) {
        starting
          .then(() => host.answer(received))
          .catch(internalError)
          .then(answer)
          .catch(options.onBug)
        return
      }
      served = host.answer(received)
    } catch (error) {
      served = internalError(error)
    }
    answer(served)
  }

  /** Replies before the request is complete, and then closes the connection. */
  function replyEarly(
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
    reply: OutgoingReply,
  ): void {
    const { status, headers, body = '' } = reply
    const length = Buffer.byteLength(body)
    response.writeHead(status, { ...headers, 'content-length': length, connection: 'close' })
    sendBodyAndLinger(request, response, body)
    const seq = log.begin()
    const served = { reply }
    log.add(exchangeOf({ served, seq, startedAt, request: loggedRequest(request, '') }))
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = wallNow()
    const { headers } = request
    const misdirected = misdirection(request, isOurHost)
    if (misdirected) {
      replyEarly(request, response, startedAt, errorReply(misdirected))
      return
    }
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      serve(request, response, '', startedAt)
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    let isOverLimit = Number(headers['content-length'] ?? 0) > maxBodyBytes
    if (isOverLimit) {
      replyEarly(request, response, startedAt, bodyTooLargeReply(host))
      return
    }
    request.on('data', (chunk: Buffer) => {
      if (isOverLimit) return
      size += chunk.length
      if (size > maxBodyBytes) {
        isOverLimit = true
        chunks.length = 0
        replyEarly(request, response, startedAt, bodyTooLargeReply(host))
      } else chunks.push(chunk)
    })
    request.on('end', () => {
      if (isOverLimit) return
      const [single] = chunks
      const bytes = chunks.length === 1 && single ? single : Buffer.concat(chunks)
      serve(request, response, bytes.toString('utf8'), startedAt)
    })
    // A client that disconnects in the middle of its body gets no reply.
    request.on('error', () => response.destroy())
  }

  // requireHostHeader is off: node would answer by itself, without the error body (TRN-ERB-02).
  const limits = {
    keepAliveTimeout: 10_000,
    requestTimeout: requestTimeoutMs,
    requireHostHeader: false,
  }
  const server: Server = (options.secure ?? createServer)(limits, receive)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // Node would answer an unknown Expect header 417 without a body; it is ignored instead.
  server.on('checkExpectation', receive)
  answerUnparsedRequests(server, {
    replyTo: errorReply,
    onUnparsed: (unparsed, reply) =>
      void log.add(unparsedExchange({ unparsed, base, seq: log.begin(), reply }, exchangeOf)),
  })

  const listen = (port: number): Promise<number> =>
    listenOn(server, `the ${host.role}`, { address, port })

  const port = await listen(options.port)
  base = listenUrl(address, port, options.secure ? 'https' : 'http')
  return {
    url: base,
    close: () => stop(server, sockets),
    reopen: async () => void (await listen(port)),
  }
}

async function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    // Sockets without a finished TLS handshake are no connections to the server, and yet keep it open.
    for (const socket of sockets) socket.destroy()
  }, graceMs)
  await closed
  clearTimeout(timer)
}
