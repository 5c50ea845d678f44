/**
 * A clock that passes only when it is told to, for a subject that runs in the process of whoever tests it. Between two
 * instants everything that was set off gets its chance to finish, so a run depends on nothing but what was put in.
 */
import type { Clock } from './clock.ts'

export interface VirtualClock extends Clock {
  /** When the next sleeper wakes; undefined when nobody sleeps. */
  readonly due: () => number | undefined
  /** Lets this much time pass, with everything that comes due in it. */
  readonly advance: (ms: number) => Promise<void>
  /** Lets no time pass, and everything that is under way come to where it waits for time. */
  readonly settle: () => Promise<void>
}

interface Sleeper {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

/** Turns of the machine's loop in which nobody asks this clock anything: then all of them wait. */
const calmTurns = 4

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createVirtualClock(startAt = 1_767_625_200_000, seed = 42): VirtualClock {
  const sleepers = new Set<Sleeper>()
  let now = startAt
  let order = 0
  let asked = 0
  let state = seed

  const next = (): Sleeper | undefined =>
    [...sleepers].toSorted((one, other) => one.at - other.at || one.order - other.order)[0]

  async function settle(): Promise<void> {
    for (let calm = 0; calm < calmTurns; calm++) {
      const before = asked
      await turn()
      if (asked !== before) calm = -1
    }
  }

  return {
    now() {
      asked++
      return now
    },
    sleep(ms, enough) {
      asked++
      return new Promise((resolve) => {
        if (enough?.aborted) return resolve()
        const sleeper = { at: now + Math.max(0, ms), order: order++, wake }
        function wake(): void {
          sleepers.delete(sleeper)
          enough?.removeEventListener('abort', wake)
          asked++
          resolve()
        }
        enough?.addEventListener('abort', wake, { once: true })
        sleepers.add(sleeper)
      })
    },
    random() {
      // A linear congruential generator: jitter and names need no better one, and a run can be had again.
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
