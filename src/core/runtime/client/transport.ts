/**
 * Transports for outbound requests, all of one type: node:http(s) sockets, or a fetch-style function in this process.
 */
import { compact } from '../../base/compact.ts'
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http'
import type * as Https from 'node:https'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { setBounded } from '../../engine/bounded.ts'
import { keptConnection } from '../../traffic/failed-requests.ts'
import { CallFailure } from './call-outcome.ts'
import { bufferOf, firstHalf, splitBody } from '../server/send-distorted.ts'
import {
  addTrailers,
  bodilessStatuses,
  bodyHeaders,
  contentBeside,
  contentOf,
  type InboundReply,
  type OutboundRequest,
  headerPairs,
  receivedContent,
  type Transport,
  type SendOptions,
} from '../server/messages.ts'
import { maxBodyBytes, maxBodyText } from '../server/limits.ts'

const tooLarge = (): CallFailure =>
  new CallFailure('TOO_LARGE', `the answer is over ${maxBodyText}`)

const tooLate = (withinMs: number): CallFailure =>
  new CallFailure('TIMEOUT', `no answer within ${withinMs / 1000} s`)

const truncated = (): CallFailure =>
  new CallFailure('TRUNCATED', 'the call broke off in the middle of its body')

/** Most replies come in one chunk, or in none. */
const contentIn = (chunks: readonly Buffer[]): ReturnType<typeof receivedContent> =>
  receivedContent(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))

function readReply(response: IncomingMessage, timeoutMs: number): Promise<InboundReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    let late: NodeJS.Timeout | undefined
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBodyBytes) response.destroy(tooLarge())
      else chunks.push(chunk)
      // A server that sends byte by byte never trips the idle timeout. A reply in one chunk needs no timer.
      if (chunks.length > 1)
        late ??= setTimeout(() => response.destroy(tooLate(timeoutMs)), timeoutMs)
    })
    response.on('end', () => {
      clearTimeout(late)
      resolve({
        status: response.statusCode ?? 0,
        headers: headerPairs(response.rawHeaders),
        ...contentIn(chunks),
        ...(response.rawTrailers.length > 0 ? { trailers: headerPairs(response.rawTrailers) } : {}),
      })
    })
    response.on('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
  })
}

/** Reads a reply without a body: bytes that its service sends behind it anyway are no part of it. */
function readBodiless(response: IncomingMessage, request: ClientRequest): Promise<InboundReply> {
  const { statusCode = 0, headers, rawHeaders } = response
  const isAnnounced =
    Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  const replyWith = (hasStrayBody: boolean): InboundReply => ({
    status: statusCode,
    headers: headerPairs(rawHeaders),
    body: '',
    ...(hasStrayBody ? { hasStrayBody } : {}),
  })
  return new Promise((resolve) => {
    // The parser takes them for the beginning of another reply; what was announced may never come.
    request.once('error', () => resolve(replyWith(true)))
    response.once('error', () => resolve(replyWith(true)))
    response.once('end', () => resolve(replyWith(false)))
    if (isAnnounced && statusCode === 204) {
      resolve(replyWith(true))
      response.destroy()
    } else response.resume()
  })
}

export interface SocketTransport {
  readonly transport: Transport
  /** To our own hosts: what breaks off there does so by a fault, also on an idle connection, and is not sent again. */
  readonly ownTransport: Transport
  readonly close: () => void
}

export interface SocketTransportOptions {
  /** Reply timeout in milliseconds (LIM-UND-02). */
  readonly timeoutMs: number
  /** Trusted certificate authorities, where these are more than the machine's own. */
  readonly trust?: SecureContext | undefined
}

interface SocketClient {
  readonly request: typeof httpRequest
  readonly agent: HttpAgent
  readonly timeoutMs: number
}

/** Cache of scheme, host and port, parsed once per origin. */
const origins = new Map<string, RequestOptions>()
const maxOrigins = 1000
/** A URL that needs no normalisation: no characters to escape, no dot segments to resolve. */
const plainUrl = /^(https?:\/\/[\w.-]+(?::\d+)?)(\/(?!\.|[^?]*\/\.)[\w\-./~!$&'()*+,;=:@%?]*)$/

/** A URL as node:http options. Parsing one with `URL` costs about a third of the call. */
function requestOptionsOf(url: string): RequestOptions {
  const [, origin, path] = plainUrl.exec(url) ?? []
  if (origin === undefined || path === undefined) return urlToHttpOptions(new URL(url))
  let knownOrigin = origins.get(origin)
  if (!knownOrigin) {
    const { protocol, hostname, port } = urlToHttpOptions(new URL(origin))
    knownOrigin = { protocol, hostname, port }
    setBounded(origins, origin, knownOrigin, maxOrigins)
  }
  return { ...knownOrigin, path }
}

/** A server has closed an idle connection on which it cannot have begun a request, or begins it twice to the same effect. */
class IdleConnectionClosed extends Error {
  override readonly name = 'IdleConnectionClosed'
  readonly code = 'ECONNRESET'
}

/** Methods that may be sent twice (RFC 9110, 9.2.2). */
const isIdempotent = (method: string): boolean =>
  /^(?:GET|HEAD|OPTIONS|TRACE|PUT|DELETE)$/.test(method)

const isClosedCode = (error: Error): boolean =>
  'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

/**
 * Sends a request on a kept connection only after its end, which may have come while it was idle, could be read; what still meets a
 * closed connection is sent again on a new one where it may be sent twice.
 */
async function sendOnOpenConnection(
  client: SocketClient,
  outbound: OutboundRequest,
  sending?: SendOptions,
): Promise<InboundReply> {
  try {
    return await sendRequest(client, outbound, sending, true)
  } catch (error) {
    if (!(error instanceof IdleConnectionClosed)) throw error
    // Others that were idle as long are hardly open.
    for (const socket of Object.values(client.agent.freeSockets).flat()) socket?.destroy()
    return sendRequest(client, outbound, sending)
  }
}

/**
 * Whether a server had ended a connection before it could read what was sent on it: such bytes are answered by a reset, and then no
 * more can be written, while a server that ends it after reading them still takes an empty line.
 */
const hadEndedBefore = (socket: Socket): Promise<boolean> =>
  // Only plain connections are probed.
  'encrypted' in socket
    ? Promise.resolve(false)
    : new Promise((resolve) => {
        socket.write('\r\n', (error) => resolve(error ? isClosedCode(error) : false))
      })

/** After two turns of the event loop the end of a connection that came before has been read. */
const afterPendingReads = (then: () => void): void =>
  void setImmediate(() => void setImmediate(then))

function sendRequest(
  { request: start, agent, timeoutMs }: SocketClient,
  outbound: OutboundRequest,
  sending: SendOptions = {},
  looksFirst = false,
): Promise<InboundReply> {
  const { method, url, headers, trailers } = outbound
  const content = contentOf(outbound)
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined
    let answered = false
    let isBodiless = false
    let received: IncomingMessage | undefined
    let hasStrayBody = false
    const request = start(
      {
        ...requestOptionsOf(url),
        method,
        agent,
        timeout: timeoutMs,
        headers: { ...headers, ...bodyHeaders(outbound) },
      },
      (response) => {
        clearTimeout(late)
        answered = true
        received = response
        isBodiless = bodilessStatuses.has(response.statusCode)
        if (isBodiless) void readBodiless(response, request).then(resolve)
        else
          readReply(response, timeoutMs).then(
            (reply) => resolve(hasStrayBody ? { ...reply, hasStrayBody } : reply),
            reject,
          )
      },
    )
    request.on('timeout', () => request.destroy(tooLate(timeoutMs)))
    // Headers that come byte by byte, or repeated 1xx interim responses, do not trip the idle timeout either.
    request.once('finish', () => {
      sending.onWritten?.()
      // Some servers answer before they have read the whole request.
      if (!answered) late = setTimeout(() => request.destroy(tooLate(timeoutMs)), timeoutMs)
    })
    request.once('close', () => clearTimeout(late))
    let isSent = false
    let read = 0
    function send(): void {
      if (request.destroyed || isSent) return
      isSent = true
      if (trailers) addTrailers(request, trailers)
      if (content === undefined || !sending.body) request.end(contentBeside(headers, content))
      else sendInPieces(request, content, sending.body).catch(reject)
    }
    let endedBefore: Promise<boolean> | undefined
    async function rejectClosed(error: Error): Promise<void> {
      const mayRepeat = !isSent || (isIdempotent(method) && !sending.body)
      reject(
        mayRepeat || (await endedBefore)
          ? new IdleConnectionClosed(error.message, { cause: error })
          : new CallFailure('ECONNRESET', `${keptConnection}: ${error.message}`),
      )
    }
    request.once('socket', (socket) => {
      read = socket.bytesRead
      if (!looksFirst || !request.reusedSocket) return
      const onEnd = (): void => {
        if (isSent && !answered) endedBefore = hadEndedBefore(socket)
      }
      socket.prependOnceListener('end', onEnd)
      request.once('close', () => socket.off('end', onEnd))
      afterPendingReads(send)
    })
    request.on('error', (error) => {
      if (isBodiless) return
      // The parser takes bytes behind a whole reply for the beginning of another one.
      if (received?.complete) {
        hasStrayBody = true
        return
      }
      const isUnanswered = isClosedCode(error) && (request.socket?.bytesRead ?? read) === read
      if (!looksFirst || !request.reusedSocket || !isUnanswered) return reject(error)
      void rejectClosed(error)
    })
    if (!looksFirst || !request.reusedSocket) send()
  })
}

/** Sends a distorted body: its first half only, or piece by piece. */
async function sendInPieces(
  request: ClientRequest,
  body: string | Uint8Array,
  distortion: NonNullable<SendOptions['body']>,
): Promise<void> {
  if (distortion === 'truncate') {
    request.write(firstHalf(body), (error) => {
      if (!error) request.destroy(truncated())
    })
    return
  }
  request.flushHeaders()
  for (const piece of splitBody(bufferOf(body))) {
    await distortion.pause()
    // The server may have closed the connection.
    if (request.destroyed) return
    request.write(piece)
  }
  request.end()
}

/** Transport over sockets with keep-alive connections. */
export function createSocketTransport({
  timeoutMs,
  trust,
}: SocketTransportOptions): SocketTransport {
  const agentOptions = { keepAlive: true, maxSockets: 64, maxFreeSockets: 64 }
  const plainClient: SocketClient = {
    request: httpRequest,
    agent: new HttpAgent(agentOptions),
    timeoutMs,
  }
  let loadingSecure: Promise<SocketClient> | undefined
  let secureClient: SocketClient | undefined

  /** node:https is loaded with the first call that needs it: most sessions never leave this machine. */
  async function loadSecureClient(): Promise<SocketClient> {
    const { Agent, request }: typeof Https = await import('node:https')
    // One secure context for all connections, not one for each.
    const agent = new Agent({ ...agentOptions, ...compact({ secureContext: trust }) })
    secureClient = { request, agent, timeoutMs }
    return secureClient
  }

  const transportBy =
    (send: typeof sendRequest): Transport =>
    (outbound, sending) => {
      if (!/^https:/i.test(outbound.url)) return send(plainClient, outbound, sending)
      loadingSecure ??= loadSecureClient()
      return loadingSecure.then((client) => send(client, outbound, sending))
    }

  return {
    transport: transportBy(sendOnOpenConnection),
    ownTransport: transportBy(sendRequest),
    close: () => {
      plainClient.agent.destroy()
      secureClient?.agent.destroy()
    },
  }
}

/** A distorted body as a stream, for an in-process handler. */
function bodyStream(
  body: string | Uint8Array,
  distortion: NonNullable<SendOptions['body']>,
): ReadableStream<Uint8Array> {
  const pieces = distortion === 'truncate' ? [firstHalf(body)] : [...splitBody(bufferOf(body))]
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece) {
          if (distortion !== 'truncate') await distortion.pause()
          controller.enqueue(new Uint8Array(piece))
        } else if (distortion === 'truncate') controller.error(truncated())
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Reads an in-process response, with the size limit of the socket transport. */
async function readResponse(response: Response): Promise<InboundReply> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBodyBytes) throw tooLarge()
    chunks.push(chunk)
  }
  const content = receivedContent(Buffer.concat(chunks))
  return { status: response.status, headers: [...response.headers], ...content }
}

/** Transport through a fetch-style function: the user's handler in this process, or the platform's fetch. */
export const createFetchTransport =
  (handler: (request: Request) => Promise<Response>, timeoutMs: number): Transport =>
  async (outbound, { body: distortion, timeout = wallTimeout, onWritten } = {}) => {
    const { method, url, headers } = outbound
    const content = contentOf(outbound)
    const body = typeof content === 'object' ? new Uint8Array(content) : content
    const length =
      distortion && body !== undefined ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    const request = new Request(url, {
      method,
      headers: { ...headers, ...length },
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : distortion
          ? { body: bodyStream(body, distortion), duplex: 'half' }
          : { body }),
    })
    const answer = async (): Promise<InboundReply> => {
      const answered = handler(request).then(readResponse)
      onWritten?.()
      if (distortion !== 'truncate') return answered
      // The reply to half a body is discarded: the connection is gone.
      await answered.catch(() => undefined)
      throw truncated()
    }
    return withTimeout(answer(), timeoutMs, timeout)
  }

const wallTimeout: NonNullable<SendOptions['timeout']> = (ms, cancelTimer) =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms)
    cancelTimer.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve(false)
    })
  })

/** Applies the socket transport's timeout to a handler, so that one that never answers does not block the session. */
async function withTimeout<Value>(
  answer: Promise<Value>,
  timeoutMs: number,
  timeout: NonNullable<SendOptions['timeout']>,
): Promise<Value> {
  const cancelTimer = new AbortController()
  const late = new Promise<never>((_resolve, reject) => {
    timeout(timeoutMs, cancelTimer.signal)
      .then((over) => over && reject(tooLate(timeoutMs)))
      .catch(reject)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    // Without a reason an exception with its stack would be created for each call.
    cancelTimer.abort('answered')
  }
}
