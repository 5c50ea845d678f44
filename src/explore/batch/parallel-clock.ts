/**
 * One clock for many players of one session: time passes when all of them wait, and each goes on as soon as its condition
 * holds. On a stepped or virtual clock in slices, on the real clock by listening for changes. Every wait has a timeout.
 */
import type { Instant } from '../../core/engine/instant.ts'
import type { ScenarioClock } from '../../core/scenario/scenario-clock.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { ClockMode } from '../../core/session-api/session-api.ts'

interface Waiter {
  readonly holds: () => boolean | Promise<boolean>
  readonly end: Instant
  readonly resume: (isHeld: boolean) => void
}

export interface ParallelClock {
  readonly clock: ScenarioClock
  /**
   * Plays all of them to their ends, a stepped or virtual clock in jumps of at most `sliceMs`; the first error is thrown when
   * the others have ended.
   */
  readonly play: (players: readonly (() => Promise<void>)[], sliceMs: number) => Promise<void>
}

export interface ParallelClockOptions {
  readonly session: Pick<Session, 'advance' | 'clock' | 'subscribe'>
  /** Brings the real clock up to now: it stands where nothing happens, such as when the service is gone. */
  readonly sync: () => Promise<unknown>
  readonly mode: ClockMode
  readonly speed: number
  /** Waits on the machine's clock, in ms, or until aborted. */
  readonly sleep: (ms: number, enough: AbortSignal) => Promise<void>
  readonly enough: AbortSignal
  /** Called each time some of it has passed. */
  readonly whilePassing?: (() => Promise<void>) | undefined
}

/** Maximum sleep on the real clock, in ms: a silence that lasts long enough raises no change. */
const maxSleepMs = 250

/** No step pauses the clock of a schedule: others go by it too. */
export const unpaused: Pick<ScenarioClock, 'isDriven' | 'isPaused' | 'pause' | 'resume'> = {
  isDriven: () => Promise.resolve(false),
  isPaused: () => Promise.resolve(false),
  pause: () => Promise.resolve(),
  resume: () => Promise.resolve(),
}

export function createParallelClock(options: ParallelClockOptions): ParallelClock {
  const { session, sync, mode, speed, sleep, enough, whilePassing } = options
  const waiters = new Set<Waiter>()
  let playing = 0
  let onBlocked: (() => void) | undefined

  const { now } = session.clock

  const checkBlocked = (): void => {
    if (waiters.size >= playing) onBlocked?.()
  }

  /** Resolves when every player waits or has ended. */
  const allBlocked = (): Promise<void> =>
    new Promise((resolve) => {
      onBlocked = () => {
        onBlocked = undefined
        resolve()
      }
      checkBlocked()
    })

  const clock: ScenarioClock = {
    now: () => Promise.resolve(now()),
    async waitUntil(holds, timeoutMs) {
      if (enough.aborted) return false
      return new Promise((resume) => {
        waiters.add({ holds, end: now() + timeoutMs, resume })
        checkBlocked()
      })
    },
    advance: async (ms) => void (await clock.waitUntil(() => false, ms)),
    ...unpaused,
  }

  /** Lets those go on whose condition holds or whose time is over; returns whether there were any. */
  async function resumeSome(): Promise<boolean> {
    let resumed = false
    for (const waiter of waiters) {
      const isHeld = !enough.aborted && (await waiter.holds())
      if (!isHeld && now() < waiter.end && !enough.aborted) continue
      waiters.delete(waiter)
      waiter.resume(isHeld)
      resumed = true
    }
    return resumed
  }

  async function waitForChange(ms: number): Promise<void> {
    const changed = new AbortController()
    // Without a reason an exception would be created for each change.
    const stop = session.subscribe(() => changed.abort('changed'))
    try {
      await sleep(ms, AbortSignal.any([changed.signal, enough]))
    } finally {
      stop()
    }
  }

  async function passTime(sliceMs: number): Promise<void> {
    const next = Math.min(...[...waiters].map(({ end }) => end)) - now()
    if (mode === 'real') {
      await waitForChange(Math.max(1, Math.min(maxSleepMs, next / speed)))
      await sync()
    } else await session.advance(Math.max(0, Math.min(sliceMs, next)))
  }

  return {
    clock,
    async play(players, sliceMs) {
      playing = players.length
      const ended = players.map((player) =>
        player().finally(() => {
          playing--
          checkBlocked()
        }),
      )
      const all = Promise.allSettled(ended)
      for (await allBlocked(); playing > 0; await allBlocked())
        if (!(await resumeSome())) {
          await passTime(sliceMs)
          await whilePassing?.()
        }
      for (const each of await all) if (each.status === 'rejected') throw each.reason
    },
  }
}
