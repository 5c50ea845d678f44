/** The automatic virtual clock: it stops when the agenda is idle, and any later fact wakes it. */
import { expect, test } from 'vitest'
import { transcript } from '../../../test/support/transcript.ts'
import { createClockDriver } from './clock-driver.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a fact recorded just when the clock stops wakes it again', async () => {
  const { engine } = transcript()
  const plan = (afterMs: number): void => {
    const command = { kind: 'token.revoke', host: 'ordering-application', clientId: 'x' } as const
    engine.submit({ kind: 'agenda.plan', command, afterMs })
  }
  let looks = 0
  const driver = createClockDriver({
    engine,
    mode: 'virtual',
    speed: 1,
    automatic: true,
    onBug: (error) => expect.unreachable(String(error)),
    whenIdle() {
      const calm = turn()
      // Before and after the first item: then the agenda is empty, and a second fact follows right after that check.
      if (++looks === 2) queueMicrotask(() => void calm.then(() => plan(2000)))
      return calm
    },
  })
  const begun = engine.now()
  plan(1000)
  for (let turns = 0; turns < 20; turns++) await turn()
  expect([engine.now() - begun, engine.world.agenda.foreground]).toEqual([3000, 0])
  driver.stop()
})
