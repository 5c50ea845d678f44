/**
 * A virtual clock for a subject in the test process: time advances only on demand, and between two instants all pending
 * work settles, so runs are deterministic.
 */
import type { Clock } from '../../../src/demo/clock.ts'

export interface VirtualClock extends Clock {
  /** Instant of the next wake-up; undefined without sleepers. */
  readonly due: () => number | undefined
  /** Advances the time by `ms`, waking all sleepers that come due. */
  readonly advance: (ms: number) => Promise<void>
  /** Lets pending work run until all of it waits for time. */
  readonly settle: () => Promise<void>
}

interface Sleeper {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

/** Event-loop turns without any use of the clock after which everything counts as waiting. */
const idleTurns = 4

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createVirtualClock(startAt = 1_767_625_200_000, seed = 42): VirtualClock {
  const sleepers = new Set<Sleeper>()
  let now = startAt
  let order = 0
  let uses = 0
  let state = seed

  const next = (): Sleeper | undefined =>
    [...sleepers].toSorted((one, other) => one.at - other.at || one.order - other.order)[0]

  async function settle(): Promise<void> {
    for (let idle = 0; idle < idleTurns; idle++) {
      const before = uses
      await turn()
      if (uses !== before) idle = -1
    }
  }

  return {
    now() {
      uses++
      return now
    },
    sleep(ms, enough) {
      uses++
      return new Promise((resolve) => {
        if (enough?.aborted) return resolve()
        const sleeper = { at: now + Math.max(0, ms), order: order++, wake }
        function wake(): void {
          sleepers.delete(sleeper)
          enough?.removeEventListener('abort', wake)
          uses++
          resolve()
        }
        enough?.addEventListener('abort', wake, { once: true })
        sleepers.add(sleeper)
      })
    },
    random() {
      // A linear congruential generator: good enough for jitter and ids, and reproducible.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    },
    due: () => next()?.at,
    settle,
    async advance(ms) {
      const end = now + ms
      await settle()
      for (let sleeper = next(); sleeper && sleeper.at <= end; sleeper = next()) {
        now = Math.max(now, sleeper.at)
        sleeper.wake()
        await settle()
      }
      now = end
    },
  }
}
