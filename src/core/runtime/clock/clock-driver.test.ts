/** The automatic virtual clock: it stops when the agenda is idle, and any later fact wakes it. */
import { expect, test, vi } from 'vitest'
import { transcript } from '../../../../test/support/transcript.ts'
import { ClockDriver } from './clock-driver.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a fact recorded just when the clock stops wakes it again', async () => {
  const { engine } = transcript()
  const plan = (afterMs: number): void => {
    const command = { kind: 'token.revoke', host: 'ordering-application', clientId: 'x' } as const
    engine.submit({ kind: 'agenda.plan', command, afterMs })
  }
  let looks = 0
  const driver = new ClockDriver({
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

test('in real time a measured instant has fractions; facts have whole ones, and so has a clock that stands', () => {
  const { engine } = transcript()
  const begun = engine.now()
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const driver = new ClockDriver({
    engine,
    mode: 'real',
    speed: 0.5,
    since: performance.timeOrigin + 1000,
    automatic: false,
    onBug: (error) => expect.unreachable(String(error)),
    whenIdle: turn,
  })
  try {
    now.mockReturnValue(1000 + 2001)
    expect(driver.at() - begun).toBeCloseTo(1000.5, 2)
    driver.sync()
    expect(engine.now() - begun).toBe(1000)
    expect(driver.at() - begun).toBeCloseTo(1000.5, 2)
    driver.setClock({ mode: 'stepped' })
    now.mockReturnValue(1000 + 4000)
    expect(driver.at() - begun).toBe(1000)
  } finally {
    now.mockRestore()
    driver.stop()
  }
})
