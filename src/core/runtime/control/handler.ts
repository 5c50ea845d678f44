/** Handles one request of the control API: access check, routing, validation, response. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { SessionApi } from '../../session-api/session-api.ts'
import { type ControlAnswer, type ControlStream, errorAnswer, noContent } from './answer.ts'
import { parseControlBody, readBodyText } from './body.ts'
import {
  type AccessPolicy,
  accessOf,
  type ControlAccess,
  corsHeaders,
  viewOnlyDenial,
} from './guard.ts'
import { createPositionFeed, maxViewers } from './position-feed.ts'
import { createRouteFinder, type RouteInput, type ControlRoute } from './route.ts'
import { maxStreams, streamChanges } from './stream.ts'
import { jsonText, sendAnswer } from './send-answer.ts'
import { createSharedLooks } from './shared-looks.ts'
import { createWaitResponder } from './wait-responder.ts'
import { checkSchema, schemaErrorsText } from '../files/schema-errors.ts'

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

export interface ControlHandler {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Number of viewers that follow the position of the session. */
  readonly viewers: () => number
}

/** Header of every answer: differs between any two sessions, and between two starts of one. */
export const sessionIdHeader = 'sparring-session'

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

export function createControlHandler({
  session,
  routes,
  policy,
  sessionId,
  closing,
  onError,
}: HandlerOptions): ControlHandler {
  const find = createRouteFinder(routes)
  const looks = createSharedLooks()
  const positions = createPositionFeed({
    session,
    sessionId,
    closing,
    onChange: looks.clear,
    onError,
  })
  const respondLater = createWaitResponder(closing)
  let streams = 0

  async function streamTo(
    request: IncomingMessage,
    response: ServerResponse,
    after: string | undefined,
  ): Promise<void> {
    if (streams >= maxStreams)
      return sendAnswer(
        response,
        errorAnswer('UNAVAILABLE', `${maxStreams} streams are open already`),
      )
    streams++
    try {
      await streamChanges(session, request, response, { after, closing })
    } finally {
      streams--
    }
  }

  function send(
    wanted: ControlStream,
    access: ControlAccess,
    request: IncomingMessage,
    response: ServerResponse,
  ): void | Promise<void> {
    if (request.method === 'HEAD') return sendAnswer(response, noContent)
    if (wanted.stream === 'changes') return streamTo(request, response, wanted.after)
    return positions.viewers() >= maxViewers
      ? sendAnswer(response, errorAnswer('UNAVAILABLE', `${maxViewers} viewers are there already`))
      : positions.follow(response, access)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader(sessionIdHeader, sessionId)
    for (const [name, value] of Object.entries(corsHeaders(request.headers, policy)))
      response.setHeader(name, value)
    // Prefix the host as text: a request line such as `//elsewhere/x` must not become a host.
    const url = URL.parse(`http://control${request.url ?? '/'}`)
    if (!url)
      return sendAnswer(response, errorAnswer('INVALID_PAYLOAD', 'the request line names no path'))
    const matches = find(url.pathname)
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
    const text = route.body ? await readBodyText(request) : ok('')
    if (!text.ok) return sendAnswer(response, text.error)
    const age = route.shared ? Number(url.searchParams.get('age') ?? 0) : 0
    const shared = age > 0 ? looks.find(text.value, age) : undefined
    if (shared !== undefined) return sendAnswer(response, { status: 200, text: shared })
    const input = validateInput(route, params, url, text.value)
    if (!input.ok) return sendAnswer(response, input.error)
    const outcome = await route.answer(session, input.value)
    if ('wait' in outcome) return respondLater(outcome, response)
    if ('stream' in outcome) return send(outcome, access, request, response)
    if (wanted !== 'GET' && !route.reads) looks.clear()
    if (age === 0) return sendAnswer(response, outcome)
    const made = jsonText(outcome.body)
    looks.keep(text.value, made)
    return sendAnswer(response, { ...outcome, text: made })
  }

  return { handle, viewers: positions.viewers }
}
