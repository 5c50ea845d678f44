import { describe, expect, test } from 'vitest'
import { createStopwatch, type SendTiming } from './timing.ts'

/** One send per ms, by a process that is busy for a part of each. */
function timed(sends: number, how: (place: number) => Partial<SendTiming>, busyEach = 0.2) {
  let busy = 0
  const stopwatch = createStopwatch({ strict: true, maxInFlight: 64, busy: () => busy })
  for (let place = 0; place < sends; place++) {
    busy += busyEach
    const intended = 1000 + place
    const { sentAt = intended + 0.5, ...rest } = how(place)
    stopwatch.send({
      intended,
      sentAt,
      answeredAt: sentAt + 2,
      at: intended,
      waitedMs: 0,
      busyMs: 0,
      ...rest,
    })
  }
  return stopwatch
}

describe('trust in the timing', () => {
  test('sends on time are trusted', () => {
    expect(timed(1000, () => ({})).timing()).toMatchObject({
      sends: 1000,
      lateness: { p50: expect.closeTo(0.5, 1) as number },
      busy: expect.closeTo(0.2, 1) as number,
    })
    expect(timed(1000, () => ({})).timing()?.distrust).toBeUndefined()
  })

  test('a service slower than the schedule is named as the cause', () => {
    const stopwatch = timed(1000, (place) => ({
      sentAt: 1000 + place + place / 2,
      answeredAt: 1000 + place + place / 2 + 120,
      waitedMs: place / 2,
      // The process is idle meanwhile.
      busyMs: place / 20,
    }))
    stopwatch.waiting(37)
    expect(stopwatch.timing()?.distrust).toMatch(
      /^your service is too slow .* half of its answers took 120 ms or more, so all 64 connections were busy, 37 exchanges waited for one, and one send in a hundred went out 49\d ms late or more$/,
    )
  })

  test('a process that takes up sends late is named as the cause, whatever the service does', () => {
    const stopwatch = timed(1000, (place) => ({ sentAt: 1000 + place + 60 }), 0.97)
    expect(stopwatch.timing()?.distrust).toMatch(
      /^this machine is too slow .* one send in a hundred went out 60 ms late or more, and not for want of answers; this process was at work itself for 9\d % of the time$/,
    )
  })

  test('connections busy because this process reads replies late are not blamed on the service', () => {
    const stopwatch = timed(1000, () => ({}), 0.9)
    for (let place = 0; place < 1000; place++)
      stopwatch.send({
        intended: 2000 + place,
        sentAt: 2080 + place,
        answeredAt: 2090 + place,
        at: 2000 + place,
        waitedMs: 80,
        busyMs: 78,
      })
    stopwatch.waiting(200)
    expect(stopwatch.timing()?.distrust).toMatch(/^this machine is too slow/)
  })

  test('slip after late replies is blamed on the service, unless this process was busy', () => {
    const slipping = (place: number): Partial<SendTiming> => ({ at: 1000 + place - 300 })
    expect(timed(500, slipping).timing()?.distrust).toMatch(
      /^your service is too slow .* up to 300 ms after its time$/,
    )
    expect(timed(500, slipping, 0.95).timing()?.distrust).toMatch(
      /^this machine is too slow .* up to 300 ms after its time; this process was at work itself for 9\d % of the time$/,
    )
  })

  test('no distrust without a schedule, and no timing without sends', () => {
    const free = createStopwatch({ strict: false, maxInFlight: 64, busy: () => 0 })
    expect(free.timing()).toBeUndefined()
    const send = { intended: 0, sentAt: 900, answeredAt: 901, at: 0, waitedMs: 900, busyMs: 0 }
    free.send(send)
    expect(free.timing()?.distrust).toBeUndefined()
  })
})
