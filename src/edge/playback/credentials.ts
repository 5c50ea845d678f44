/**
 * Authorization of a replay: recorded tokens are never sent again. A recorded token exchange is made anew with the
 * credentials that we have, and whatever went out with its token goes out with the new one; a call whose token the
 * recording never got goes out with one that we ask for.
 */
import { setBounded } from '../../engine/bounded.ts'
import type { Client, Settings } from '../../engine/settings.ts'
import type { Role } from '../../protocol/role.ts'
import { operation } from '../../protocol/catalogue.ts'
import type { Exchange, ExchangeRequest } from '../../traffic/exchange.ts'
import type { RecordedExchange } from '../../traffic/recording/recorded-exchange.ts'
import { parsed } from '../client/call-outcome.ts'
import { headerOf, type InboundReply } from '../server/messages.ts'
import { clientOf } from '../client/token-request.ts'
import { createTokenKeeper, type TokenKeeper } from '../client/tokens.ts'

const mostTokens = 10_000

export interface CredentialsOptions {
  readonly settings: Settings
  readonly now: () => number
  /** Asks the target for a token, as this role. */
  readonly ask: (from: Role) => Promise<InboundReply>
}

/** What goes into the authorization header, and how to say that it was not taken. */
export interface Authorization {
  readonly header: string | undefined
  /** Another one, where this one was ours and the target would not have it. */
  readonly renew?: () => Promise<string>
}

export interface Credentials {
  /** Rejects when there is no token to be had. */
  readonly of: (recorded: RecordedExchange) => Promise<Authorization>
  /** A recorded request for a token as it is to be made now. */
  readonly tokenRequest: (recorded: RecordedExchange, request: ExchangeRequest) => ExchangeRequest
  /** What came of it. */
  readonly learn: (recorded: RecordedExchange, live: Exchange) => void
}

export const asksForToken = ({ operation: id }: Pick<Exchange, 'operation'>): boolean =>
  id !== undefined && operation(id).behind.name === 'token.issue'

const tokenIn = ({ reply }: Exchange): string | undefined => {
  const text = reply?.body ?? ''
  // Nearly every answer has none, and need not be read for that.
  const body = text.includes('access_token') ? parsed(text) : undefined
  const token: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'access_token') : undefined
  return typeof token === 'string' ? token : undefined
}

const bearer = (token: string): string => `Bearer ${token}`

/** Basic credentials as they stand in a header (RFC 7617). */
const basic = ({ clientId, clientSecret }: Client): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`

/** Our own in the place of those that were recorded; everything else of the form stays. */
function withOurs(body: string, { clientId, clientSecret }: Client): string {
  const ours: Readonly<Record<string, string>> = {
    client_id: clientId,
    client_secret: clientSecret,
  }
  const value = parsed(body)
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(
      Object.fromEntries(Object.entries(value).map(([key, each]) => [key, ours[key] ?? each])),
    )
  const form = new URLSearchParams(body)
  for (const [key, each] of Object.entries(ours)) if (form.has(key)) form.set(key, each)
  return form.toString()
}

export function createCredentials({ settings, now, ask }: CredentialsOptions): Credentials {
  const keepers = new Map<Role, TokenKeeper>()
  /** Recorded tokens, and those that stand for them now. */
  const tokens = new Map<string, string>()

  function keeperOf(from: Role): TokenKeeper {
    const known = keepers.get(from)
    if (known) return known
    const keeper = createTokenKeeper(() => ask(from), now)
    keepers.set(from, keeper)
    return keeper
  }

  async function own({ from: { role }, to }: RecordedExchange): Promise<Authorization> {
    const keeper = keeperOf(role)
    const token = await keeper.get(to.role)
    return {
      header: bearer(token),
      async renew() {
        keeper.forget(to.role, token)
        return bearer(await keeper.get(to.role))
      },
    }
  }

  const wasRefused = ({ reply }: RecordedExchange): boolean => reply?.status === 401

  return {
    async of(recorded) {
      const header = headerOf(recorded.request.headers, 'authorization')
      if (header === undefined) return { header: undefined }
      if (asksForToken(recorded)) {
        const client = clientOf(recorded.from.role, settings)
        return { header: client && !wasRefused(recorded) ? basic(client) : header }
      }
      const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? []
      // What was turned away is to be turned away again; and other schemes are nothing that we know.
      const live = token === undefined ? undefined : tokens.get(token)
      if (token === undefined || (live === undefined && wasRefused(recorded))) return { header }
      if (live === undefined) return own(recorded)
      return {
        header: bearer(live),
        async renew() {
          const fresh = await keeperOf(recorded.from.role).get(recorded.to.role)
          if (fresh !== live) tokens.set(token, fresh)
          return bearer(fresh)
        },
      }
    },
    tokenRequest(recorded, request) {
      const client = clientOf(recorded.from.role, settings)
      const { body } = request
      if (!client || body === undefined || wasRefused(recorded)) return request
      return { ...request, body: withOurs(body, client) }
    },
    learn(recorded, live) {
      const [old, fresh] = [tokenIn(recorded), tokenIn(live)]
      if (old !== undefined && fresh !== undefined) setBounded(tokens, old, fresh, mostTokens)
    },
  }
}
