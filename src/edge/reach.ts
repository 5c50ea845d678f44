/** The ways to another side, all of one shape: a socket, or a fetch-style function in this process. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import type * as Https from 'node:https'
import type { SecureContext } from 'node:tls'
import { type InboundReply, type OutboundRequest, pairs, type Reach } from './messages.ts'
import { bodyLimit, bodyLimitText } from './limits.ts'

class CallFailure extends Error {
  override readonly name = 'CallFailure'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const tooLarge = (): CallFailure =>
  new CallFailure('TOO_LARGE', `the answer is over ${bodyLimitText}`)

const tooLate = (withinMs: number): CallFailure =>
  new CallFailure('TIMEOUT', `no answer within ${withinMs / 1000} s`)

function read(response: IncomingMessage): Promise<InboundReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > bodyLimit) response.destroy(tooLarge())
      else chunks.push(chunk)
    })
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: pairs(response.rawHeaders),
        body: Buffer.concat(chunks).toString('utf8'),
      }),
    )
    response.on('error', reject)
  })
}

export interface SocketReach {
  readonly reach: Reach
  readonly close: () => void
}

export interface ReachOptions {
  /** How long another side may take to answer (LIM-UND-02). */
  readonly timeoutMs: number
  /** What certificates are checked against, where that is more than the machine's own authorities. */
  readonly trust?: SecureContext | undefined
}

interface Way {
  readonly request: typeof httpRequest
  readonly agent: HttpAgent
  readonly timeoutMs: number
}

function ask(
  { request: start, agent, timeoutMs }: Way,
  asked: OutboundRequest,
): Promise<InboundReply> {
  const { method, url, headers, body } = asked
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const request = start(
      url,
      { method, agent, headers: { ...headers, ...length } },
      (response) => {
        read(response).then(resolve, reject)
      },
    )
    request.setTimeout(timeoutMs, () => request.destroy(tooLate(timeoutMs)))
    request.on('error', reject)
    request.end(body)
  })
}

/** Over sockets, with connections kept and used again. */
export function createSocketReach({ timeoutMs, trust }: ReachOptions): SocketReach {
  const keep = { keepAlive: true, maxSockets: 64, maxFreeSockets: 64 }
  const plain: Way = { request: httpRequest, agent: new HttpAgent(keep), timeoutMs }
  let loading: Promise<Way> | undefined
  let secure: Way | undefined

  /** Encryption is loaded with the first call that needs it: most sessions never leave this machine. */
  async function encrypted(): Promise<Way> {
    const { Agent, request }: typeof Https = await import('node:https')
    // Read once for all connections, not for every one of them.
    const agent = new Agent({ ...keep, ...(trust ? { secureContext: trust } : {}) })
    secure = { request, agent, timeoutMs }
    return secure
  }

  async function overHttps(asked: OutboundRequest): Promise<InboundReply> {
    loading ??= encrypted()
    return ask(await loading, asked)
  }

  return {
    reach: (asked) => (asked.url.startsWith('https:') ? overHttps(asked) : ask(plain, asked)),
    close: () => {
      plain.agent.destroy()
      secure?.agent.destroy()
    },
  }
}

/** Through a fetch-style function: the user's handler in this process, or the platform's fetch. */
export const fetchReach =
  (handler: (request: Request) => Promise<Response>, timeoutMs: number): Reach =>
  async ({ method, url, headers, body }: OutboundRequest) => {
    const request = new Request(url, {
      method,
      headers,
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    })
    const answer = async (): Promise<InboundReply> => {
      const response = await handler(request)
      const text = await response.text()
      if (text.length > bodyLimit) throw tooLarge()
      return { status: response.status, headers: [...response.headers], body: text }
    }
    return inTime(answer(), timeoutMs)
  }

/** A handler that never answers must not hold up the session for ever: it has as long as a socket has. */
async function inTime<Value>(answer: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(timeoutMs)), timeoutMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
