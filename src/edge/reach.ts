/** The ways to another side, all of one shape: a socket, or a fetch-style function in this process. */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type InboundReply, type OutboundRequest, pairs, type Reach } from './messages.ts'
import { bodyLimit, bodyLimitText } from './limits.ts'

/** How long another side may take to answer (LIM-UND-02). */
export const answerTimeoutMs = 10_000

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

const tooLate = (): CallFailure =>
  new CallFailure('TIMEOUT', `no answer within ${answerTimeoutMs / 1000} s`)

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

/** Over sockets, with connections kept and used again. */
export function createSocketReach(): SocketReach {
  const keep = { keepAlive: true, maxSockets: 64, maxFreeSockets: 64 }
  const plain = new HttpAgent(keep)
  const secure = new HttpsAgent(keep)

  const reach: Reach = ({ method, url, headers, body }) =>
    new Promise((resolve, reject) => {
      const https = url.startsWith('https:')
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const request = (https ? httpsRequest : httpRequest)(
        url,
        { method, agent: https ? secure : plain, headers: { ...headers, ...length } },
        (response) => {
          read(response).then(resolve, reject)
        },
      )
      request.setTimeout(answerTimeoutMs, () => request.destroy(tooLate()))
      request.on('error', reject)
      request.end(body)
    })

  return {
    reach,
    close: () => {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** Through a fetch-style function: the user's handler in this process, or the platform's fetch. */
export const fetchReach =
  (handler: (request: Request) => Promise<Response>): Reach =>
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
    return inTime(answer())
  }

/** A handler that never answers must not hold up the session for ever: it has as long as a socket has. */
async function inTime<Value>(answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate()), answerTimeoutMs)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
