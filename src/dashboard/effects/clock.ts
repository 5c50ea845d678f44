/**
 * Stops and resumes the clock and changes its speed. The clock is queried at execution time, since a burst of keys is
 * faster than the screen.
 */
import { compact } from '../../compact.ts'
import type { ClockMode, SessionApi } from '../../session-api/session-api.ts'
import type { Message } from '../model/message.ts'
import { noticeMessage } from './notice.ts'

const minSpeed = 0.25
const maxSpeed = 64

/** Resumes the clock in its former mode, or stops it so that items are taken one by one. */
export async function toggleClock(
  session: SessionApi,
  resume: ClockMode,
): Promise<readonly Message[]> {
  const { clock } = (await session.look({})).info
  const isStopped = clock.mode === 'stepped'
  await session.setClock({ mode: isStopped ? resume : 'stepped' })
  return [
    noticeMessage(
      isStopped ? `the ${resume} clock runs` : 'clock paused: n takes one item at a time',
    ),
  ]
}

export async function changeSpeed(session: SessionApi, by: number): Promise<readonly Message[]> {
  const { clock } = (await session.look({})).info
  return setClock(session, {
    speed: Math.max(minSpeed, Math.min(maxSpeed, clock.speed * by)),
  })
}

/** Sets the mode of the clock, or its speed. */
export async function setClock(
  session: SessionApi,
  { mode, speed }: { readonly mode?: ClockMode; readonly speed?: number },
): Promise<readonly Message[]> {
  await session.setClock(compact({ mode, speed }))
  const texts = [
    ...(mode === undefined ? [] : [`the clock is ${mode} now`]),
    ...(speed === undefined
      ? []
      : [speed === 1 ? 'the clock runs as the wall’s' : `the clock runs at speed x${speed}`]),
  ]
  return [noticeMessage(texts.join(', '))]
}
