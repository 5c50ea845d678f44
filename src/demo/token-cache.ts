/**
 * Token cache for one host: concurrent calls share one token request; the token is renewed before expiry, and once after
 * a rejection.
 */
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { DefectSwitch } from './defects.ts'
import type { Lifetime } from './lifetime.ts'
import type { Pace } from './pace.ts'
import { recordFailure, resetRetries, createRetryState } from './retry-state.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Send } from './send.ts'

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export interface TokenCache {
  /** `undefined`: no token available for now. */
  readonly get: () => Promise<string | undefined>
  /** Drops a token that the host rejected with 401. */
  readonly invalidate: (token: string) => void
}

export interface TokenCacheParts {
  readonly url: () => string
  readonly credentials: Credentials
  readonly scope: string
  readonly send: Send
  readonly clock: Clock
  readonly life: Lifetime
  readonly pace: Pace
  readonly wrong: DefectSwitch
}

const Issued = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(3600),
})

/** Milliseconds before expiry at which a token is renewed; at 90 % of a short lifetime. */
const marginMs = 30_000

export function createTokenCache(parts: TokenCacheParts): TokenCache {
  const { url, credentials, scope, send, clock, life, wrong } = parts
  const retry = createRetryState()
  const bell = life.createSignal()
  let cached: { readonly token: string; readonly renewAt: number } | undefined
  let pendingRequest: Promise<string | undefined> | undefined

  async function attempt(): Promise<string | undefined> {
    const answer = await send({
      method: 'POST',
      url: `${url()}/oauth/token`,
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: credentials.clientId,
        client_secret: credentials.clientSecret,
        scope,
      }).toString(),
    })
    const issued = Issued.safeParse(answer?.status === 200 ? answer.json : undefined)
    if (issued.success) {
      const lifeMs = issued.data.expires_in * 1000
      cached = {
        token: issued.data.access_token,
        renewAt: clock.now() + Math.max(lifeMs - marginMs, lifeMs * 0.9),
      }
      resetRetries(retry)
      return cached.token
    }
    recordFailure(retry, String(answer?.status), parts)
    const pause = answer && retryAfterMs(answer, clock)
    if (pause !== undefined) retry.notBefore = Math.max(retry.notBefore, clock.now() + pause)
    return undefined
  }

  async function requestToken(): Promise<string | undefined> {
    // During a cool-down it fails at once: the waiting calls have their own retries.
    if (retry.attempts === 0 && retry.notBefore > clock.now()) return undefined
    do {
      while (life.isRunning() && retry.notBefore > clock.now())
        await bell.wait(retry.notBefore - clock.now())
      const token = life.isRunning() ? await attempt() : undefined
      if (token !== undefined) return token
    } while (life.isRunning() && retry.attempts > 0)
    return undefined
  }

  return {
    get() {
      const fresh = cached && cached.renewAt > clock.now() && !wrong('token-per-call')
      if (cached && fresh) return Promise.resolve(cached.token)
      if (pendingRequest && !wrong('token-stampede') && !wrong('token-per-call'))
        return pendingRequest
      pendingRequest = requestToken().finally(() => {
        pendingRequest = undefined
      })
      return pendingRequest
    },
    invalidate(token) {
      // Concurrent calls are rejected together; only the first rejection triggers a renewal.
      if (cached?.token === token && !wrong('keeps-rejected-token')) cached = undefined
    },
  }
}
