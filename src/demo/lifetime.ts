/**
 * The lifetime of a service: background tasks and an orderly shutdown. All waits use wake signals, which events and the
 * shutdown trigger, so that no wait outlasts either.
 */
import type { Clock } from './clock.ts'

export interface WakeSignal {
  /** Ends the current wait; without one, the next wait returns at once. */
  readonly notify: () => void
  /** Waits at most this many milliseconds. */
  readonly wait: (ms: number) => Promise<void>
}

export interface Lifetime {
  readonly isRunning: () => boolean
  /** Aborted at shutdown. */
  readonly signal: AbortSignal
  readonly createSignal: () => WakeSignal
  /** Runs a background task; an exception in it is not caught. */
  readonly runInBackground: (work: () => Promise<void>) => void
  /** Shuts down; resolves when no background task runs any more. */
  readonly end: () => Promise<void>
}

export function createLifetime(clock: Clock): Lifetime {
  const ended = new AbortController()
  const works = new Set<Promise<void>>()
  const waiting = new Set<() => void>()

  function bell(): WakeSignal {
    const own = new Set<() => void>()
    let hasFired = false
    return {
      notify() {
        hasFired = true
        for (const wake of own) wake()
      },
      async wait(ms) {
        if (!hasFired && !ended.signal.aborted && ms > 0) {
          const enough = new AbortController()
          // Without a reason an exception with its stack would be created for each wait.
          const wake = (): void => enough.abort('woken')
          own.add(wake)
          waiting.add(wake)
          // Whole milliseconds: a fraction might never elapse.
          await clock.sleep(Math.ceil(ms), enough.signal)
          own.delete(wake)
          waiting.delete(wake)
        }
        hasFired = false
      },
    }
  }

  return {
    isRunning: () => !ended.signal.aborted,
    signal: ended.signal,
    createSignal: bell,
    runInBackground(work) {
      const done = work().finally(() => works.delete(done))
      works.add(done)
    },
    async end() {
      ended.abort()
      for (const wake of waiting) wake()
      await Promise.all(works)
    },
  }
}
