/**
 * What the hand-written servers have in common, as one would write it for a single service on plain node:http: the token
 * with its end and its scope, the body as JSON, a call that comes again under its X-Request-Id answered as before. It has
 * no router, no log of traffic and no agenda: each service brings its few calls, and what is due later in one queue.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../asks.ts'
import type { DueQueue } from './hand-queue.ts'
import { memory, usage } from './report.ts'

export interface HandAnswer {
  readonly status: number
  readonly body?: string
}

export interface HandService {
  /** What a token must be good for. */
  readonly scope: string
  readonly get: (path: string, query: string) => HandAnswer
  readonly post: (path: string, query: string, body: unknown) => HandAnswer
  /** Why a request is not answered at all; undefined when it is. */
  readonly refuses?: (bytes: number) => HandAnswer | undefined
  /** What takes effect later. */
  readonly later?: DueQueue
  /** Makes so many of what the calls are about; answers their names. */
  readonly create?: (count: number) => readonly string[]
  /** Hears where it is answered, once. */
  readonly up?: (base: string) => void
}

export const answered = (status: number, value?: unknown): HandAnswer =>
  value === undefined ? { status } : { status, body: JSON.stringify(value) }

export const problem = (status: number, code: string, message = code): HandAnswer =>
  answered(status, { error: { code, message, retryable: false } })

export const invalid = (): HandAnswer => problem(400, 'INVALID_PAYLOAD')
export const notFound = (code = 'NOT_FOUND'): HandAnswer => problem(404, code)

interface Known {
  readonly text: string
  readonly answer: HandAnswer
}

const mostBytes = 10 * 1024 * 1024
const mostKnown = 10_000

/** What is due this soon is waited for. */
const soonMs = 2000

const token: string = crypto.randomUUID()

function reply(response: ServerResponse, { status, body }: HandAnswer): void {
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

/** Listens, and answers the bench's questions. */
export function serve(service: HandService): void {
  const { scope, later } = service
  const tokens = new Map([[token, { until: Date.now() + 3_600_000, scopes: new Set([scope]) }]])
  const known = new Map<string, Known>()

  /** The answer to a request without the right to it; undefined when it has that. */
  function forbids({ headers }: IncomingMessage): HandAnswer | undefined {
    const { authorization } = headers
    const granted = authorization?.startsWith('Bearer ')
      ? tokens.get(authorization.slice(7))
      : undefined
    if (!granted || granted.until <= Date.now()) return problem(401, 'UNAUTHORIZED')
    return granted.scopes.has(scope) ? undefined : problem(403, 'FORBIDDEN')
  }

  function post(url: string, text: string): HandAnswer {
    let body: unknown = {}
    try {
      if (text !== '') body = JSON.parse(text)
    } catch {
      return invalid()
    }
    const mark = url.indexOf('?')
    return mark === -1
      ? service.post(url, '', body)
      : service.post(url.slice(0, mark), url.slice(mark + 1), body)
  }

  /** A call that came before under its X-Request-Id is answered as it was, and does not happen again. */
  function once(url: string, requestId: string, text: string): HandAnswer {
    const key = `${url} ${requestId}`
    const before = known.get(key)
    if (before) return before.text === text ? before.answer : problem(409, 'CONFLICT')
    const fresh = post(url, text)
    known.set(key, { text, answer: fresh })
    const [oldest] = known.size > mostKnown ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return fresh
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const forbidden = forbids(request)
    if (forbidden) return reply(response, forbidden)
    const { method, url = '/' } = request
    if (method !== 'POST') {
      const refused = service.refuses?.(0)
      if (refused) return reply(response, refused)
      const mark = url.indexOf('?')
      const [path, query] = mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)]
      return reply(response, method === 'GET' ? service.get(path, query) : notFound())
    }
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= mostBytes) chunks.push(chunk)
    })
    request.on('end', () => {
      if (size > mostBytes) return reply(response, problem(413, 'PAYLOAD_TOO_LARGE'))
      const refused = service.refuses?.(size)
      if (refused) return reply(response, refused)
      const text = Buffer.concat(chunks).toString()
      const requestId = request.headers['x-request-id']
      reply(
        response,
        requestId === undefined ? post(url, text) : once(url, String(requestId), text),
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
    service.up?.(`http://127.0.0.1:${port}`)
    answer(
      {
        usage,
        memory,
        calm,
        ...(service.create ? { create: ({ count }) => service.create?.(count) ?? [] } : {}),
        stop: () => ({}),
      },
      { port, token },
    )
  })
}
