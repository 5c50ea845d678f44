/**
 * The life of a service: what it has under way, and how all of that comes to an end. Every wait is at a bell, which news
 * rings and which the end of the service rings too, so nobody sleeps past either.
 */
import type { Clock } from './clock.ts'

export interface Bell {
  /** Wakes who waits; whoever comes to wait next does not wait at all. */
  readonly ring: () => void
  /** Waits so long at most. */
  readonly wait: (ms: number) => Promise<void>
}

export interface Life {
  readonly running: () => boolean
  /** Aborted when it ends. */
  readonly signal: AbortSignal
  readonly bell: () => Bell
  /** Something that goes on by itself. A mistake in it is nobody's to catch. */
  readonly go: (work: () => Promise<void>) => void
  /** Ends it; resolves when nothing is under way any more. */
  readonly end: () => Promise<void>
}

export function createLife(clock: Clock): Life {
  const ended = new AbortController()
  const works = new Set<Promise<void>>()
  const waiting = new Set<() => void>()

  function bell(): Bell {
    const own = new Set<() => void>()
    let rung = false
    return {
      ring() {
        rung = true
        for (const wake of own) wake()
      },
      async wait(ms) {
        if (!rung && !ended.signal.aborted && ms > 0) {
          const enough = new AbortController()
          const wake = (): void => enough.abort()
          own.add(wake)
          waiting.add(wake)
          // Whole milliseconds: a fraction of one might never be over.
          await clock.sleep(Math.ceil(ms), enough.signal)
          own.delete(wake)
          waiting.delete(wake)
        }
        rung = false
      },
    }
  }

  return {
    running: () => !ended.signal.aborted,
    signal: ended.signal,
    bell,
    go(work) {
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
