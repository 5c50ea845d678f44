/**
 * The subject's own pace, learned from what it does: how often it polls, how long it waits before it tries again, when
 * it last asked for something of substance. It says how long a silence must last before it means that all is done.
 */
import type { Instant } from '../engine/instant.ts'
import type { ObservedExchange } from '../invariants/judge/observations.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'

export interface Rhythm {
  readonly heard: (seen: ObservedExchange) => void
  /** When the last request of substance came to its end. */
  readonly lastBusiness: () => Instant
  /** How long nothing of substance must have happened before nothing more will. */
  readonly silenceMs: () => number
}

const polls: ReadonlySet<string> = new Set(['pollingEvents', 'pollEventsV1'])
/** Before anything was learned. */
const usualPollMs = 1000
/** No pause is taken for longer: whoever polls once an hour would be waited for all day. */
const longestMs = 30_000
/** A longer pause is a cool-down; whoever cools down has something open, and that is waited for anyway. */
const longestRetryMs = 10_000

/** Polls that bring nothing, tokens and manifests go on for ever, and say nothing about orders. */
function isBusiness(seen: ObservedExchange): boolean {
  const { operation } = seen
  if (operation === undefined) return false
  const { capability } = rowOf(operation)
  if (capability === 'auth' || capability === 'discovery') return false
  if (!polls.has(operation)) return true
  const events = seen.responseJson()
  return Array.isArray(events) && events.length > 0
}

export function createRhythm(): Rhythm {
  let lastBusiness: Instant = 0
  let lastPoll: Instant | undefined
  let pollMs = usualPollMs
  let retryMs = 0
  /** When a call about the same failed last. */
  const failed = new Map<string, Instant>()

  function learnRetries({ operation, orderId, ok, began, ended }: ObservedExchange): void {
    const key = `${operation} ${orderId ?? ''}`
    const before = failed.get(key)
    if (before !== undefined) retryMs = Math.min(longestRetryMs, Math.max(retryMs, began - before))
    if (ok) failed.delete(key)
    else if (failed.size < 10_000) failed.set(key, ended)
  }

  return {
    heard(seen) {
      const { operation, caller: by, began, ended } = seen
      if (isBusiness(seen)) lastBusiness = Math.max(lastBusiness, ended)
      if (by !== 'subject' || operation === undefined) return
      if (polls.has(operation)) {
        if (lastPoll !== undefined) pollMs = Math.min(longestMs, Math.max(100, began - lastPoll))
        lastPoll = began
      } else learnRetries(seen)
    },
    lastBusiness: () => lastBusiness,
    silenceMs: () => Math.max(3 * pollMs, 2 * retryMs),
  }
}
