/**
 * Generic HTTP server for any role: node:http, a host that answers, a log of all exchanges. It owns sockets, limits and
 * timeouts; all decisions are the host's. The servers of all roles start and stop together.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { compact } from '../../base/compact.ts'
import type { ExchangeRequest } from '../../traffic/exchange.ts'
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
  contentBeside,
  contentOf,
  createHeaderPairCache,
  headerPairs,
  type IncomingRequest,
  loggedContent,
  type OutgoingReply,
  receivedContent,
  trailerHeaders,
} from './messages.ts'
import { createServedExchange, unansweredRequest, unparsedExchange } from './served-exchange.ts'
import {
  answerUnparsedRequests,
  type RequestFailure,
  requestTimeoutMs,
} from './unparsed-requests.ts'
import type { ErrorCode } from '../../protocol/errors.ts'

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

/** Writes a reply to a socket: headers, pieces of a body, and breaking off in the middle. */
function createSocketReplyWriter(response: ServerResponse): ReplyWriter {
  const clientGone = new AbortController()
  response.once('close', () => clientGone.abort())
  return {
    clientGone: clientGone.signal,
    sendWhole(reply) {
      const content = contentOf(reply) ?? ''
      writeHead(response, reply, Buffer.byteLength(content))
      return new Promise((resolve) => {
        response.once('close', resolve)
        response.end(contentBeside(reply.headers, content), resolve)
      })
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

/** Grace period for open exchanges when the server stops. */
const graceMs = 1000

/** The request target without origin: a client that takes us for a proxy sends the absolute form (RFC 9112, 3.2.2). */
function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('?') || path === '' ? `/${path}` : path
}

type ReceivedContent = ReturnType<typeof receivedContent>

const noContent: ReceivedContent = { body: '' }

/** Repeated headers arrive as lists and are joined for the host. */
function incoming(request: IncomingMessage, content: ReceivedContent): IncomingRequest {
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
    ...content,
  }
}

function sendReply(response: ServerResponse, reply: OutgoingReply): void {
  if (reply.trailers) {
    void createSocketReplyWriter(response).sendWhole(reply)
    return
  }
  const headers: Record<string, string | string[] | number> = { ...reply.headers }
  const content = contentOf(reply)
  if (content !== undefined) headers['content-length'] = Buffer.byteLength(content)
  else if (reply.status !== 204) headers['content-length'] = 0
  response.writeHead(reply.status, headers)
  response.end(contentBeside(reply.headers, content))
}

// requireHostHeader is off: node would answer by itself, without the error body (TRN-ERB-02).
const limits = {
  keepAliveTimeout: 10_000,
  requestTimeout: requestTimeoutMs,
  requireHostHeader: false,
}

/** Reads requests from sockets, has the host answer them, and logs the exchanges. */
export class RunningServer {
  readonly #options: ServerOptions
  readonly #exchangeOf: ReturnType<typeof createServedExchange>
  readonly #pairsOf = createHeaderPairCache()
  readonly #isOurHost: (header: string) => boolean
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #url = ''
  #port: number

  constructor(options: ServerOptions) {
    const { host, log, secure = createServer } = options
    this.#options = options
    this.#port = options.port
    this.#exchangeOf = createServedExchange(host, options.subject)
    this.#isOurHost = createHostCheck(options.address, options.allowedHosts)
    const server = secure(limits, this.#receive)
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    // Node would answer an unknown Expect header 417 without a body; it is ignored instead.
    server.on('checkExpectation', this.#receive)
    answerUnparsedRequests(server, {
      replyTo: (failure) => this.#errorReply(failure),
      onUnparsed: (unparsed, reply) => {
        const parts = { unparsed, base: this.#url, seq: log.begin(), reply }
        log.add(unparsedExchange(parts, this.#exchangeOf))
      },
    })
  }

  get url(): string {
    return this.#url
  }

  /** Listens; later again on the same port. */
  async open(): Promise<void> {
    const { host, address, secure } = this.#options
    this.#port = await listenOn(this.#server, `the ${host.role}`, { address, port: this.#port })
    this.#url = listenUrl(address, this.#port, secure ? 'https' : 'http')
  }

  /** Stops listening, lets open exchanges end, closes remaining connections after the grace period. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    this.#server.closeIdleConnections()
    const timer = setTimeout(() => {
      this.#server.closeAllConnections()
      // Sockets without a finished TLS handshake are no connections to the server, and yet keep it open.
      for (const socket of this.#sockets) socket.destroy()
    }, graceMs)
    await closed
    clearTimeout(timer)
  }

  #errorReply({ code, message, status }: RequestFailure): OutgoingReply {
    return this.#options.host.error(code, message, status)
  }

  readonly #receive = (request: IncomingMessage, response: ServerResponse): void => {
    const { host } = this.#options
    const startedAt = wallNow()
    const { headers } = request
    const misdirected = misdirection(request, this.#isOurHost)
    if (misdirected) {
      this.#replyEarly(request, response, startedAt, this.#errorReply(misdirected))
      return
    }
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      this.#serve(request, response, noContent, startedAt)
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    let isOverLimit = Number(headers['content-length'] ?? 0) > maxBodyBytes
    if (isOverLimit) {
      this.#replyEarly(request, response, startedAt, bodyTooLargeReply(host))
      return
    }
    request.on('data', (chunk: Buffer) => {
      if (isOverLimit) return
      size += chunk.length
      if (size > maxBodyBytes) {
        isOverLimit = true
        chunks.length = 0
        this.#replyEarly(request, response, startedAt, bodyTooLargeReply(host))
      } else chunks.push(chunk)
    })
    request.on('end', () => {
      if (isOverLimit) return
      const [single] = chunks
      const bytes = chunks.length === 1 && single ? single : Buffer.concat(chunks)
      this.#serve(request, response, receivedContent(bytes), startedAt)
    })
    // A client that disconnects in the middle of its body gets no reply.
    request.on('error', () => response.destroy())
  }

  #serve(
    request: IncomingMessage,
    response: ServerResponse,
    content: ReceivedContent,
    startedAt: number,
  ): void {
    const { host, log, beforeAnswer, onBug } = this.#options
    const received = incoming(request, content)
    const seq = log.begin({
      startedAt,
      soFar: () =>
        this.#exchangeOf({
          served: unansweredRequest,
          seq: 0,
          startedAt,
          request: this.#loggedRequest(request, content),
        }),
    })
    const answer = (served: ServedRequest): void => {
      const { later } = served.reply
      if (later) {
        later.then((reply) => answer({ ...served, reply })).catch(onBug)
        return
      }
      // What listens on this port next must not be asked over a connection to this server.
      if (!this.#server.listening) response.shouldKeepAlive = false
      const parts = { served, seq, startedAt, request: this.#loggedRequest(request, content) }
      if (served.distortion) {
        const onSent = (outcome: SendOutcome): void =>
          void log.add(this.#exchangeOf({ ...parts, outcome }))
        sendDistorted(
          served.reply,
          served.distortion,
          createSocketReplyWriter(response),
          onSent,
        ).catch(onBug)
        return
      }
      sendReply(response, served.reply)
      log.add(this.#exchangeOf(parts))
    }
    const internalError = (error: unknown): ServedRequest => {
      onBug(error)
      return { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    let served: ServedRequest
    try {
      const starting = beforeAnswer(received)
      if (starting) {
        starting
          .then(() => host.answer(received))
          .catch(internalError)
          .then(answer)
          .catch(onBug)
        return
      }
      served = host.answer(received)
    } catch (error) {
      served = internalError(error)
    }
    answer(served)
  }

  /** Replies before the request is complete, and then closes the connection. */
  #replyEarly(
    request: IncomingMessage,
    response: ServerResponse,
    startedAt: number,
    reply: OutgoingReply,
  ): void {
    const { log } = this.#options
    const { status, headers, body = '' } = reply
    const length = Buffer.byteLength(body)
    response.writeHead(status, { ...headers, 'content-length': length, connection: 'close' })
    sendBodyAndLinger(request, response, body)
    const seq = log.begin()
    const served = { reply }
    log.add(
      this.#exchangeOf({
        served,
        seq,
        startedAt,
        request: this.#loggedRequest(request, noContent),
      }),
    )
  }

  /** The request as it is logged. */
  #loggedRequest(request: IncomingMessage, { body, bytes }: ReceivedContent): ExchangeRequest {
    const { rawHeaders, method = 'GET' } = request
    const target = targetOf(request)
    // `OPTIONS *` concerns the whole server and has no path.
    const url = target.startsWith('/') ? `${this.#url}${target}` : `${this.#url}/${target}`
    const headers = this.#pairsOf(rawHeaders)
    const { rawTrailers } = request
    const trailers = rawTrailers.length > 0 ? headerPairs(rawTrailers) : undefined
    const content = loggedContent(compact({ body: body || undefined, bytes, trailers }))
    return { method, url, headers, ...content }
  }
}

/** The servers of all roles that we play, started together and stopped together. */
interface ServersOptions extends Pick<
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

interface RunningServers {
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
