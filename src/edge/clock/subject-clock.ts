/**
 * The session's clock for a subject that runs in this process: it sleeps on the agenda, so nothing waits for the wall,
 * and a run depends on nothing but its seed and what was put in.
 */
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Pause } from './pauses.ts'

export interface SubjectClock {
  /** Milliseconds since 1970, in the session's time. */
  readonly now: () => Instant
  /** Resolves when this much of the session's time is over, or as soon as `enough` is aborted. */
  readonly sleep: (ms: number, enough?: AbortSignal) => Promise<void>
  /** From 0, below 1, by the session's seed. */
  readonly random: () => number
}

export interface SubjectClockOptions {
  readonly now: () => Instant
  readonly pause: Pause
  readonly chance: Chance
  /** The subject does something: whoever waits until it does no more waits on. */
  readonly touch: () => void
}

export const createSubjectClock = ({
  now,
  pause,
  chance,
  touch,
}: SubjectClockOptions): SubjectClock => ({
  now() {
    touch()
    return now()
  },
  async sleep(ms, enough) {
    touch()
    await pause({ whose: 'subject', ms, enough })
  },
  random: () => chance.fraction(),
})
