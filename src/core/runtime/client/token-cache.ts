/**
 * Cache of our access tokens at other hosts: one per application and host, not per store (AUT-TOK-03), requested once
 * for all concurrent calls that need it, and renewed before it expires (AUT-TOK-04).
 */
import { remainingTokenLifeMs, ReceivedToken } from '../../protocol/auth/token.ts'
import { headerValue } from '../../traffic/exchange.ts'
import { failedOutcome, parseRetryAfterMs } from './call-outcome.ts'
import type { Instant } from '../../engine/instant.ts'
import type { InboundReply } from '../server/messages.ts'

/** A token is renewed this long before it expires, or at nine tenths of a short lifetime. */
const marginMs = 30_000

/** The longest pause after failures in a row, in ms. */
const maxPauseMs = 30_000

/** How long it is remembered that a host issues no tokens. */
const noneRememberedMs = 300_000

export interface TokenCache {
  /** The token for a host, requested unless the cache holds a valid one. */
  readonly get: (host: string) => Promise<string>
  /**
   * The same for a host that need not issue tokens: undefined where it issues none, which is remembered for a while.
   */
  readonly getOffered: (host: string) => Promise<string | undefined>
  /** Requests a token, whatever the cache holds; later calls use it. */
  readonly renew: (host: string) => Promise<void>
  /** The host rejected this token, or a call without one: the next call requests another. */
  readonly invalidate: (host: string, token: string | undefined) => void
}

/** When a token with this life is to be renewed. */
export function tokenRenewalAt(
  life: Parameters<typeof remainingTokenLifeMs>[0],
  now: Instant,
): Instant {
  const lifeMs = remainingTokenLifeMs(life, now)
  return now + Math.max(lifeMs - marginMs, lifeMs * 0.9)
}

interface CachedToken {
  readonly token: string
  readonly renewAt: Instant
}

interface Token {
  readonly host: string
  readonly token: string
  readonly expiresAt: Instant
}

/** A call was not sent, because there is no token for it. */
export class NoToken extends Error {
  override readonly name = 'NoToken'
  readonly code: string
  /** Asking again later may help: nothing answered, or with 429 or 5xx. */
  readonly temporary: boolean

  constructor(why: string, { code = 'NO_TOKEN', temporary = false } = {}) {
    super(`could not get an access token: ${why}`)
    this.code = code
    this.temporary = temporary
  }
}

/** Whether asking again later may help. */
const isTemporary = (status: number): boolean => status === 429 || (status >= 500 && status !== 501)

/** Without this the error of the token request would be read as the answer to a call that never left. */
function throwNoAnswer(error: unknown): never {
  const { code, message } = failedOutcome(error)
  throw new NoToken(`the token endpoint gave no answer (${message})`, { code, temporary: true })
}

export function createTokenCache(
  ask: (host: string) => Promise<InboundReply>,
  now: () => Instant,
  /** The clock of the hosts: dates in their replies are relative to it. */
  receiverNow: () => Instant,
  /** Tokens obtained before, where the world continues from an earlier one: oldest first. */
  initial: Iterable<Token> = [],
): TokenCache {
  const cache = new Map<string, CachedToken>()
  for (const { host, token, expiresAt } of initial)
    cache.set(host, { token, renewAt: expiresAt - marginMs })
  const pending = new Map<string, Promise<string>>()
  /** Hosts that issue no tokens, and until when that is remembered. */
  const noneUntil = new Map<string, Instant>()
  /** Token endpoints that failed: how often in a row, and until when they are left alone. */
  const failing = new Map<string, { readonly times: number; readonly until: Instant }>()

  /** Calls of all kinds need the token: it is not asked for at the pace of all their retries. */
  function recordFailure(host: string, retryAfterMs = 0): void {
    const times = (failing.get(host)?.times ?? 0) + 1
    const backoffMs = times < 3 ? 0 : Math.min(maxPauseMs, 1000 * 2 ** (times - 3))
    failing.set(host, { times, until: now() + backoffMs + retryAfterMs })
  }

  async function askForToken(host: string): Promise<InboundReply> {
    if ((failing.get(host)?.until ?? 0) > now())
      throw new NoToken('the token endpoint failed a moment ago', { temporary: true })
    try {
      const reply = await ask(host)
      const { status, headers } = reply
      if (isTemporary(status))
        recordFailure(host, parseRetryAfterMs(headerValue(headers, 'retry-after'), receiverNow()))
      else failing.delete(host)
      return reply
    } catch (error) {
      recordFailure(host)
      return throwNoAnswer(error)
    }
  }

  async function fetchToken(host: string): Promise<string> {
    const { status, body } = await askForToken(host)
    if (status < 200 || status >= 300)
      throw new NoToken(`the token endpoint answers ${status}`, {
        temporary: isTemporary(status),
      })
    let value: unknown
    try {
      value = JSON.parse(body)
    } catch {
      throw new NoToken('the token endpoint answers no JSON')
    }
    const answer = ReceivedToken.safeParse(value)
    if (!answer.success) {
      const field = answer.error.issues[0]?.path.join('.') || 'its root'
      throw new NoToken(`the answer of the token endpoint is wrong at ${field}`)
    }
    const { access_token: token, expires_in: life } = answer.data
    cache.set(host, { token, renewAt: tokenRenewalAt(life, now()) })
    return token
  }

  function get(host: string): Promise<string> {
    const cached = cache.get(host)
    if (cached && cached.renewAt > now()) return Promise.resolve(cached.token)
    const inFlight = pending.get(host)
    if (inFlight) return inFlight
    const request = fetchToken(host).finally(() => pending.delete(host))
    pending.set(host, request)
    return request
  }

  return {
    get,
    async renew(host) {
      noneUntil.delete(host)
      await fetchToken(host)
    },
    async getOffered(host) {
      const until = noneUntil.get(host)
      if (until !== undefined && until > now()) return undefined
      try {
        return await get(host)
      } catch (error) {
        if (!(error instanceof NoToken) || error.temporary) throw error
        noneUntil.set(host, now() + noneRememberedMs)
        return undefined
      }
    },
    invalidate(host, token) {
      if (token === undefined) noneUntil.delete(host)
      else if (cache.get(host)?.token === token) cache.delete(host)
    },
  }
}
