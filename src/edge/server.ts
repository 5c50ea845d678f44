/**
 * One generic server for any role: node:http, a host that answers, and a log that hears of every exchange. It holds
 * sockets, limits and time-outs, and decides nothing.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExchangeRequest } from '../traffic/exchange.ts'
import type { TrafficLog } from '../traffic/log.ts'
import type { Role } from '../protocol/role.ts'
import { problem } from '../problem.ts'
import { wallNow } from './clock.ts'
import type { Host, Served } from './host.ts'
import { type Incoming, type Outgoing, pairs } from './messages.ts'
import { servedExchange } from './served-exchange.ts'

/** Bytes of a body at most. */
export const bodyLimit = 10 * 1024 * 1024

export interface ServerOptions {
  readonly host: Host
  readonly log: TrafficLog
  readonly address: string
  readonly port: number
  /** The role of the user's service, if it has one: it is the subject of an exchange. */
  readonly subject?: Role | undefined
  /** Called before each request is answered: the session's clock catches up with the wall. */
  readonly beforeAnswer: () => void
  /** Something that must not happen did; the client got a 500. */
  readonly onBug: (error: unknown) => void
}

export interface RunningServer {
  readonly url: string
  /** Stops listening, lets open exchanges end, closes what is left after a moment. */
  readonly close: () => Promise<void>
}

/** How long open exchanges may take to end once the server stops. */
const graceMs = 1000

/** Header values that a client may repeat arrive as lists; they are one value to the host. */
function incoming(request: IncomingMessage, body: string): Incoming {
  const { headers } = request
  return {
    method: request.method ?? 'GET',
    target: request.url ?? '/',
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(',') : value
    },
    body,
  }
}

export function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, log, address, subject } = options
  let base = ''

  function send(response: ServerResponse, reply: Outgoing): void {
    const headers: Record<string, string | number> = { ...reply.headers }
    if (reply.body !== undefined) headers['content-length'] = Buffer.byteLength(reply.body)
    else if (reply.status !== 204) headers['content-length'] = 0
    response.writeHead(reply.status, headers)
    response.end(reply.body)
  }

  /** The request as it is written down; its headers are made into pairs only if somebody looks. */
  function raw(request: IncomingMessage, body: string): ExchangeRequest {
    const { rawHeaders, method = 'GET', url: target = '/' } = request
    return {
      method,
      url: `${base}${target}`,
      get headers() {
        return pairs(rawHeaders)
      },
      ...(body === '' ? {} : { body }),
    }
  }

  function finish(
    request: IncomingMessage,
    response: ServerResponse,
    body: string,
    startedAt: number,
  ): void {
    const seq = log.begin()
    let served: Served
    try {
      options.beforeAnswer()
      served = host.answer(incoming(request, body))
    } catch (error) {
      options.onBug(error)
      served = { reply: host.error('INTERNAL_ERROR', 'something went wrong in Sparring itself') }
    }
    send(response, served.reply)
    log.add(servedExchange({ host, subject, served, seq, startedAt, request: raw(request, body) }))
  }

  /** The body is over the limit: the answer goes out at once, and what still comes is not kept. */
  function tooLarge(request: IncomingMessage, response: ServerResponse, startedAt: number): void {
    const reply = host.error('PAYLOAD_TOO_LARGE', `the body is over ${bodyLimit / 1024 / 1024} MB`)
    response.shouldKeepAlive = false
    send(response, { ...reply, headers: { ...reply.headers, connection: 'close' } })
    const seq = log.begin()
    const served = { reply }
    log.add(servedExchange({ host, subject, served, seq, startedAt, request: raw(request, '') }))
    request.resume()
    // A client that goes on sending is cut off, but not before it could read the answer.
    setTimeout(() => request.destroy(), graceMs).unref()
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = wallNow()
    const { headers } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      finish(request, response, '', startedAt)
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    let over = Number(headers['content-length'] ?? 0) > bodyLimit
    if (over) {
      tooLarge(request, response, startedAt)
      return
    }
    request.on('data', (chunk: Buffer) => {
      if (over) return
      size += chunk.length
      if (size > bodyLimit) {
        over = true
        chunks.length = 0
        tooLarge(request, response, startedAt)
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

  const server: Server = createServer({ keepAliveTimeout: 10_000, requestTimeout: 30_000 }, receive)
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return
    const { status, body = '' } = host.error('INVALID_PAYLOAD', 'the request is no HTTP/1.1')
    socket.end(
      `HTTP/1.1 ${status} Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })

  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenProblem(error, options)))
    server.listen(options.port, address, () => {
      const { port } = server.address() as AddressInfo
      base = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
      resolve({ url: base, close: () => stop(server) })
    })
  })
}

function listenProblem(
  error: NodeJS.ErrnoException,
  { host, address, port }: ServerOptions,
): Error {
  const attempt = `cannot start the ${host.role} on ${address}:${port}`
  if (error.code === 'EADDRINUSE')
    return problem(
      attempt,
      'the port is in use',
      'Choose another with --port, or 0 for any free one.',
    )
  if (error.code === 'EACCES')
    return problem(attempt, 'the port is not allowed', 'Choose a port above 1023 with --port.')
  if (error.code === 'EADDRNOTAVAIL')
    return problem(attempt, 'this machine has no such address', 'Check --host.')
  return problem(attempt, error.message, 'Check --host and --port.')
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), graceMs)
  await closed
  clearTimeout(timer)
}
