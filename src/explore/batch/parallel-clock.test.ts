import { describe, expect, test } from 'vitest'
import { createParallelClock, type ParallelClock } from './parallel-clock.ts'

/** A clock that only moves when it is advanced, and tells when it does. */
function openTime() {
  const listeners = new Set<() => void>()
  const slices: number[] = []
  let now = 1000
  return {
    slices,
    session: {
      advance(ms: number) {
        slices.push(ms)
        now += ms
        for (const listener of listeners) listener()
        return Promise.resolve()
      },
      clock: { now: () => now, sleep: () => Promise.resolve(), random: () => 0 },
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    change: () => {
      for (const listener of listeners) listener()
    },
    jump: (ms: number) => void (now += ms),
  }
}

interface Playing extends Pick<ParallelClock, 'clock'> {
  readonly play: (players: readonly (() => Promise<void>)[]) => Promise<void>
  readonly time: ReturnType<typeof openTime>
  readonly enough: AbortController
}

function createClock(sliceMs = 100): Playing {
  const time = openTime()
  const enough = new AbortController()
  const { clock, play } = createParallelClock({
    session: time.session,
    sync: () => Promise.reject(new Error('the virtual clock is never behind')),
    mode: 'virtual',
    speed: 1,
    sleep: () => Promise.reject(new Error('the virtual clock never sleeps')),
    enough: enough.signal,
  })
  return { clock, play: (players) => play(players, sliceMs), time, enough }
}

describe('players of one session', () => {
  test('wait at the same time: each goes on when its time has come', async () => {
    const { clock, play } = createClock()
    const story: string[] = []
    const player =
      (name: string, ...pauses: readonly number[]) =>
      async () => {
        for (const ms of pauses) {
          await clock.advance(ms)
          story.push(`${name} at ${(await clock.now()) - 1000}`)
        }
      }
    await play([player('a', 300, 300), player('b', 100, 400), player('c', 700)])
    expect(story).toEqual(['b at 100', 'a at 300', 'b at 500', 'a at 600', 'c at 700'])
  })

  test('let time pass only when all of them wait', async () => {
    const { clock, play, time } = createClock()
    let turns = 0
    const busy = async (): Promise<void> => {
      for (; turns < 20; turns++) await Promise.resolve()
      expect(time.slices).toEqual([])
      await clock.advance(50)
    }
    await play([() => clock.advance(10), busy])
    expect(turns).toBe(20)
    expect(time.slices.reduce((sum, ms) => sum + ms, 0)).toBe(50)
  })

  test('go on as soon as their condition holds, and learn whether it did', async () => {
    const { clock, play, time } = createClock(100)
    const held: [boolean, number][] = []
    const waiting = (at: number, timeoutMs: number) => async () => {
      const isHeld = await clock.waitUntil(() => time.session.clock.now() >= 1000 + at, timeoutMs)
      held.push([isHeld, (await clock.now()) - 1000])
    }
    await play([waiting(250, 1000), waiting(5000, 400), waiting(0, 1000)])
    expect(held).toEqual([
      [true, 0],
      [true, 300],
      [false, 400],
    ])
  })

  test('never jump further than a slice, nor past the end of a wait', async () => {
    const { clock, play, time } = createClock(100)
    await play([() => clock.advance(250)])
    expect(time.slices).toEqual([100, 100, 50])
  })

  test('may have nothing to do', async () => {
    const { play, time } = createClock()
    await play([])
    await play([() => Promise.resolve()])
    expect(time.slices).toEqual([])
  })

  test('are all played to their ends when one fails, and its error is thrown', async () => {
    const { clock, play } = createClock()
    let ended = false
    const failing = async (): Promise<void> => {
      await clock.advance(100)
      throw new Error('the order could not be placed')
    }
    const other = async (): Promise<void> => {
      await clock.advance(500)
      ended = true
    }
    await expect(play([failing, other])).rejects.toThrow('the order could not be placed')
    expect(ended).toBe(true)
  })

  test('all go on when it is enough, and wait no more', async () => {
    const { clock, play, enough, time } = createClock()
    const results: boolean[] = []
    const forEver = async (): Promise<void> => {
      results.push(await clock.waitUntil(() => false, 1_000_000))
      results.push(await clock.waitUntil(() => true, 1_000_000))
    }
    await play([
      forEver,
      async () => {
        await clock.advance(100)
        enough.abort()
      },
    ])
    expect(results).toEqual([false, false])
    expect(time.slices.length).toBeLessThan(4)
  })
})

describe('on the real clock', () => {
  test('a change wakes the players before the end of their wait, which is in session time', async () => {
    const time = openTime()
    const sleeps: number[] = []
    const { clock, play } = createParallelClock({
      session: time.session,
      sync: () => Promise.resolve(),
      mode: 'real',
      speed: 10,
      enough: new AbortController().signal,
      sleep(ms, signal) {
        sleeps.push(ms)
        time.jump(500)
        if (sleeps.length === 1) time.change()
        expect(signal.aborted).toBe(sleeps.length === 1)
        return Promise.resolve()
      },
    })
    await play([async () => expect(await clock.waitUntil(() => false, 1500)).toBe(false)], 100)
    expect(sleeps).toEqual([150, 100, 50])
    expect(time.slices).toEqual([])
  })

  test('a wait ends where nothing happens at all', async () => {
    const time = openTime()
    let slept = 0
    const { clock, play } = createParallelClock({
      session: time.session,
      // Only now it is known how much time has passed.
      sync: () => Promise.resolve(time.jump(slept)),
      mode: 'real',
      speed: 1,
      enough: new AbortController().signal,
      sleep(ms) {
        slept = ms
        return Promise.resolve()
      },
    })
    await play([async () => expect(await clock.waitUntil(() => false, 1000)).toBe(false)], 100)
    expect(await clock.now()).toBe(2000)
  })
})
