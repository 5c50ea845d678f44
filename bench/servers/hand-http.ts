/**
 * Shared by the hand-written servers, as one would write it for a single service on plain node:http: token with expiry
 * and scope, JSON bodies, idempotency by X-Request-Id. No router, no traffic log and no agenda: each service adds its
 * few calls and one delay queue.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serveIpc } from '../ipc.ts'
import type { DelayQueue } from './hand-queue.ts'
import { measureMemory, measureCpu } from './process-usage.ts'

export interface HandReply {
  readonly status: number
  readonly body?: string
}

export interface HandService {
  /** The scope that a token must have. */
  readonly scope: string
  readonly get: (path: string, query: string) => HandReply
  readonly post: (path: string, query: string, body: unknown) => HandReply
  /** The error reply when a limit is exceeded, otherwise undefined; `bytes` is the size of the body. */
  readonly checkLimits?: (bytes: number) => HandReply | undefined
  /** Pending effects. */
  readonly delayQueue?: DelayQueue
  /** Creates `count` entities; returns their ids. */
  readonly create?: (count: number) => readonly string[]
  /** Called once with the base URL. */
  readonly onListening?: (base: string) => void
}

export const jsonReply = (status: number, value?: unknown): HandReply =>
  value === undefined ? { status } : { status, body: JSON.stringify(value) }

export const problemReply = (status: number, code: string, message = code): HandReply =>
  jsonReply(status, { error: { code, message, retryable: false } })

export const invalidPayloadReply = (): HandReply => problemReply(400, 'INVALID_PAYLOAD')
export const notFoundReply = (code = 'NOT_FOUND'): HandReply => problemReply(404, code)

interface StoredReply {
  readonly text: string
  readonly answer: HandReply
}

const maxBodyBytes = 10 * 1024 * 1024
const maxStoredReplies = 10_000

/** Effects due within this many milliseconds are waited for. */
const soonMs = 2000

const token: string = crypto.randomUUID()

function reply(response: ServerResponse, { status, body }: HandReply): void {
  const headers: Record<string, string | number> = {}
  if (body !== undefined) {
    headers['content-type'] = 'application/json; charset=utf-8'
    headers['content-length'] = Buffer.byteLength(body)
  } else if (status !== 204) headers['content-length'] = 0
  const requestId = response.req.headers['x-request-id']
  if (requestId !== undefined) headers['x-request-id'] = String(requestId).slice(0, 200)
  response.writeHead(status, headers)
  response.end(body)
}

/** Listens, and serves the IPC calls of the bench. */
export function serveByHand(service: HandService): void {
  const { scope, delayQueue: later } = service
  const tokens = new Map([[token, { until: Date.now() + 3_600_000, scopes: new Set([scope]) }]])
  const storedReplies = new Map<string, StoredReply>()

  /** The error reply to an unauthorized request; undefined when it is authorized. */
  function authorize({ headers }: IncomingMessage): HandReply | undefined {
    const { authorization } = headers
    const granted = authorization?.startsWith('Bearer ')
      ? tokens.get(authorization.slice(7))
      : undefined
    if (!granted || granted.until <= Date.now()) return problemReply(401, 'UNAUTHORIZED')
    return granted.scopes.has(scope) ? undefined : problemReply(403, 'FORBIDDEN')
  }

  function post(url: string, text: string): HandReply {
    let body: unknown = {}
    try {
      if (text !== '') body = JSON.parse(text)
    } catch {
      return invalidPayloadReply()
    }
    const queryStart = url.indexOf('?')
    return queryStart === -1
      ? service.post(url, '', body)
      : service.post(url.slice(0, queryStart), url.slice(queryStart + 1), body)
  }

  /** Idempotency: a repeated X-Request-Id gets the stored reply, and the call has no second effect. */
  function postOnce(url: string, requestId: string, text: string): HandReply {
    const key = `${url} ${requestId}`
    const before = storedReplies.get(key)
    if (before) return before.text === text ? before.answer : problemReply(409, 'CONFLICT')
    const fresh = post(url, text)
    storedReplies.set(key, { text, answer: fresh })
    const [oldest] = storedReplies.size > maxStoredReplies ? storedReplies.keys() : []
    if (oldest !== undefined) storedReplies.delete(oldest)
    return fresh
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const forbidden = authorize(request)
    if (forbidden) return reply(response, forbidden)
    const { method, url = '/' } = request
    if (method !== 'POST') {
      const refused = service.checkLimits?.(0)
      if (refused) return reply(response, refused)
      const queryStart = url.indexOf('?')
      const [path, query] =
        queryStart === -1 ? [url, ''] : [url.slice(0, queryStart), url.slice(queryStart + 1)]
      return reply(response, method === 'GET' ? service.get(path, query) : notFoundReply())
    }
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxBodyBytes) chunks.push(chunk)
    })
    request.on('end', () => {
      if (size > maxBodyBytes) return reply(response, problemReply(413, 'PAYLOAD_TOO_LARGE'))
      const refused = service.checkLimits?.(size)
      if (refused) return reply(response, refused)
      const text = Buffer.concat(chunks).toString()
      const requestId = request.headers['x-request-id']
      reply(
        response,
        requestId === undefined ? post(url, text) : postOnce(url, String(requestId), text),
      )
    })
  }

  async function calm(): Promise<object> {
    while ((later?.nextAt() ?? Number.POSITIVE_INFINITY) < Date.now() + soonMs)
      await new Promise((resolve) => setTimeout(resolve, 10))
    return {}
  }

  const server = createServer(receive)
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    service.onListening?.(`http://127.0.0.1:${port}`)
    serveIpc(
      {
        usage: measureCpu,
        memory: measureMemory,
        calm,
        ...(service.create ? { create: ({ count }) => service.create?.(count) ?? [] } : {}),
        stop: () => ({}),
      },
      { port, token },
    )
  })
}
