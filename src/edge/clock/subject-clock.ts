/**
 * The session's clock for a subject that runs in this process: it sleeps on the agenda, so nothing waits for the wall,
 * and a run depends on nothing but its seed and what was put in.
 */
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Pause } from './pauses.ts'
import type { SubjectClock } from '../../session-api/session.ts'

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
