import { expect, test } from 'vitest'
import { sampleExchange, sampleT0 } from '../../../../test/support/sample-exchange.ts'
import type { HeaderLine, RecordedClock } from '../../../core/traffic/recording/format.ts'
import { recordedSpeedNotice } from './recorded-speed.ts'

/** Ten exchanges, ten seconds apart by the session's clock. */
function recorded(clock: RecordedClock, everyMsOnWall: number) {
  const exchanges = Array.from({ length: 10 }, (_, index) => ({
    ...sampleExchange(index + 1, { startedAt: sampleT0 + index * 10_000, tookMs: 0 }),
    wall: { startedAt: sampleT0 + index * everyMsOnWall, tookMs: 0 },
    recordId: `r${index}`,
  }))
  const header = { _rec: { clock } } as HeaderLine
  return { exchanges, header }
}

const original = { mode: 'original' } as const

test('a recording of a faster clock: how long it takes now, and how to be as fast', () => {
  expect(recordedSpeedNotice(recorded({ mode: 'real', speed: 20 }, 500), original)).toBe(
    'it tells of 90s and was recorded in 5s at speed 20; this replay takes the time it tells of. ' +
      '--speed 20x is about as fast as it was recorded, --speed asap waits for causes only',
  )
  expect(recordedSpeedNotice(recorded({ mode: 'virtual', speed: 1 }, 100), original)).toContain(
    'in 1s on the virtual clock',
  )
})

test('nothing where it takes as long as it took, or a pace is asked for', () => {
  const real = recorded({ mode: 'real', speed: 1 }, 10_000)
  expect(recordedSpeedNotice(real, original)).toBeUndefined()
  const fast = recorded({ mode: 'real', speed: 20 }, 500)
  for (const pace of [
    { mode: 'asap' },
    { mode: 'original', speed: 2 },
    { mode: 'original', maxGapMs: 2000 },
  ] as const)
    expect(recordedSpeedNotice(fast, pace)).toBeUndefined()
})
