/** Sparring's own lag: what blocks its event loop is measured, on the session's clock. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { wallNow } from './clock.ts'
import { createLagMonitor } from './lag-monitor.ts'

const busyFor = (ms: number): void => {
  for (const end = wallNow() + ms; wallNow() < end;);
}

/** A monitor that is started, and the time of its session. */
function startedAtSpeed(speed: number) {
  const origin = wallNow()
  const at = (): number => (wallNow() - origin) * speed
  const monitor = createLagMonitor({ clock: () => ({ at: at(), speed }) })
  monitor.start()
  return { monitor, at }
}

test('a block of the event loop is known as soon as it is over, and counts once', async () => {
  const monitor = createLagMonitor({ clock: () => ({ at: wallNow(), speed: 1 }) })
  monitor.start()
  await pause(1)
  const from = wallNow()
  busyFor(300)
  // The timer has not fired yet: sockets are served first.
  const lag = monitor.between(from, wallNow())
  expect(lag).toBeGreaterThan(250)
  await pause(50)
  expect(monitor.between(from, wallNow()) - lag).toBeLessThan(250)
  monitor.stop()
})

test('it is told in session time: at speed 60 a block of 100 ms is 6 s', () => {
  const { monitor, at } = startedAtSpeed(60)
  busyFor(150)
  expect(monitor.between(0, at())).toBeGreaterThan(6000)
  monitor.stop()
})

test('what waited for the end of a block is served by the wall clock: at speed 60 it is dated seconds after it', () => {
  const { monitor, at } = startedAtSpeed(60)
  busyFor(150)
  monitor.between(0, at())
  busyFor(5)
  const served = at()
  expect(monitor.between(served + 1000, served + 2000)).toBeGreaterThan(6000)
  expect(monitor.between(served + 60_000, served + 61_000)).toBe(0)
  monitor.stop()
})

test('an item that is taken after its time is a lag from then on', () => {
  const monitor = createLagMonitor({ clock: () => ({ at: 1000, speed: 1 }) })
  monitor.start()
  monitor.itemTaken(995)
  expect(monitor.between(0, 1000)).toBe(0)
  monitor.itemTaken(400)
  expect(monitor.between(0, 1000)).toBe(600)
  monitor.stop()
})

test('on a clock that waits for us there is no lag', () => {
  const monitor = createLagMonitor({ clock: () => undefined })
  monitor.start()
  busyFor(50)
  monitor.itemTaken(-1000)
  expect(monitor.between(0, Number.MAX_SAFE_INTEGER)).toBe(0)
})
