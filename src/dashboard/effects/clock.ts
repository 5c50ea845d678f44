/**
 * Stopping, running and hurrying the clock. What each comes to depends on how the clock is when its turn comes, since a
 * burst of keys is quicker than the screen.
 */
import type { ClockMode, SessionApi } from '../../session-api/session-api.ts'
import type { Message } from '../model/message.ts'
import { tell } from './notice.ts'

const slowest = 0.25
const fastest = 64

/** Runs the clock in the mode that it had, or stops it so that a person takes each item. */
export async function toggleClock(
  face: SessionApi,
  resume: ClockMode,
): Promise<readonly Message[]> {
  const { clock } = (await face.look({})).info
  const stands = clock.mode === 'stepped'
  await face.setClock({ mode: stands ? resume : 'stepped' })
  return [
    tell(stands ? `the ${resume} clock runs` : 'the clock stands: n takes one item at a time'),
  ]
}

export async function changeSpeed(face: SessionApi, by: number): Promise<readonly Message[]> {
  const { clock } = (await face.look({})).info
  const speed = Math.max(slowest, Math.min(fastest, clock.speed * by))
  await face.setClock({ speed })
  return [tell(speed === 1 ? 'the clock runs as the wall’s' : `the clock runs at speed x${speed}`)]
}
