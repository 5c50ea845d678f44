/**
 * Access control of the control API. On loopback any local process, but no web page: requests with a foreign Host (DNS
 * rebinding) or an origin that is not allowed are refused. Beyond loopback a token is required.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type ControlAnswer, errorAnswer } from './answer.ts'
import { isLoopback } from '../server/loopback.ts'

export interface AccessPolicy {
  /** The address that the server listens on. */
  readonly host: string
  readonly allowedOrigins: readonly string[]
  /** Required from requests when present. */
  readonly token?: string
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Constant-time comparison. */
const isSameSecret = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const isOurHost = (header: string | undefined, own: string): boolean => {
  const url = URL.parse(`http://${header ?? ''}`)
  return url !== null && (isLoopback(url.hostname) || url.hostname === own.toLowerCase())
}

/** The error response to a request without access; undefined when it is allowed. */
export function accessDenial(
  headers: IncomingHttpHeaders,
  { host, allowedOrigins, token }: AccessPolicy,
  open: boolean,
): ControlAnswer | undefined {
  const { origin, authorization } = headers
  if (isLoopback(host) && !isOurHost(headers.host, host))
    return errorAnswer(
      'FORBIDDEN',
      `the control API listens on ${host}, and the request was meant for "${headers.host ?? ''}"`,
      421,
    )
  if (origin !== undefined && !allowedOrigins.includes(origin))
    return errorAnswer(
      'FORBIDDEN',
      `the control API does not take requests of pages from "${origin}"`,
    )
  if (open || token === undefined) return undefined
  const [, bearer] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (bearer !== undefined && isSameSecret(bearer, token)) return undefined
  return {
    ...errorAnswer(
      'UNAUTHORIZED',
      'send the token that was printed at the start: Authorization: Bearer <token>',
    ),
    headers: { 'www-authenticate': 'Bearer realm="sparring control"' },
  }
}

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
