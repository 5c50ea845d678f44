/** When a subject counts as idle: learned from its own polls and retries. */
import type { Instant } from '../engine/instant.ts'
import { operation as rowOf } from '../protocol/catalogue.ts'
import type { ObservedExchange } from '../rules/invariants/judge/observations.ts'

const pollOperations: ReadonlySet<string> = new Set(['pollingEvents', 'pollEventsV1'])
/** Assumed poll interval until one was observed, in ms. */
const defaultPollMs = 1000
/** Maximum poll interval, in ms: a subject that polls once an hour would be waited for all day. */
const maxPollMs = 30_000
/** Of a subject that polls rarely a silence is long enough that is longer by so much than its poll interval, in ms. */
const maxSlackMs = 10_000
/** Maximum retry delay, in ms: a longer one is a cool-down with something pending, which is waited for anyway. */
const maxRetryMs = 10_000
/** How many times longer than the last one the next retry delay may be: doubled, and spread by a fifth both ways. */
const retryGrowth = 3

/** Empty polls, tokens and manifests recur for ever, and are no activity. */
function isActivity(observed: ObservedExchange): boolean {
  const { operation } = observed
  if (operation === undefined) return false
  const { capability } = rowOf(operation)
  if (capability === 'auth' || capability === 'discovery') return false
  if (!pollOperations.has(operation)) return true
  const events = observed.responseJson()
  return Array.isArray(events) && events.length > 0
}

/**
 * Idle detector: learns the subject's poll interval and retry delay from its traffic, and derives from when on it
 * counts as idle: when it was silent for longer than its poll interval, and the last failed call that was not followed by
 * a successful one is longer ago than its next retry delay.
 */
export class IdleDetector {
  #lastActivity: Instant = 0
  #lastPoll: Instant | undefined
  #pollMs = defaultPollMs
  #retryMs = 0
  /** Last failure by operation and order, without those that a success followed. */
  readonly #lastFailures = new Map<string, Instant>()

  observe(observed: ObservedExchange): void {
    const { operation, caller: by, began, ended } = observed
    if (isActivity(observed)) this.#lastActivity = Math.max(this.#lastActivity, ended)
    if (by !== 'subject' || operation === undefined) return
    if (pollOperations.has(operation)) {
      if (this.#lastPoll !== undefined)
        this.#pollMs = Math.min(maxPollMs, Math.max(100, began - this.#lastPoll))
      this.#lastPoll = began
    } else this.#learnRetries(observed)
  }

  /** End of the last exchange that was not an empty poll, a token or a manifest. */
  readonly lastActivity = (): Instant => this.#lastActivity
  /** Silence that is longer than its poll interval, in ms. */
  readonly silenceMs = (): number => Math.min(3 * this.#pollMs, this.#pollMs + maxSlackMs)

  /** The instant at which the subject counts as idle, when nothing happens after this activity. */
  idleFrom(activity: Instant): Instant {
    const failed = this.#retryMs === 0 ? 0 : Math.max(0, ...this.#lastFailures.values())
    return Math.max(activity + this.silenceMs(), failed + retryGrowth * this.#retryMs)
  }

  #learnRetries({ operation, orderId, ok, began, ended }: ObservedExchange): void {
    const key = `${operation} ${orderId ?? ''}`
    const before = this.#lastFailures.get(key)
    if (before !== undefined)
      this.#retryMs = Math.min(maxRetryMs, Math.max(this.#retryMs, began - before))
    if (ok) return void this.#lastFailures.delete(key)
    if (this.#lastFailures.size < 10_000) this.#lastFailures.set(key, ended)
  }
}
