/**
 * Who may use the control API. On loopback anybody on this machine, but no web page: a request that names another
 * host (a name that was pointed here) or comes from an origin that was not allowed is refused. Bound wider, whoever
 * has the token.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Answer, failure } from './answer.ts'
import { isLoopback } from '../server/loopback.ts'

export interface Guarded {
  /** The address that we listen on. */
  readonly host: string
  readonly allowedOrigins: readonly string[]
  /** Required when there is one. */
  readonly token?: string
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares in a time that tells nothing about where two secrets differ. */
const same = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

const namesUs = (header: string | undefined, own: string): boolean => {
  const url = URL.parse(`http://${header ?? ''}`)
  return url !== null && (isLoopback(url.hostname) || url.hostname === own.toLowerCase())
}

/** Why a request is turned away; undefined when it may come in. */
export function turnedAway(
  headers: IncomingHttpHeaders,
  { host, allowedOrigins, token }: Guarded,
  open: boolean,
): Answer | undefined {
  const { origin, authorization } = headers
  if (isLoopback(host) && !namesUs(headers.host, host))
    return failure(
      'FORBIDDEN',
      `the control API listens on ${host}, and the request was meant for "${headers.host ?? ''}"`,
      421,
    )
  if (origin !== undefined && !allowedOrigins.includes(origin))
    return failure('FORBIDDEN', `the control API does not take requests of pages from "${origin}"`)
  if (open || token === undefined) return undefined
  const [, given] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  if (given !== undefined && same(given, token)) return undefined
  return {
    ...failure(
      'UNAUTHORIZED',
      'send the token that was printed at the start: Authorization: Bearer <token>',
    ),
    headers: { 'www-authenticate': 'Bearer realm="sparring control"' },
  }
}

/** What lets a page of an allowed origin read the answer. */
export const originHeaders = (
  { origin }: IncomingHttpHeaders,
  { allowedOrigins }: Guarded,
): Readonly<Record<string, string>> =>
  origin !== undefined && allowedOrigins.includes(origin)
    ? {
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization, content-type, last-event-id',
        'access-control-allow-methods': 'GET, POST, DELETE, HEAD',
        vary: 'origin',
      }
    : {}
