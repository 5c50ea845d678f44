/** The time of a service that sleeps by the wall clock, while the clock of the session stands, jumps and goes faster. */
import { afterEach, expect, test, vi } from 'vitest'
import type { ClockMode } from '../../session-api/session-api.ts'
import { ServiceTime } from './service-time.ts'

const now = vi.spyOn(performance, 'now')
afterEach(() => void now.mockReset())

/** A session's clock at 0, with a wall clock of its own. */
function clockAt(mode: ClockMode, speed = 1) {
  const state = { at: 0, mode, speed }
  let wall = 0
  now.mockImplementation(() => wall)
  const time = new ServiceTime(() => state)
  return {
    time,
    turn: (change: Partial<typeof state>): void => {
      Object.assign(state, change)
      time.turn()
    },
    /** Lets the wall clock run, and the session's where it runs. */
    pass: (ms: number): void => {
      wall += ms
      if (state.mode === 'real') state.at += ms * state.speed
    },
  }
}

test('while the session’s clock stands the service’s goes on, and while it jumps the service gets no time', () => {
  const { time, turn, pass } = clockAt('real')
  pass(300)
  turn({ mode: 'stepped' })
  pass(200)
  turn({})
  turn({ at: 4300 })
  pass(50)
  turn({ mode: 'real' })
  pass(100)
  // From what came before the clock stood: 300 by both, 200 and 50 while it stood, and 100 since.
  expect(time.atLeast(0)).toBe(650)
  // What is dated by the instant at which it stood may have come at the end of that.
  expect(time.atLeast(300)).toBe(150)
  expect(time.atLeast(0, 300)).toBe(300)
  expect(time.atLeast(1000)).toBe(150)
  expect(time.atLeast(4300)).toBe(100)
})

test('at sixtyfold speed a second of the wall is a minute of the service, also on a clock that stands then', () => {
  const { time, turn, pass } = clockAt('real', 60)
  pass(1000)
  turn({ mode: 'stepped' })
  pass(1000)
  expect([time.pace(), time.atLeast(0)]).toEqual([60, 120_000])
})

test('on the virtual clock the time of the session is the service’s; from before the session there is no limit', () => {
  const { time, turn } = clockAt('virtual', 60)
  turn({ at: 5000 })
  expect([time.pace(), time.atLeast(0), time.atLeast(-1)]).toEqual([1, 5000, Infinity])
})
