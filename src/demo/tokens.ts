/**
 * The token for one host: asked for once by however many calls need it, kept, renewed before its end, and asked for anew
 * once for each that was rejected.
 */
import { z } from 'zod'
import type { Clock } from './clock.ts'
import type { Wrong } from './defects.ts'
import type { Life } from './life.ts'
import type { Pace } from './pace.ts'
import { fail, forgive, freshPatience } from './patience.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Send } from './send.ts'

export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

export interface Tokens {
  /** `undefined`: there is none to be had for now. */
  readonly get: () => Promise<string | undefined>
  /** A host would not have this one. */
  readonly reject: (token: string) => void
}

export interface TokensParts {
  readonly url: () => string
  readonly credentials: Credentials
  readonly scope: string
  readonly send: Send
  readonly clock: Clock
  readonly life: Life
  readonly pace: Pace
  readonly wrong: Wrong
}

const Issued = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(3600),
})

/** A token is renewed so long before its end, or at nine tenths of a short life. */
const marginMs = 30_000

export function createTokens(parts: TokensParts): Tokens {
  const { url, credentials, scope, send, clock, life, wrong } = parts
  const patience = freshPatience()
  const bell = life.bell()
  let kept: { readonly token: string; readonly renewAt: number } | undefined
  let asking: Promise<string | undefined> | undefined

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
      kept = {
        token: issued.data.access_token,
        renewAt: clock.now() + Math.max(lifeMs - marginMs, lifeMs * 0.9),
      }
      forgive(patience)
      return kept.token
    }
    fail(patience, String(answer?.status), parts)
    const pause = answer && retryAfterMs(answer, clock)
    if (pause !== undefined) patience.notBefore = Math.max(patience.notBefore, clock.now() + pause)
    return undefined
  }

  async function ask(): Promise<string | undefined> {
    // What has cooled down to nothing fails at once: the calls that need the token have a patience of their own.
    if (patience.tries === 0 && patience.notBefore > clock.now()) return undefined
    do {
      while (life.running() && patience.notBefore > clock.now())
        await bell.wait(patience.notBefore - clock.now())
      const token = life.running() ? await attempt() : undefined
      if (token !== undefined) return token
    } while (life.running() && patience.tries > 0)
    return undefined
  }

  return {
    get() {
      const fresh = kept && kept.renewAt > clock.now() && !wrong('token-per-call')
      if (kept && fresh) return Promise.resolve(kept.token)
      if (asking && !wrong('token-stampede') && !wrong('token-per-call')) return asking
      asking = ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    reject(token) {
      // Calls that went out together are rejected together: the first of them has had it renewed.
      if (kept?.token === token && !wrong('keeps-rejected-token')) kept = undefined
    },
  }
}
