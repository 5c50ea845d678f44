/** Retry-After limits of one host, per operation: a limit holds for every call of the operation. */
import type { Clock } from './clock.ts'
import type { Answer } from './send.ts'

export interface RetryAfterLimits {
  /** Instant (ms) before which the operation may not be called; 0 without limit. */
  readonly blockedUntil: (operation: string) => number
  /** Records the Retry-After of a reply. */
  readonly record: (operation: string, answer: Answer) => void
}

/** Upper bound of Retry-After, in ms; longer values are taken for mistakes. */
const longestMs = 3_600_000

/** Retry-After, in seconds or as a date, as milliseconds from now. */
export function retryAfterMs(
  { status, headers }: Answer,
  clock: Clock,
  perUnit = 1000,
): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (status < 400 || value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * perUnit : Date.parse(value) - clock.now()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), longestMs)
}

export function createRetryAfterLimits(clock: Clock, perUnit?: number): RetryAfterLimits {
  const gates = new Map<string, number>()
  return {
    blockedUntil: (operation) => gates.get(operation) ?? 0,
    record(operation, answer) {
      const ms = retryAfterMs(answer, clock, perUnit)
      if (ms === undefined) return
      gates.set(operation, Math.max(gates.get(operation) ?? 0, clock.now() + ms))
    },
  }
}
