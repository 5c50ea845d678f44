/**
 * Access control of the control API. On loopback any local process, but no web page: requests with a foreign Host (DNS
 * rebinding) or an origin that is not allowed are refused. Beyond loopback a token is required.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type ControlAnswer, errorAnswer } from './answer.ts'
import { misdirection } from '../server/host-names.ts'
import { isLoopback } from '../server/loopback.ts'

export interface AccessPolicy {
  /** The address that the server listens on. */
  readonly host: string
  readonly isOurHost: (header: string) => boolean
  readonly allowedOrigins: readonly string[]
  /** Required from requests when present. */
  readonly token?: string
  /** Token of viewers: it allows what changes nothing. */
  readonly viewToken?: string
}

/** What a request may do. */
export type ControlAccess = 'control' | 'view'

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Constant-time comparison. */
const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

/** What the request may do, or the error response to one without access. */
export function accessOf(
  request: Pick<IncomingMessage, 'headers' | 'httpVersion'>,
  { host, isOurHost, allowedOrigins, token, viewToken }: AccessPolicy,
  open: boolean,
): ControlAccess | ControlAnswer {
  const { origin, authorization } = request.headers
  const misdirected = isLoopback(host) ? misdirection(request, isOurHost) : undefined
  if (misdirected) return errorAnswer(misdirected.code, misdirected.message, misdirected.status)
  if (origin !== undefined && !allowedOrigins.includes(origin))
    return errorAnswer(
      'FORBIDDEN',
      `the control API does not take requests of pages from "${origin}"`,
    )
  if (open || token === undefined) return 'control'
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (bearer !== undefined && isSameSecret(bearer, token)) return 'control'
  if (bearer !== undefined && viewToken !== undefined && isSameSecret(bearer, viewToken))
    return 'view'
  return {
    ...errorAnswer(
      'UNAUTHORIZED',
      'send the token that was printed at the start: Authorization: Bearer <token>',
    ),
    headers: { 'www-authenticate': 'Bearer realm="sparring control"' },
  }
}

/** The error response where a token for viewers is not enough. */
export const viewOnlyDenial: ControlAnswer = errorAnswer(
  'FORBIDDEN',
  'this token lets you look at the session, not change it',
)

/** CORS headers for an allowed origin. */
export const corsHeaders = (
  { origin }: IncomingHttpHeaders,
  { allowedOrigins }: AccessPolicy,
): Readonly<Record<string, string>> =>
  origin !== undefined && allowedOrigins.includes(origin)
    ? {
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization, content-type, last-event-id',
        'access-control-allow-methods': 'GET, POST, DELETE, HEAD',
        vary: 'origin',
      }
    : {}
