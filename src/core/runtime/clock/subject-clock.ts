/**
 * The session's clock for an in-process subject: its sleeps are items on the agenda, so nothing waits for the wall
 * clock, and a run depends only on its seed and its inputs.
 */
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import type { Pause } from './pauses.ts'
import type { SubjectClock } from '../../session-api/session.ts'

export interface SubjectClockOptions {
  readonly now: () => Instant
  readonly pause: Pause
  readonly chance: Chance
  /** Marks activity of the subject, which postpones idle detection. */
  readonly markActivity: () => void
}

export const createSubjectClock = ({
  now,
  pause,
  chance,
  markActivity,
}: SubjectClockOptions): SubjectClock => ({
  now() {
    markActivity()
    return now()
  },
  async sleep(ms, enough) {
    markActivity()
    await pause({ whose: 'subject', ms, enough })
  },
  random: () => chance.fraction(),
})
