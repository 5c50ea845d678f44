/**
 * Recording reverse proxy: forwards bytes unchanged in both directions and logs a copy. It answers itself only when
 * the target cannot be reached.
 */
import { compact } from '../../compact.ts'
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type ServerResponse,
} from 'node:http'
import { Agent as SecureAgent, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Exchange, ExchangeRequest, Party } from '../../traffic/exchange.ts'
import type { TrafficLog } from '../../traffic/log.ts'
import { failedOutcome } from '../client/call-outcome.ts'
import { cannotListen } from '../server/listen-problem.ts'
import { wallNow } from '../clock/clock.ts'
import { listenUrl } from '../server/loopback.ts'
import { headerValue, headerPairs } from '../server/messages.ts'
import { type BodyTap, createBodyTap } from './body-tap.ts'
import { endToEndHeaders, withoutAcceptEncoding } from './hop-by-hop.ts'
import { forwardTo } from './forward-target.ts'
import { forwardRewritten } from './rewrite-address.ts'

export interface ProxyOptions {
  /** Base URL of the target. */
  readonly target: string
  /** Caller and callee. */
  readonly from: Party
  readonly to: Party
  readonly log: TrafficLog
  /** Adds operation and correlation to an exchange after it has ended. */
  readonly recognise: (exchange: Exchange) => Exchange
  readonly address: string
  readonly port: number
  /** Creates an HTTPS server. */
  readonly secure?: typeof createServer | undefined
  /** Trusted certificates, when more than the machine's own authorities. */
  readonly trust?: SecureContext | undefined
  /** Forwards the Host header unchanged instead of the target's. */
  readonly keepHost?: boolean
  /**
   * Responses to these paths have the target's address replaced by ours, so that a client that follows a manifest does
   * not bypass the proxy. Nothing else is ever changed.
   */
  readonly rewrites?: ((path: string) => boolean) | undefined
  readonly onBug: (error: unknown) => void
}

export interface RunningProxy {
  /** The proxy's own base URL. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** Grace period for open exchanges when the proxy stops. */
const graceMs = 1000

/** Idle connections are not reused after this: many servers close theirs after five seconds. */
const idleMs = 4000

/** Safe to repeat: an idempotent read without a body. */
const isRepeatable = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0

interface Ended {
  /** When its first bytes arrived. */
  readonly beganAt: number
  readonly status: number
  readonly headers: Exchange['request']['headers']
  readonly tap: BodyTap
}

export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, from, to, log, address, port } = options
  const base = new URL(target)
  const onward = forwardTo(target)
  const keep = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: idleMs }
  const isSecure = base.protocol === 'https:'
  const agent = isSecure
    ? new SecureAgent({ ...keep, ...compact({ secureContext: options.trust }) })
    : new Agent(keep)
  const send = isSecure ? httpsRequest : httpRequest
  /** Exchanges still to be logged. */
  const open = new Set<Promise<void>>()
  let isClosing = false
  let ownUrl = ''

  function forwardRequest(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = wallNow()
    const seq = log.begin({ startedAt, soFar: () => ({ from, to, request: requestHead(request) }) })
    const sent = createBodyTap()
    let isOver = false
    let sentMs: number | undefined
    let answered: Ended | undefined

    const { options: there, path } = onward(request.url ?? '/')
    const rewritten = options.rewrites?.(path) ?? false
    // A flat list is sent as is: order, spelling and duplicates are kept.
    const headers = endToEndHeaders(request.rawHeaders, options.keepHost ? undefined : base.host)
    const { method } = request
    const start = (): ClientRequest =>
      send({
        ...there,
        method,
        agent,
        headers: rewritten ? withoutAcceptEncoding(headers) : headers,
      })
    let outgoing = start()

    function end(reply: Ended | undefined, problem?: Error): void {
      if (isOver) return
      isOver = true
      const tookMs = wallNow() - startedAt
      const work = logExchange(request, { seq, startedAt, sentMs, tookMs, sent, reply, problem })
        .catch(options.onBug)
        .finally(() => open.delete(work))
      open.add(work)
    }

    request.on('data', (chunk: Buffer) => sent.take(chunk))
    request.on('end', () => (sentMs = wallNow() - startedAt))

    /** The target closed a kept-alive connection as it was reused: it has not seen the request. */
    const wasStale = (call: ClientRequest, code: string | undefined): boolean =>
      call.reusedSocket && code === 'ECONNRESET' && !answered && !isOver && isRepeatable(request)

    function listen(call: ClientRequest): void {
      call.on('response', (answer) => {
        answered = responseHead(answer)
        try {
          forwardResponse(answer, response, { over: end, rewritten, ended: answered })
        } catch (error) {
          // Node parses what it refuses to write, a status of 99 for instance.
          end(answered, error instanceof Error ? error : new Error(String(error)))
          answer.destroy()
          refuse(response, 'pass on the answer of', error)
        }
      })
      call.on('error', (error: NodeJS.ErrnoException) => {
        if (wasStale(call, error.code)) {
          outgoing = start()
          listen(outgoing)
          outgoing.end()
          return
        }
        end(answered, error)
        refuse(response, 'reach', error)
      })
    }

    listen(outgoing)
    request.pipe(outgoing)
    // The caller closed the connection: stop.
    response.on('close', () => {
      // Close kept-alive connections, which would delay the shutdown.
      if (isClosing) setImmediate(() => server.closeIdleConnections())
      if (response.writableFinished) return
      end(answered, Object.assign(new Error('the caller hung up'), { code: 'CALLER_GONE' }))
      outgoing.destroy()
    })
    // Reported by the other stream already; without a handler it would end the process.
    request.on('error', () => outgoing.destroy())
  }

  function forwardResponse(
    answer: IncomingMessage,
    response: ServerResponse,
    { over: end, rewritten, ended }: Passing,
  ): void {
    answer.on('data', (chunk: Buffer) => ended.tap.take(chunk))
    answer.on('end', () => end(ended))
    answer.on('error', (error) => {
      end(ended, error)
      response.destroy()
    })
    if (rewritten) {
      forwardRewritten(answer, response, { from: target.replace(/\/+$/, ''), to: ownUrl })
      return
    }
    response.writeHead(ended.status, answer.statusMessage ?? '', endToEndHeaders(answer.rawHeaders))
    answer.pipe(response)
  }

  /** The request without its body. */
  const requestHead = ({
    method = 'GET',
    url = '/',
    rawHeaders,
  }: IncomingMessage): ExchangeRequest => ({
    method,
    url: onward(url).url,
    headers: headerPairs(rawHeaders),
  })

  async function logExchange(
    request: IncomingMessage,
    { seq, startedAt, sentMs, tookMs, sent, reply, problem }: Over,
  ): Promise<void> {
    const whole = requestHead(request)
    const body = await sent.body(headerValue(whole.headers, 'content-encoding'))
    const got = await reply?.tap.body(headerValue(reply.headers, 'content-encoding'))
    log.add(
      options.recognise({
        seq,
        startedAt,
        tookMs,
        ...compact({ sentMs }),
        ...(reply ? { repliedMs: reply.beganAt - startedAt } : {}),
        from,
        to,
        request: { ...whole, ...body },
        ...(reply ? { reply: { status: reply.status, headers: reply.headers, ...got } } : {}),
        ...(problem ? { failure: failureOf(problem) } : {}),
      }),
    )
  }

  function refuse(response: ServerResponse, what: string, error: unknown): void {
    if (response.headersSent) {
      response.destroy()
      return
    }
    const { code, message } = failedOutcome(error)
    const text = `sparring record could not ${what} ${base.origin}: ${message} (${code})\n`
    response.writeHead(502, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(text),
      'x-sparring-proxy': 'unreachable',
    })
    response.end(text)
  }

  const server = (options.secure ?? createServer)(forwardRequest)
  // Timeouts are left to the two sides.
  server.requestTimeout = 0
  server.on('clientError', (_error, socket) => void socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen('recording', address, port, error)))
    server.listen(port, address, resolve)
  })
  const { port: chosen } = server.address() as AddressInfo
  ownUrl = listenUrl(address, chosen, options.secure ? 'https' : 'http')

  return {
    url: ownUrl,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(late)
      agent.destroy()
      // Wait until all exchanges are logged, before the recording ends.
      await Promise.all(open)
    },
  }
}

/** Status and headers; the body is collected by the tap. */
const responseHead = ({ statusCode = 0, rawHeaders }: IncomingMessage): Ended => ({
  status: statusCode,
  headers: headerPairs(rawHeaders),
  tap: createBodyTap(),
  beganAt: wallNow(),
})

interface Passing {
  readonly over: (reply: Ended | undefined, problem?: Error) => void
  readonly ended: Ended
  readonly rewritten: boolean
}

interface Over {
  readonly seq: number
  readonly startedAt: number
  readonly sentMs: number | undefined
  readonly tookMs: number
  readonly sent: BodyTap
  readonly reply: Ended | undefined
  readonly problem: Error | undefined
}

function failureOf(error: Error): { readonly code: string; readonly message: string } {
  const { code, message } = failedOutcome(error)
  return { code, message }
}
