/**
 * Control API server: opens and closes the listener through which a running session is watched and steered. Routes are
 * defined elsewhere.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { compact } from '../../base/compact.ts'
import { problem } from '../../base/problem.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import { createHostCheck } from '../server/host-names.ts'
import { listenOn } from '../server/listen-problem.ts'
import { answerUnparsedRequests, requestTimeoutMs } from '../server/unparsed-requests.ts'
import {
  type ControlAnswer,
  type ControlStream,
  type ControlWait,
  errorAnswer,
  noContent,
} from './answer.ts'
import {
  accessOf,
  type AccessPolicy,
  type ControlAccess,
  corsHeaders,
  viewOnlyDenial,
} from './guard.ts'
import { createPositionFeed, lastLookMs, maxViewers, type PositionFeed } from './position-feed.ts'
import { isLoopback, listenUrl } from '../server/loopback.ts'
import { z } from 'zod'
import { err, ok, type Result } from '../../protocol/result.ts'
import { type ControlRoute, createRouteFinder, type RouteFinder, type RouteInput } from './route.ts'
import { createSharedLooks } from './shared-looks.ts'
import { maxStreams, streamChanges } from './stream.ts'
import { createViewerSession } from './viewer-session.ts'
import { checkSchema, schemaErrorsText } from '../files/schema-errors.ts'
import { type OutgoingReply, receivedContent } from '../server/messages.ts'
import { sendBodyAndLinger } from '../server/lingering-close.ts'
import { maxNestingLevels } from '../../protocol/json-value.ts'
import { roundedNumberIn, roundedNumberText } from '../../traffic/json/lossless-json.ts'
import { maxBodyBytes, maxBodyText } from '../server/limits.ts'
import { garbledText, isTooDeep } from '../server/request-body.ts'

const tooLarge = err(
  errorAnswer('PAYLOAD_TOO_LARGE', `the body is over the limit of ${maxBodyText}`),
)

/** Reads the body of a request as text, up to a size limit. */
async function readControlBody(request: IncomingMessage): Promise<Result<string, ControlAnswer>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge
  const chunks: Buffer[] = []
  let bytes = 0
  // The request stays open: the client has to see the 413 before the connection is closed.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) return tooLarge
    chunks.push(chunk)
  }
  const { body, bytes: garbled } = receivedContent(Buffer.concat(chunks))
  return garbled ? err(errorAnswer('INVALID_PAYLOAD', garbledText)) : ok(body)
}

/** The parsed body, whatever its content type: `curl -d` claims a form. An empty body is an empty object. */
function parseControlBody(text: string): Result<unknown, ControlAnswer> {
  if (text.trim() === '') return ok({})
  if (isTooDeep(text))
    return err(
      errorAnswer('INVALID_PAYLOAD', `the body is nested deeper than ${maxNestingLevels} levels`),
    )
  try {
    const rounded = roundedNumberIn(text)
    return rounded === undefined
      ? ok(JSON.parse(text))
      : err(errorAnswer('INVALID_PAYLOAD', roundedNumberText(rounded)))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return err(errorAnswer('INVALID_PAYLOAD', `the body is no JSON: ${why}`))
  }
}

const jsonText = (body: unknown): string => `${JSON.stringify(body)}\n`

function replyOf({ status, body, headers, text: made }: ControlAnswer): OutgoingReply {
  const text = made ?? (body === undefined ? '' : jsonText(body))
  return {
    status,
    headers: {
      ...(text === '' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
      ...(status === 204 ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    },
    body: text,
  }
}

/** Sends an answer of the control API. */
function sendAnswer(response: ServerResponse, answer: ControlAnswer): void {
  const { status, headers, body = '' } = replyOf(answer)
  if (status === 413) {
    response.writeHead(status, { ...headers, connection: 'close' })
    sendBodyAndLinger(response.req, response, body)
    return
  }
  response.writeHead(status, headers)
  response.end(body)
}

/** Maximum number of concurrent waits; each looks at the session again and again. */
export const maxWaits = 32

/** Sends answers that come later: a bounded number at once, each until its client disconnects or the server closes. */
function createWaitResponder(closing: AbortSignal) {
  let waits = 0
  return async ({ wait }: ControlWait, response: ServerResponse): Promise<void> => {
    if (waits >= maxWaits)
      return sendAnswer(response, errorAnswer('UNAVAILABLE', `${maxWaits} requests wait already`))
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    if (response.destroyed) return
    waits++
    try {
      const answer = await wait(AbortSignal.any([gone.signal, closing]))
      if (!response.destroyed) sendAnswer(response, answer)
    } finally {
      waits--
    }
  }
}

interface HandlerOptions {
  readonly session: SessionApi
  readonly routes: readonly ControlRoute[]
  readonly policy: AccessPolicy
  /** Sent with every answer, so that clients notice that another session answers. */
  readonly sessionId: string
  /** Called with internal errors outside of a request. */
  readonly onError: (error: unknown) => void
  /** Aborted to end all streams. */
  readonly closing: AbortSignal
}

/** Header of every answer: differs between any two sessions, and between two starts of one. */
const sessionIdHeader = 'sparring-session'

const noQuery = z.strictObject({})

/** Validates path, query and the text of the body of a request for a route. */
function validateInput(
  route: ControlRoute,
  params: Readonly<Record<string, string>>,
  url: URL,
  text: string,
): Result<RouteInput, ControlAnswer> {
  const path = route.params ? checkSchema(route.params, params, 'the path') : ok(undefined)
  if (!path.ok) return err(errorAnswer('NOT_FOUND', schemaErrorsText(path.error)))
  // Reject unknown parameters also on routes without a query: DELETE /faults?id=1 means one fault, and
  // must not end them all.
  const shape = route.query ?? (route.open ? undefined : noQuery)
  const query = shape
    ? checkSchema(shape, Object.fromEntries(url.searchParams), 'the query')
    : ok(undefined)
  if (!query.ok) return err(errorAnswer('INVALID_PAYLOAD', schemaErrorsText(query.error)))
  if (!route.body) return ok({ params: path.value, query: query.value, body: undefined })
  const read = parseControlBody(text)
  if (!read.ok) return read
  const body = checkSchema(route.body, read.value, 'the body')
  if (!body.ok) return err(errorAnswer('INVALID_PAYLOAD', schemaErrorsText(body.error)))
  return ok({ params: path.value, query: query.value, body: body.value })
}

const noSuchMethod = (method: string, path: string, methods: readonly string[]): ControlAnswer => ({
  ...errorAnswer('METHOD_NOT_ALLOWED', `${path} takes ${methods.join(' and ')}, not ${method}`),
  headers: { allow: methods.join(', ') },
})

class ControlHandler {
  readonly #options: HandlerOptions
  readonly #find: RouteFinder
  readonly #looks = createSharedLooks()
  readonly #positions: PositionFeed
  readonly #sessions: Readonly<Record<ControlAccess, SessionApi>>
  readonly #respondLater: ReturnType<typeof createWaitResponder>
  #streams = 0

  constructor(options: HandlerOptions) {
    this.#options = options
    const { session, sessionId, closing, onError } = options
    const onChange = this.#looks.clear
    this.#find = createRouteFinder(options.routes)
    this.#sessions = { control: session, view: createViewerSession(session) }
    this.#positions = createPositionFeed({ session, sessionId, closing, onChange, onError })
    this.#respondLater = createWaitResponder(closing)
  }

  /** Number of viewers that follow the position of the session. */
  readonly viewers = (): number => this.#positions.viewers()

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { sessionId, policy } = this.#options
    response.setHeader(sessionIdHeader, sessionId)
    for (const [name, value] of Object.entries(corsHeaders(request.headers, policy)))
      response.setHeader(name, value)
    // Prefix the host as text: a request line such as `//elsewhere/x` must not become a host.
    const url = URL.parse(`http://control${request.url ?? '/'}`)
    if (!url)
      return sendAnswer(response, errorAnswer('INVALID_PAYLOAD', 'the request line names no path'))
    const matches = this.#find(url.pathname)
    const open = matches.some(({ route }) => route.open)
    const { method = 'GET' } = request
    // A CORS preflight never carries the token.
    const access = accessOf(request, policy, open || method === 'OPTIONS')
    if (typeof access !== 'string') return sendAnswer(response, access)
    if (method === 'OPTIONS') return sendAnswer(response, { status: 204 })
    if (matches.length === 0)
      return sendAnswer(
        response,
        errorAnswer(
          'NOT_FOUND',
          `the control API has no ${url.pathname}; GET /openapi.json lists what it has`,
        ),
      )
    // HEAD is handled as GET; node drops the body.
    const wanted = method === 'HEAD' ? 'GET' : method
    const match = matches.find(({ route }) => route.method === wanted)
    if (!match)
      return sendAnswer(
        response,
        noSuchMethod(
          method,
          url.pathname,
          matches.map(({ route }) => route.method),
        ),
      )
    if (access === 'view' && wanted !== 'GET' && match.route.reads === undefined)
      return sendAnswer(response, viewOnlyDenial)
    const { route, params } = match
    const text = route.body ? await readControlBody(request) : ok('')
    if (!text.ok) return sendAnswer(response, text.error)
    const age = route.shared ? Number(url.searchParams.get('age') ?? 0) : 0
    const looked = `${access} ${text.value}`
    const shared = age > 0 ? this.#looks.find(looked, age) : undefined
    if (shared !== undefined) return sendAnswer(response, { status: 200, text: shared })
    const input = validateInput(route, params, url, text.value)
    if (!input.ok) return sendAnswer(response, input.error)
    const outcome = await route.answer(this.#sessions[access], input.value)
    if ('wait' in outcome) return this.#respondLater(outcome, response)
    if ('stream' in outcome) return this.#send(outcome, access, request, response)
    if (wanted !== 'GET' && !route.reads) this.#looks.clear()
    if (age === 0) return sendAnswer(response, outcome)
    const made = jsonText(outcome.body)
    this.#looks.keep(looked, made)
    return sendAnswer(response, { ...outcome, text: made })
  }

  async #streamTo(
    { after }: Extract<ControlStream, { readonly stream: 'changes' }>,
    access: ControlAccess,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (this.#streams >= maxStreams)
      return sendAnswer(
        response,
        errorAnswer('UNAVAILABLE', `${maxStreams} streams are open already`),
      )
    this.#streams++
    try {
      const { closing } = this.#options
      await streamChanges(this.#sessions[access], request, response, { after, closing })
    } finally {
      this.#streams--
    }
  }

  #send(
    wanted: ControlStream,
    access: ControlAccess,
    request: IncomingMessage,
    response: ServerResponse,
  ): void | Promise<void> {
    if (request.method === 'HEAD') return sendAnswer(response, noContent)
    if (wanted.stream === 'changes') return this.#streamTo(wanted, access, request, response)
    return this.#positions.viewers() >= maxViewers
      ? sendAnswer(response, errorAnswer('UNAVAILABLE', `${maxViewers} viewers are there already`))
      : this.#positions.follow(response, access)
  }
}

export interface ControlOptions {
  readonly session: SessionApi
  readonly host: string
  /** 0 chooses a free port. */
  readonly port: number
  /** Names of this server besides its address and the loopback names. */
  readonly allowedHosts?: readonly string[]
  /** Allowed CORS origins; all other pages are refused. */
  readonly allowedOrigins?: readonly string[]
  /** Bearer token that requests need; generated when listening beyond loopback and absent. */
  readonly token?: string
  /**
   * Bearer token that allows what changes nothing; with it, requests need a token on loopback too. Generated where the other
   * one is.
   */
  readonly viewToken?: string
  /** Called with internal errors, before they are answered with 500. */
  readonly onBug?: (error: unknown) => void
}

export interface ControlServer {
  readonly url: string
  /** Present when requests need one. */
  readonly token?: string
  readonly viewToken?: string
  readonly close: () => Promise<void>
}

/** Grace period for open requests on close. */
const graceMs = 200

const randomToken = (): string => randomBytes(24).toString('base64url')

/** The tokens that requests need; where none is set, and one is needed, both are generated. */
function tokensOf({
  host,
  token,
  viewToken,
}: ControlOptions): Pick<ControlServer, 'token' | 'viewToken'> {
  if (token === viewToken && token !== undefined)
    throw problem(
      'starting the control API',
      'the token for viewers is the one that allows everything',
      'Choose two different ones for --token and --view-token.',
    )
  const isNeeded = token === undefined && !isLoopback(host)
  return compact({
    token: token ?? (isNeeded || viewToken !== undefined ? randomToken() : undefined),
    viewToken: viewToken ?? (isNeeded ? randomToken() : undefined),
  })
}

export async function startControl(options: ControlOptions): Promise<ControlServer> {
  const { session, host, port } = options
  const tokens = tokensOf(options)
  const policy: AccessPolicy = {
    host,
    isOurHost: createHostCheck(host, options.allowedHosts ?? []),
    allowedOrigins: options.allowedOrigins ?? [],
    ...tokens,
  }
  const closing = new AbortController()
  let loading: Promise<ControlHandler> | undefined

  /** Routes and their schemas are loaded with the first request, so that they do not delay the start. */
  async function load(): Promise<ControlHandler> {
    const { controlRoutes: routes } = await import('./routes.ts')
    return new ControlHandler({
      session,
      routes,
      policy,
      sessionId: randomBytes(9).toString('base64url'),
      closing: closing.signal,
      onError: (error) => options.onBug?.(error),
    })
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    loading ??= load()
    await (await loading).handle(request, response)
  }

  // requireHostHeader is off: node would answer by itself, without the error body.
  const limits = { requestTimeout: requestTimeoutMs, requireHostHeader: false }
  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A client that disconnected mid-request is no bug.
      if (response.destroyed) return
      options.onBug?.(error)
      const message = error instanceof Error ? error.message : String(error)
      if (response.headersSent) response.destroy()
      else sendAnswer(response, errorAnswer('INTERNAL_ERROR', message))
    })
  })
  server.on('checkExpectation', (request, response) => {
    const message = `Expect: ${request.headers.expect} is not fulfilled; leave it out`
    sendAnswer(response, errorAnswer('INVALID_PAYLOAD', message, 417))
  })
  answerUnparsedRequests(server, {
    replyTo: ({ code, message, status }) => replyOf(errorAnswer(code, message, status)),
  })
  const chosen = await listenOn(server, 'the control API', { address: host, port })
  return {
    url: listenUrl(host, chosen),
    ...tokens,
    async close() {
      closing.abort()
      const viewers = loading === undefined ? 0 : (await loading).viewers()
      if (viewers > 0) await new Promise((resolve) => setTimeout(resolve, lastLookMs))
      await new Promise<void>((resolve) => {
        // Streams end by the signal; readers that do not read to the end are cut off.
        const forceClose = setTimeout(() => server.closeAllConnections(), graceMs)
        server.close(() => {
          clearTimeout(forceClose)
          resolve()
        })
        server.closeIdleConnections()
      })
    },
  }
}
