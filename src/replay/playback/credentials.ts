/**
 * Authorization of a replay: recorded tokens are never sent again. A recorded token request is repeated with our
 * credentials, and calls that used its token use the new one; for a token that the recording did not obtain, a new one
 * is requested.
 */
import { setBounded } from '../../core/engine/bounded.ts'
import type { Client, Settings } from '../../core/engine/settings.ts'
import type { Role } from '../../core/protocol/role.ts'
import { bodyTranslator } from '../../core/protocol/translation/translator.ts'
import { textMember } from '../../core/protocol/unknown-record.ts'
import { tokenFieldsIn } from '../../core/traffic/token-fields.ts'
import { operation } from '../../core/protocol/catalogue.ts'
import { headerValue, type Exchange, type ExchangeRequest } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { parseJsonBody } from '../../core/runtime/client/call-outcome.ts'
import type { InboundReply } from '../../core/runtime/server/messages.ts'
import { ownCredentials, tokenAnswerOf } from '../../core/runtime/client/token-request.ts'
import { createTokenCache, type TokenCache } from '../../core/runtime/client/token-cache.ts'

const maxTokens = 10_000

interface ReplayCredentialsOptions {
  readonly settings: Settings
  readonly now: () => number
  /** Requests a token from the target, as this role. */
  readonly requestToken: (from: Role) => Promise<InboundReply>
}

/** The authorization header, and how to renew it after a 401. */
interface Authorization {
  readonly header: string | undefined
  /** Requests another token; absent when the header is not ours to renew. */
  readonly renew?: () => Promise<string>
}

export const isTokenExchange = ({ operation: id }: Pick<Exchange, 'operation'>): boolean =>
  id !== undefined && operation(id).handler.name === 'token.issue'

function tokenIn({ reply }: Exchange, settings: Settings): string | undefined {
  const text = tokenAnswerOf(reply?.body ?? '', settings)
  // Fast path: skip parsing for replies without a token.
  return text.includes('access_token') ? textMember(parseJsonBody(text), 'access_token') : undefined
}

const bearer = (token: string): string => `Bearer ${token}`

/** Basic credentials as a header value (RFC 7617). */
const basic = ({ clientId, clientSecret }: Client): string =>
  `Basic ${Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64')}`

/** Replaces the recorded credentials in a token request body; the rest stays. */
function withOwnCredentials(
  body: string,
  { clientId, clientSecret }: Client,
  { conduct }: Settings,
): string {
  const ours: Readonly<Record<string, string>> = {
    client_id: clientId,
    client_secret: clientSecret,
  }
  const translator = bodyTranslator(conduct)
  if (translator?.translates('issueToken', 'request')) {
    const fields = { ...tokenFieldsIn(body, translator), ...ours }
    const wire = translator.toWire('issueToken', 'request', fields) as Record<string, string>
    return parseJsonBody(body) === undefined
      ? new URLSearchParams(wire).toString()
      : JSON.stringify(wire)
  }
  const value = parseJsonBody(body)
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(
      Object.fromEntries(Object.entries(value).map(([key, each]) => [key, ours[key] ?? each])),
    )
  const form = new URLSearchParams(body)
  for (const [key, each] of Object.entries(ours)) if (form.has(key)) form.set(key, each)
  return form.toString()
}

export function createReplayCredentials({
  settings,
  now,
  requestToken: ask,
}: ReplayCredentialsOptions) {
  const tokenCaches = new Map<Role, TokenCache>()
  /** Recorded token to current token. */
  const tokens = new Map<string, string>()

  function tokenCacheOf(from: Role): TokenCache {
    const known = tokenCaches.get(from)
    if (known) return known
    const tokenCache = createTokenCache(() => ask(from), now, now)
    tokenCaches.set(from, tokenCache)
    return tokenCache
  }

  async function ownAuthorization({
    from: { role },
    to,
  }: RecordedExchange): Promise<Authorization> {
    const tokenCache = tokenCacheOf(role)
    const token = await tokenCache.get(to.role)
    return {
      header: bearer(token),
      async renew() {
        tokenCache.invalidate(to.role, token)
        return bearer(await tokenCache.get(to.role))
      },
    }
  }

  const wasRefused = ({ reply }: RecordedExchange): boolean => reply?.status === 401

  return {
    /** Authorization for a recorded call. Rejects when no token can be obtained. */
    async authorize(recorded: RecordedExchange): Promise<Authorization> {
      const header = headerValue(recorded.request.headers, 'authorization')
      if (header === undefined) return { header: undefined }
      if (isTokenExchange(recorded)) {
        const client = ownCredentials(recorded.from.role, settings)
        return { header: client && !wasRefused(recorded) ? basic(client) : header }
      }
      const [, token] = /^Bearer +(\S+)$/i.exec(header) ?? []
      // A recorded 401 is reproduced with its invalid token; other schemes pass unchanged.
      const live = token === undefined ? undefined : tokens.get(token)
      if (token === undefined || (live === undefined && wasRefused(recorded))) return { header }
      if (live === undefined) return ownAuthorization(recorded)
      return {
        header: bearer(live),
        async renew() {
          const fresh = await tokenCacheOf(recorded.from.role).get(recorded.to.role)
          if (fresh !== live) tokens.set(token, fresh)
          return bearer(fresh)
        },
      }
    },
    /** A recorded token request with our credentials. */
    tokenRequest(recorded: RecordedExchange, request: ExchangeRequest): ExchangeRequest {
      const client = ownCredentials(recorded.from.role, settings)
      const { body } = request
      if (!client || body === undefined || wasRefused(recorded)) return request
      return { ...request, body: withOwnCredentials(body, client, settings) }
    },
    /** Maps the recorded token to the live one. */
    learnToken(recorded: RecordedExchange, live: Exchange) {
      const [old, fresh] = [tokenIn(recorded, settings), tokenIn(live, settings)]
      if (old !== undefined && fresh !== undefined) setBounded(tokens, old, fresh, maxTokens)
    },
  }
}
