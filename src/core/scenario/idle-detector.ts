/**
 * Idle detector: learns the subject's poll interval and retry delay from its traffic, and derives from when on it counts as
 * idle: when it was silent for longer than its poll interval, and its last failed call is longer ago than its retry delay.
 */
import type { Instant } from '../engine/instant.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'

export interface IdleDetector {
  readonly observe: (seen: ObservedExchange) => void
  /** End of the last exchange that was not an empty poll, a token or a manifest. */
  readonly lastActivity: () => Instant
  /** Silence that is longer than its poll interval, in ms. */
  readonly silenceMs: () => number
  /** The instant at which the subject counts as idle, when nothing happens after this activity. */
  readonly idleFrom: (activity: Instant) => Instant
}

const pollOperations: ReadonlySet<string> = new Set(['pollingEvents', 'pollEventsV1'])
/** Assumed poll interval until one was observed, in ms. */
const defaultPollMs = 1000
/** Maximum poll interval, in ms: a subject that polls once an hour would be waited for all day. */
const maxPollMs = 30_000
/** Of a subject that polls rarely a silence is long enough that is longer by so much than its poll interval, in ms. */
const maxSlackMs = 10_000
/** Maximum retry delay, in ms: a longer one is a cool-down with something pending, which is waited for anyway. */
const maxRetryMs = 10_000

/** Empty polls, tokens and manifests recur for ever, and are no activity. */
function isActivity(seen: ObservedExchange): boolean {
  const { operation } = seen
  if (operation === undefined) return false
  const { capability } = rowOf(operation)
  if (capability === 'auth' || capability === 'discovery') return false
  if (!pollOperations.has(operation)) return true
  const events = seen.responseJson()
  return Array.isArray(events) && events.length > 0
}

export function createIdleDetector(): IdleDetector {
  let lastActivity: Instant = 0
  let lastPoll: Instant | undefined
  let pollMs = defaultPollMs
  let retryMs = 0
  let lastFailure: Instant = 0
  /** Last failure by operation and order. */
  const lastFailures = new Map<string, Instant>()

  function learnRetries({ operation, orderId, ok, began, ended }: ObservedExchange): void {
    const key = `${operation} ${orderId ?? ''}`
    const before = lastFailures.get(key)
    if (before !== undefined) retryMs = Math.min(maxRetryMs, Math.max(retryMs, began - before))
    if (ok) return void lastFailures.delete(key)
    lastFailure = Math.max(lastFailure, ended)
    if (lastFailures.size < 10_000) lastFailures.set(key, ended)
  }

  const silenceMs = (): number => Math.min(3 * pollMs, pollMs + maxSlackMs)

  return {
    observe(seen) {
      const { operation, caller: by, began, ended } = seen
      if (isActivity(seen)) lastActivity = Math.max(lastActivity, ended)
      if (by !== 'subject' || operation === undefined) return
      if (pollOperations.has(operation)) {
        if (lastPoll !== undefined) pollMs = Math.min(maxPollMs, Math.max(100, began - lastPoll))
        lastPoll = began
      } else learnRetries(seen)
    },
    lastActivity: () => lastActivity,
    silenceMs,
    idleFrom: (activity) => Math.max(activity + silenceMs(), lastFailure + 2 * retryMs),
  }
}
