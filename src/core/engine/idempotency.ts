/**
 * Per-host request state outside the world: an idempotency store of replies by X-Request-Id, and a rate limit. It
 * affects decisions, so it lives in the engine; it is bounded, and no fact depends on it.
 */
import { deleteSized, setBounded, setSized } from './bounded.ts'
import type { Instant } from './instant.ts'

export interface RememberedReply<Reply> {
  readonly body: string
  readonly reply: Reply
  readonly until: Instant
}

export interface IdempotencyStore<Reply> {
  /** The stored reply to this request; `'conflict'` when its id came with another body. */
  readonly recall: (key: string, body: string, now: Instant) => Reply | 'conflict' | undefined
  readonly remember: (key: string, body: string, reply: Reply, until: Instant) => void
}

const maxEntries = 10_000
/** Maximum characters of all stored replies. */
const maxChars = 8_000_000

/**
 * `charsOf`: characters of a reply. A mutation with a known id and the same content takes effect once (TRN-HDR-04,
 * TRN-UND-03).
 */
export function createIdempotencyStore<Reply>(
  charsOf: (reply: Reply) => number,
): IdempotencyStore<Reply> {
  const replies = new Map<string, RememberedReply<Reply>>()
  const sizeOf = ({ reply }: RememberedReply<Reply>): number => charsOf(reply)
  const limits = { maxEntries, maxSize: maxChars, sizeOf }
  return {
    recall(key, body, now) {
      const remembered = replies.get(key)
      if (!remembered) return undefined
      if (remembered.until <= now) {
        deleteSized(replies, key, limits)
        return undefined
      }
      return remembered.body === body ? remembered.reply : 'conflict'
    },
    remember: (key, body, reply, until) =>
      void setSized(replies, [key, { body, reply, until }], limits),
  }
}

const minuteMs = 60_000

export interface Allowance {
  readonly limit: number
  readonly remaining: number
  /** End of the window, in milliseconds from now. */
  readonly resetMs: number
}

/** Counts a request of a client; returns the remaining allowance, or undefined without a limit. */
export type RateLimit = (client: string, now: Instant) => Allowance | undefined

/**
 * Fixed-window rate limit per client; a window (one minute by default) begins with the client's first request. A
 * maximum of 0 is no limit.
 */
export function createRateLimit(max: number, windowMs = minuteMs): RateLimit {
  const windows = new Map<string, { since: Instant; count: number }>()
  return (client, now) => {
    if (max === 0) return undefined
    const last = windows.get(client)
    const window = last && now - last.since < windowMs ? last : { since: now, count: 0 }
    window.count++
    setBounded(windows, client, window, maxEntries)
    return {
      limit: max,
      remaining: max - window.count,
      resetMs: window.since + windowMs - now,
    }
  }
}
