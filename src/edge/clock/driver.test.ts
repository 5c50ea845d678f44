/** The virtual clock of its own accord: it sleeps when nothing is left to do, and no fact comes too late to wake it. */
import { expect, test } from 'vitest'
import { transcript } from '../../../test/support/transcript.ts'
import { createDriver } from './driver.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a fact that comes just when the clock goes to sleep wakes it again', async () => {
  const { engine } = transcript()
  const plan = (afterMs: number): void => {
    const command = { kind: 'token.revoke', host: 'ordering-application', clientId: 'x' } as const
    engine.submit({ kind: 'agenda.plan', command, afterMs })
  }
  let looks = 0
  const driver = createDriver({
    engine,
    mode: 'virtual',
    speed: 1,
    automatic: true,
    onBug: (error) => expect.unreachable(String(error)),
    quiet() {
      const calm = turn()
      // Before the first item and after it: then nothing is left, and right behind that look comes a second one.
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
