/**
 * Mistakes with the access token of a request: where it is, how it is written, whose it is, and what it is good for.
 */
import { scopeName, scopeRequirementText } from '../../../protocol/auth/scopes.ts'
import { findAccessToken } from '../../../engine/auth/access-token.ts'
import { isoOf } from '../../../engine/instant.ts'
import { compact } from '../../../base/compact.ts'
import type { Mistake } from '../mistake.ts'
import { credentialsText, type RefusedRequest, theRole, tokenUrl } from './refused-request.ts'

/** Query parameters and headers in which clients put a token. */
const otherPlaces = /(?:^|&)(access_token|token|api_?key|apikey)=/i
const otherHeaders = ['x-access-token', 'x-auth-token', 'x-api-key', 'access-token'] as const

const authorizationOf = ({ header }: RefusedRequest): string => header('authorization') ?? ''

/** The text behind the scheme. */
const credentialsIn = (request: RefusedRequest): string =>
  authorizationOf(request)
    .replace(/^\S+\s+/, '')
    .trim()

const isProtected = ({ row, refusal }: RefusedRequest): boolean =>
  row !== undefined &&
  row.access !== 'open' &&
  row.webhook === undefined &&
  refusal.code === 'UNAUTHORIZED'

const howToGetOne = (request: RefusedRequest): string =>
  `get a token with ${tokenUrl(request)} (${credentialsText(request.settings)})`

const sendIt = 'send the header Authorization: Bearer <token>'

/** The line of a mistake with a protected request that was answered 401. */
const onlyProtected =
  (lineFor: (request: RefusedRequest) => string | undefined) =>
  (request: RefusedRequest): string | undefined =>
    isProtected(request) ? lineFor(request) : undefined

const schemeNote = (scheme: string): string =>
  /^basic$/i.test(scheme)
    ? 'Basic is for no request here'
    : `the scheme is Bearer, not ${JSON.stringify(scheme.slice(0, 30))}`

export const authorizationMistakes: readonly Mistake<RefusedRequest>[] = [
  {
    name: 'token-in-another-place',
    clauses: ['AUT-GEN-01', 'TRN-HDR-01'],
    lineFor: onlyProtected((request) => {
      if (authorizationOf(request) !== '') return undefined
      const parameter = otherPlaces.exec(request.query)?.[1]
      const name = otherHeaders.find((each) => request.header(each) !== undefined)
      if (parameter === undefined && name === undefined) return undefined
      const where = parameter === undefined ? `the header ${name}` : `the query (${parameter}=…)`
      return `the token is in ${where}, where it is not read: ${sendIt}`
    }),
  },
  {
    name: 'no-token',
    clauses: ['TRN-HDR-01'],
    lineFor: onlyProtected((request) =>
      authorizationOf(request) === ''
        ? `there is no Authorization header: ${howToGetOne(request)}, and ${sendIt}`
        : undefined,
    ),
  },
  {
    name: 'another-scheme',
    clauses: ['TRN-HDR-01'],
    lineFor: onlyProtected((request) => {
      const text = authorizationOf(request).trim()
      if (/^bearer +\S+$/i.test(text)) return undefined
      if (/^bearer$/i.test(text))
        return `there is no token behind Bearer: ${howToGetOne(request)}, and ${sendIt}`
      if (!text.includes(' '))
        return `the Authorization header has no scheme: send Authorization: Bearer <token>, with Bearer and a blank before the token`
      const scheme = text.split(/\s/)[0] ?? ''
      return /^bearer$/i.test(scheme)
        ? `there is more than the token behind Bearer in the Authorization header: ${sendIt}`
        : `${schemeNote(scheme)}: ${sendIt}, with a token from ${tokenUrl(request)}`
    }),
  },
  {
    name: 'token-in-quotes',
    clauses: ['TRN-HDR-01'],
    lineFor: onlyProtected((request) =>
      /^["'<{].*["'>}]$/.test(credentialsIn(request))
        ? `the token in the Authorization header is in quotes or brackets: send it bare, Authorization: Bearer <token>`
        : undefined,
    ),
  },
  {
    name: 'secret-instead-of-token',
    clauses: ['AUT-GEN-01'],
    lineFor: onlyProtected((request) => {
      const token = credentialsIn(request)
      const isOfClient = request.settings.clients.some(
        ({ clientId, clientSecret }) => token === clientId || token === clientSecret,
      )
      return isOfClient
        ? `the client id or the client secret is sent in place of a token: ${howToGetOne(request)}, and ${sendIt}`
        : undefined
    }),
  },
  {
    name: 'token-expired',
    clauses: ['AUT-TOK-04'],
    lineFor: onlyProtected((request) => {
      const { host, world, settings, now } = request
      const token = findAccessToken(credentialsIn(request), host, world, settings)
      if (!token || token.expiresAt > now) return undefined
      return `the token expired at ${isoOf(token.expiresAt)}, it is ${isoOf(now)} now: request another with ${tokenUrl(request)} before expires_in is over, or after a 401`
    }),
  },
  {
    name: 'token-of-another-role',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyProtected((request) => {
      const { host, world, settings } = request
      const token = credentialsIn(request)
      const issuer = settings.roles.find(
        (role) => role !== host && findAccessToken(token, role, world, settings),
      )
      return issuer === undefined
        ? undefined
        : `the token was issued by ${theRole(issuer)}, and this is ${theRole(host)}: ${howToGetOne(request)}`
    }),
  },
  {
    name: 'unknown-token',
    clauses: ['TRN-STA-05'],
    lineFor: onlyProtected((request) => {
      const { host, world, settings } = request
      return findAccessToken(credentialsIn(request), host, world, settings)
        ? undefined
        : `the token was not issued here, or was revoked: ${howToGetOne(request)}`
    }),
  },
  {
    name: 'scope-missing',
    clauses: ['TRN-STA-06', 'AUT-SCO-01'],
    lineFor: (request) => {
      const { row, refusal, host, settings, world } = request
      if (refusal.code !== 'FORBIDDEN' || typeof row?.access !== 'object') return undefined
      const { scopePrefix } = settings.protocol
      const { scope, fine } = row.access
      const needed = scopeRequirementText(
        { scope, ...compact({ fine }), strict: settings.conduct.strict },
        scopePrefix,
      )
      const token = findAccessToken(credentialsIn(request), host, world, settings)
      const has = token ? [...token.scopes].join(' ') || 'none' : 'another one'
      return `${row.id} needs the scope ${needed}, and the token has ${has}: request it with scope=${scopeName(scopePrefix, scope)} at ${tokenUrl(request)}`
    },
  },
]
