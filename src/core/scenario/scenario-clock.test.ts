/** Waiting on the real clock, against a service with a clock of its own. */
import { expect, test } from 'vitest'
import { createScenarioClock } from './scenario-clock.ts'
import { openSession } from '../session/open-session.ts'

test('on the real clock a condition that becomes true by time alone is noticed without a notification', async () => {
  await using session = await openSession({ as: 'software-service', clock: 'real', listen: false })
  const naps: number[] = []
  const time = createScenarioClock({
    session,
    sleep: async (ms) => void naps.push(ms),
    nextScheduled: () => undefined,
    enough: new AbortController().signal,
  })
  let looks = 0
  expect(await time.waitUntil(() => ++looks > 3, 3_600_000)).toBe(true)
  expect(naps).toEqual([250, 250, 250])
})
