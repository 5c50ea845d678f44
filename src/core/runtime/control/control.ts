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
import { errorAnswer } from './answer.ts'
import type { AccessPolicy } from './guard.ts'
import { createControlHandler, type ControlHandler } from './handler.ts'
import { lastLookMs } from './position-feed.ts'
import { replyOf, sendAnswer } from './send-answer.ts'
import { isLoopback, listenUrl } from '../server/loopback.ts'

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

/** The tokens that requests need; where none is given, and one is needed, both are generated. */
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
    return createControlHandler({
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
