/**
 * Stopping, running and hurrying the clock. What each comes to depends on how the clock is when its turn comes, since a
 * burst of keys is quicker than the screen.
 */
import type { ClockMode, SessionApi } from '../../session-api/session-api.ts'
import type { Message } from '../model/message.ts'
import { tell } from './notice.ts'

const minSpeed = 0.25
const maxSpeed = 64

/** Runs the clock in the mode that it had, or stops it so that a person takes each item. */
export async function toggleClock(
  session: SessionApi,
  resume: ClockMode,
): Promise<readonly Message[]> {
  const { clock } = (await session.look({})).info
  const isStopped = clock.mode === 'stepped'
  await session.setClock({ mode: isStopped ? resume : 'stepped' })
  return [
    tell(isStopped ? `the ${resume} clock runs` : 'the clock stands: n takes one item at a time'),
  ]
}

export async function changeSpeed(session: SessionApi, by: number): Promise<readonly Message[]> {
  const { clock } = (await session.look({})).info
  const speed = Math.max(minSpeed, Math.min(maxSpeed, clock.speed * by))
  await session.setClock({ speed })
  return [tell(speed === 1 ? 'the clock runs as the wall’s' : `the clock runs at speed x${speed}`)]
}
