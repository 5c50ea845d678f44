/** Tokens that we issue to whoever calls us, and who may come in with one. */
import type { Clock } from './clock.ts'
import { parsed } from './send.ts'
import { type Asked, complaint, reply } from './routes.ts'
import type { Credentials } from './tokens.ts'

export interface Access {
  /** POST /oauth/token. */
  readonly issue: (asked: Asked) => Response
  /**
   * What stands in the way of a request that needs one of these scopes, or any token; undefined when nothing does. A
   * token for which no scope was asked is one for everything.
   */
  readonly refusal: (request: Request, scopes?: readonly string[]) => Response | undefined
}

export interface AccessParts {
  readonly clock: Clock
  /** Who may have a token; whoever names itself when absent. */
  readonly clients?: readonly Credentials[] | undefined
}

const lifeSeconds = 3600
const mostTokens = 1000

interface Token {
  readonly scopes: readonly string[]
  readonly endsAt: number
}

function fieldsOf({ request, text }: Asked): Readonly<Record<string, unknown>> {
  if (!(request.headers.get('content-type') ?? '').includes('json'))
    return Object.fromEntries(new URLSearchParams(text))
  const json = parsed(text)
  return typeof json === 'object' && json !== null ? { ...json } : {}
}

export function createAccess({ clock, clients }: AccessParts): Access {
  const tokens = new Map<string, Token>()

  function name(): string {
    const part = (): string => Math.floor(clock.random() * 2 ** 32).toString(36)
    return [part(), part(), part(), part()].join('')
  }

  const knows = (id: string, secret: string): boolean =>
    clients === undefined ||
    clients.some(({ clientId, clientSecret }) => clientId === id && clientSecret === secret)

  return {
    issue(asked) {
      const { client_id: id, client_secret: secret, scope } = fieldsOf(asked)
      if (typeof id !== 'string' || typeof secret !== 'string' || id === '' || secret === '')
        return complaint(401, 'UNAUTHORIZED', 'client_id and client_secret are needed')
      if (!knows(id, secret)) return complaint(401, 'UNAUTHORIZED', 'these are not known here')
      const token = name()
      const asks = typeof scope === 'string' ? scope.split(' ').filter((each) => each !== '') : []
      tokens.set(token, { scopes: asks, endsAt: clock.now() + lifeSeconds * 1000 })
      const [oldest] = tokens.keys()
      if (tokens.size > mostTokens && oldest !== undefined) tokens.delete(oldest)
      return reply(200, {
        access_token: token,
        token_type: 'bearer',
        expires_in: lifeSeconds,
        ...(asks.length > 0 ? { scope: asks.join(' ') } : {}),
      })
    },
    refusal(request, scopes) {
      const given = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      const token = tokens.get(given ?? '')
      if (!token || token.endsAt <= clock.now())
        return complaint(401, 'UNAUTHORIZED', 'a Bearer token of ours is needed')
      const opens =
        !scopes || token.scopes.length === 0 || token.scopes.some((each) => scopes.includes(each))
      return opens
        ? undefined
        : complaint(403, 'FORBIDDEN', `one of ${scopes.join(', ')} is needed`)
    },
  }
}
