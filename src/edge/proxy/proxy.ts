/**
 * Stands between two sides and writes down what they say: bytes go through as they come, both ways, and only a copy is
 * looked at. It answers itself only when the other side cannot be reached.
 */
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
import { failure } from '../client/call-outcome.ts'
import { cannotListen } from '../server/listen-problem.ts'
import { wallNow } from '../clock/clock.ts'
import { urlOf } from '../server/loopback.ts'
import { headerOf, pairs } from '../server/messages.ts'
import { type BodyTap, createBodyTap } from './body-tap.ts'
import { goingOn } from './hop-by-hop.ts'
import { onwardTo } from './onward.ts'
import { passRewritten } from './rewrite.ts'

export interface ProxyOptions {
  /** Where it all goes. */
  readonly target: string
  /** Who calls, and who is called. */
  readonly from: Party
  readonly to: Party
  readonly log: TrafficLog
  /** Says what an exchange was, once it is over. */
  readonly recognise: (exchange: Exchange) => Exchange
  readonly address: string
  readonly port: number
  /** Makes a server that speaks HTTPS. */
  readonly secure?: typeof createServer | undefined
  /** What certificates are checked against, where that is more than the machine's own authorities. */
  readonly trust?: SecureContext | undefined
  /** The Host header goes on as it came, in place of the target's. */
  readonly keepHost?: boolean
  /**
   * Answers to these paths say our address where they said the target's own. Nothing else is ever changed: but whoever
   * follows a manifest to the partner's address goes past us.
   */
  readonly rewrites?: ((path: string) => boolean) | undefined
  readonly onBug: (error: unknown) => void
}

export interface RunningProxy {
  /** What the caller is told to call. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** How long open exchanges may take to end once the proxy stops. */
const graceMs = 1000

/** A connection that was idle for so long is not used again: many a server closes its side after five seconds. */
const idleMs = 4000

/** Asking once more changes nothing, and there is no body that would have to be sent again. */
const isRepeatable = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0

interface Ended {
  /** When its first bytes came. */
  readonly beganAt: number
  readonly status: number
  readonly headers: Exchange['request']['headers']
  readonly tap: BodyTap
}

export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { target, from, to, log, address, port } = options
  const base = new URL(target)
  const onward = onwardTo(target)
  const keep = { keepAlive: true, maxSockets: 256, maxFreeSockets: 64, timeout: idleMs }
  const isSecure = base.protocol === 'https:'
  const agent = isSecure
    ? new SecureAgent({ ...keep, ...(options.trust ? { secureContext: options.trust } : {}) })
    : new Agent(keep)
  const send = isSecure ? httpsRequest : httpRequest
  /** Exchanges that are still to be written down. */
  const open = new Set<Promise<void>>()
  let isClosing = false
  let own = ''

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const startedAt = wallNow()
    const seq = log.begin({ startedAt, soFar: () => ({ from, to, request: asked(request) }) })
    const sent = createBodyTap()
    let isOver = false
    let sentMs: number | undefined
    let answered: Ended | undefined

    const { options: there, path } = onward(request.url ?? '/')
    const rewritten = options.rewrites?.(path) ?? false
    // A flat list goes out as it stands: order, spelling and duplicates.
    const headers = goingOn(request.rawHeaders, options.keepHost ? undefined : base.host)
    const { method } = request
    const start = (): ClientRequest =>
      send({ ...there, method, agent, headers: rewritten ? inPlain(headers) : headers })
    let outgoing = start()

    function over(reply: Ended | undefined, problem?: Error): void {
      if (isOver) return
      isOver = true
      const tookMs = wallNow() - startedAt
      const work = written(request, { seq, startedAt, sentMs, tookMs, sent, reply, problem })
        .catch(options.onBug)
        .finally(() => open.delete(work))
      open.add(work)
    }

    request.on('data', (chunk: Buffer) => sent.take(chunk))
    request.on('end', () => (sentMs = wallNow() - startedAt))

    /** The other side closed the connection while we took it up again: nobody there has seen the request. */
    const wasStale = (call: ClientRequest, code: string | undefined): boolean =>
      call.reusedSocket && code === 'ECONNRESET' && !answered && !isOver && isRepeatable(request)

    function listen(call: ClientRequest): void {
      call.on('response', (answer) => {
        answered = endedOf(answer)
        try {
          passBack(answer, response, { over, rewritten, ended: answered })
        } catch (error) {
          // Node reads what it refuses to write, a status of 99 for instance.
          over(answered, error instanceof Error ? error : new Error(String(error)))
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
        over(answered, error)
        refuse(response, 'reach', error)
      })
    }

    listen(outgoing)
    request.pipe(outgoing)
    // Whoever hangs up is not waited for any more.
    response.on('close', () => {
      // A connection that is kept for the next call would hold up the end.
      if (isClosing) setImmediate(() => server.closeIdleConnections())
      if (response.writableFinished) return
      over(answered, Object.assign(new Error('the caller hung up'), { code: 'CALLER_GONE' }))
      outgoing.destroy()
    })
    // An error of the one stream, told by the other already, must not end the process.
    request.on('error', () => outgoing.destroy())
  }

  function passBack(
    answer: IncomingMessage,
    response: ServerResponse,
    { over, rewritten, ended }: Passing,
  ): void {
    answer.on('data', (chunk: Buffer) => ended.tap.take(chunk))
    answer.on('end', () => over(ended))
    answer.on('error', (error) => {
      over(ended, error)
      response.destroy()
    })
    if (rewritten) {
      passRewritten(answer, response, { from: target.replace(/\/+$/, ''), to: own })
      return
    }
    response.writeHead(ended.status, answer.statusMessage ?? '', goingOn(answer.rawHeaders))
    answer.pipe(response)
  }

  /** The request as far as its head tells. */
  const asked = ({ method = 'GET', url = '/', rawHeaders }: IncomingMessage): ExchangeRequest => ({
    method,
    url: onward(url).url,
    headers: pairs(rawHeaders),
  })

  async function written(
    request: IncomingMessage,
    { seq, startedAt, sentMs, tookMs, sent, reply, problem }: Over,
  ): Promise<void> {
    const whole = asked(request)
    const body = await sent.body(headerOf(whole.headers, 'content-encoding'))
    const got = await reply?.tap.body(headerOf(reply.headers, 'content-encoding'))
    log.add(
      options.recognise({
        seq,
        startedAt,
        tookMs,
        ...(sentMs === undefined ? {} : { sentMs }),
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
    const { code, message } = failure(error)
    const told = `sparring record could not ${what} ${base.origin}: ${message} (${code})\n`
    response.writeHead(502, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(told),
      'x-sparring-proxy': 'unreachable',
    })
    response.end(told)
  }

  const server = (options.secure ?? createServer)(pass)
  // How long something may take is for the two sides to say.
  server.requestTimeout = 0
  server.on('clientError', (_error, socket) => void socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen('recording', address, port, error)))
    server.listen(port, address, resolve)
  })
  const { port: chosen } = server.address() as AddressInfo
  own = urlOf(address, chosen, options.secure ? 'https' : 'http')

  return {
    url: own,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      const late = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(late)
      agent.destroy()
      // What was said is written down before the recording ends.
      await Promise.all(open)
    },
  }
}

/** As far as its head tells; the rest comes into the tap. */
const endedOf = ({ statusCode = 0, rawHeaders }: IncomingMessage): Ended => ({
  status: statusCode,
  headers: pairs(rawHeaders),
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

/** Asks for an answer that can be read. */
function inPlain(headers: readonly string[]): string[] {
  const plain: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2)
    if (headers[at]?.toLowerCase() !== 'accept-encoding')
      plain.push(headers[at] ?? '', headers[at + 1] ?? '')
  return plain
}

function failureOf(error: Error): { readonly code: string; readonly message: string } {
  const { code, message } = failure(error)
  return { code, message }
}
