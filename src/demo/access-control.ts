/** The OAuth token endpoint of a reference service and the authorization check of incoming requests. */
import type { Clock } from './clock.ts'
import { parseJson } from './send.ts'
import { type RoutedRequest, errorReply, reply } from './routes.ts'
import type { Credentials } from './token-cache.ts'

export interface AccessControl {
  /** POST /oauth/token. */
  readonly issueToken: (asked: RoutedRequest) => Response
  /**
   * The error reply for a request without a valid token or without one of these scopes; undefined when it is authorized.
   * A token issued without scopes has them all.
   */
  readonly denial: (request: Request, scopes?: readonly string[]) => Response | undefined
}

export interface AccessControlParts {
  readonly clock: Clock
  /** The clients that may get a token; any client when absent. */
  readonly clients?: readonly Credentials[] | undefined
}

const lifetimeSeconds = 3600
const maxTokens = 1000

interface Token {
  readonly scopes: readonly string[]
  readonly endsAt: number
}

function fieldsOf({ request, text }: RoutedRequest): Readonly<Record<string, unknown>> {
  if (!(request.headers.get('content-type') ?? '').includes('json'))
    return Object.fromEntries(new URLSearchParams(text))
  const json = parseJson(text)
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

export function createAccessControl({ clock, clients }: AccessControlParts): AccessControl {
  const tokens = new Map<string, Token>()

  function name(): string {
    const part = (): string => Math.floor(clock.random() * 2 ** 32).toString(36)
    return [part(), part(), part(), part()].join('')
  }

  const isKnownClient = (id: string, secret: string): boolean =>
    clients === undefined ||
    clients.some(({ clientId, clientSecret }) => clientId === id && clientSecret === secret)

  return {
    issueToken(asked) {
      const { client_id: id, client_secret: secret, scope } = fieldsOf(asked)
      if (typeof id !== 'string' || typeof secret !== 'string' || id === '' || secret === '')
        return errorReply(401, 'UNAUTHORIZED', 'client_id and client_secret are needed')
      if (!isKnownClient(id, secret))
        return errorReply(401, 'UNAUTHORIZED', 'these are not known here')
      const token = name()
      const requested =
        typeof scope === 'string' ? scope.split(' ').filter((each) => each !== '') : []
      tokens.set(token, { scopes: requested, endsAt: clock.now() + lifetimeSeconds * 1000 })
      const [oldest] = tokens.keys()
      if (tokens.size > maxTokens && oldest !== undefined) tokens.delete(oldest)
      return reply(200, {
        access_token: token,
        token_type: 'bearer',
        expires_in: lifetimeSeconds,
        ...(requested.length > 0 ? { scope: requested.join(' ') } : {}),
      })
    },
    denial(request, scopes) {
      const presented = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      const token = tokens.get(presented ?? '')
      if (!token || token.endsAt <= clock.now())
        return errorReply(401, 'UNAUTHORIZED', 'a Bearer token of ours is needed')
      const isAllowed =
        !scopes || token.scopes.length === 0 || token.scopes.some((each) => scopes.includes(each))
      return isAllowed
        ? undefined
        : errorReply(403, 'FORBIDDEN', `one of ${scopes.join(', ')} is needed`)
    },
  }
}
