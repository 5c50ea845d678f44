/**
 * HTTP client of the control API. API errors are returned; what is no answer of a session, and what its token does not allow,
 * is thrown as a `Problem`.
 */
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { rootCertificates } from 'node:tls'
import { type ErrorCode, protocolErrors } from '../../protocol/errors.ts'
import { joinUrl } from '../../base/join-url.ts'
import { type Problem, problem } from '../../base/problem.ts'

export interface ControlTarget {
  /** The control URL, as printed in the readiness line. */
  readonly url: string
  readonly token?: string
  /** The token of the session that is there now: asked where one that was started anew takes the other no more. */
  readonly freshToken?: () => string | undefined
  /** Certificate authorities to trust besides the usual ones, as PEM text, for an `https` URL. */
  readonly authority?: string
}

export interface ControlReply {
  readonly status: number
  readonly body: unknown
  /** Id of the session that answered. */
  readonly session: string | undefined
}

export interface ControlRequest {
  /** Sent as JSON. */
  readonly body?: unknown
  readonly signal?: AbortSignal
  /** A reply that asks for a token is returned instead of thrown. */
  readonly allowUnauthorized?: boolean
}

export interface ControlClient {
  readonly send: (
    method: 'GET' | 'POST',
    path: string,
    options?: ControlRequest,
  ) => Promise<ControlReply>
  /** Opens an event stream; its status may be an error. */
  readonly open: (path: string, signal: AbortSignal) => Promise<IncomingMessage>
}

const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && Object.hasOwn(protocolErrors, code)

interface ErrorReply {
  readonly error: { readonly code: ErrorCode; readonly message: string }
}

export function isErrorReply(body: unknown): body is ErrorReply {
  const error: unknown = typeof body === 'object' && body !== null && Reflect.get(body, 'error')
  return typeof error === 'object' && error !== null && isErrorCode(Reflect.get(error, 'code'))
}

const attemptAt = (url: string): string => `talking to the session at ${url}`

export const notSparring = (url: string): Problem =>
  problem(
    attemptAt(url),
    'something answers there, but it is no control API of Sparring',
    'Name the control URL that sparring up printed: --control <url>.',
    3,
  )

const tokenRemedies: Readonly<Record<number, string>> = {
  401: 'Name its token with --token or SPARRING_TOKEN; sparring up printed it.',
  403: 'Name the token of the session itself with --token or SPARRING_TOKEN.',
  421: 'Use the address that sparring up printed, or allow this one: allowedHosts in its configuration.',
}

/** Codes of Node for a certificate that is not trusted. */
const untrusted =
  /SELF_SIGNED|UNABLE_TO_|CERT_UNTRUSTED|INVALID_CA|UNSPECIFIED_CA|ERR_TLS_CERT_SIGNATURE/

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** Why nothing was answered: what was wrong, and what to do. */
function failureTexts(code: string): readonly [wrong: string, remedy: string] {
  if (untrusted.test(code))
    return [
      `its certificate is not trusted (${code})`,
      'Trust its authority: NODE_EXTRA_CA_CERTS=<file>, or attach with --ca <file>.',
    ]
  if (/^CERT_|^ERR_TLS_CERT/.test(code))
    return [`its certificate is not valid for that address (${code})`, 'Renew it.']
  if (code === 'EPROTO' || code.startsWith('ERR_SSL'))
    return [`it does not speak TLS (${code})`, 'Write the URL with http://.']
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return [`the connection was broken (${code})`, 'Try again.']
  return [
    `nothing answers there (${code})`,
    'Start one with sparring up, or name another with --control <url> or SPARRING_CONTROL.',
  ]
}

/** One phrase: why nothing was answered. */
export const disconnectionText = (error: unknown): string =>
  error instanceof Error && !('code' in error) ? error.message : failureTexts(codeOf(error))[0]

export const unreachable = (url: string, error: unknown): Problem =>
  problem(attemptAt(url), ...failureTexts(codeOf(error)), 3)

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

const sessionOf = ({ headers }: IncomingMessage): string | undefined => {
  const session = headers['sparring-session']
  return typeof session === 'string' ? session : undefined
}

/** A session closes idle connections: what was lost with one of them is sent once more. */
class IdleConnectionClosed extends Error {
  override readonly name = 'IdleConnectionClosed'
  readonly code = 'ECONNRESET'
}

export function createControlClient(session: ControlTarget): ControlClient {
  const { url, authority, freshToken } = session
  const isSecure = url.startsWith('https:')
  const agent = isSecure
    ? new HttpsAgent({
        keepAlive: true,
        ...(authority === undefined ? {} : { ca: [...rootCertificates, authority] }),
      })
    : new HttpAgent({ keepAlive: true })
  let { token } = session

  const attempt = (
    method: string,
    path: string,
    body: string | undefined,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      }
      const options = { method, agent, headers, ...(signal && { signal }) }
      const target = joinUrl(url, path)
      const sent = isSecure ? httpsRequest(target, options) : httpRequest(target, options)
      sent.on('response', resolve)
      sent.on('error', (error) => {
        const isIdle = sent.reusedSocket && codeOf(error) === 'ECONNRESET'
        reject(isIdle ? new IdleConnectionClosed(error.message, { cause: error }) : error)
      })
      sent.end(body)
    })

  async function exchange(...request: Parameters<typeof attempt>): Promise<IncomingMessage> {
    const response = await attempt(...request).catch((error: unknown) => {
      if (!(error instanceof IdleConnectionClosed)) throw error
      return attempt(...request)
    })
    const fresh = response.statusCode === 401 ? freshToken?.() : undefined
    if (fresh === undefined || fresh === token) return response
    token = fresh
    response.resume()
    return attempt(...request)
  }

  return {
    async send(method, path, { body, signal, allowUnauthorized } = {}) {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      let response: IncomingMessage
      let text: string
      try {
        response = await exchange(method, path, sent, signal)
        text = await readBody(response)
      } catch (error) {
        throw unreachable(url, error)
      }
      const { statusCode: status = 0 } = response
      const answer = parsed(text)
      const remedy = tokenRemedies[status]
      const isExpected = status === 401 && allowUnauthorized === true
      if (remedy !== undefined && !isExpected)
        throw problem(
          attemptAt(url),
          isErrorReply(answer) ? answer.error.message : `it answered ${status}`,
          remedy,
          3,
        )
      const isSession =
        status >= 400
          ? isErrorReply(answer)
          : (status === 204 && sessionOf(response) !== undefined) || answer !== undefined
      if (!isSession || (status >= 300 && status < 400)) throw notSparring(url)
      return { status, body: answer, session: sessionOf(response) }
    },
    open: (path, signal) => exchange('GET', path, undefined, signal),
  }
}
