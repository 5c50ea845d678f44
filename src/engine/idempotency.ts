/**
 * What a host remembers of requests apart from the world: answers by X-Request-Id, and how many a client has made this
 * minute. It decides, so it lives here; it is bounded, and no fact depends on it.
 */
import { setBounded } from './bounded.ts'
import type { Instant } from './instant.ts'

export interface Remembered<Reply> {
  readonly body: string
  readonly reply: Reply
  readonly until: Instant
}

export interface RequestMemory<Reply> {
  /** The answer that this very request got before; `'conflict'` when its id came with another body. */
  readonly recall: (key: string, body: string, now: Instant) => Reply | 'conflict' | undefined
  readonly remember: (key: string, body: string, reply: Reply, until: Instant) => void
}

const mostRequests = 10_000

/** A mutation with a known id and the same content happens once (TRN-HDR-04, TRN-UND-03). */
export function createRequestMemory<Reply>(): RequestMemory<Reply> {
  const known = new Map<string, Remembered<Reply>>()
  return {
    recall(key, body, now) {
      const memory = known.get(key)
      if (!memory) return undefined
      if (memory.until <= now) {
        known.delete(key)
        return undefined
      }
      return memory.body === body ? memory.reply : 'conflict'
    },
    remember: (key, body, reply, until) =>
      setBounded(known, key, { body, reply, until }, mostRequests),
  }
}

const minuteMs = 60_000

export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** When the stretch is over, in milliseconds from now. */
  readonly resetMs: number
}

/** Counts a request of a client; what it is still allowed, or undefined where there is no limit. */
export type RateLimit = (client: string, now: Instant) => Allowance | undefined

/** Counts the requests of each client in the minute, or another stretch, that began with its first one; 0 is no limit. */
export function createRateLimit(most: number, stretchMs = minuteMs): RateLimit {
  const stretches = new Map<string, { since: Instant; count: number }>()
  return (client, now) => {
    if (most === 0) return undefined
    const last = stretches.get(client)
    const stretch = last && now - last.since < stretchMs ? last : { since: now, count: 0 }
    stretch.count++
    setBounded(stretches, client, stretch, mostRequests)
    return {
      limit: most,
      remaining: most - stretch.count,
      resetMs: stretch.since + stretchMs - now,
    }
  }
}
