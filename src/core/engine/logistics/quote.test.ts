/** Routes, prices and durations as pure functions of positions, distance and load. */
import { describe, expect, test } from 'vitest'
import { LogisticsConduct } from '../../protocol/logistics/conduct.ts'
import { createChance } from '../chance.ts'
import {
  drawNearby,
  drawRoute,
  metresAlong,
  metresBetween,
  positionAt,
  rideProgress,
} from './geometry.ts'
import { quoteFor, rideMs } from './quote.ts'

const paulista = { latitude: -23.5614, longitude: -46.6559 }
const congonhas = { latitude: -23.6261, longitude: -46.6564 }
const place = (coordinates: object) => ({ address: { coordinates }, contact: {} })
const defaults = LogisticsConduct.parse({})

describe('routes', () => {
  test('have great-circle lengths', () => {
    expect(metresBetween(paulista, congonhas)).toBeCloseTo(7195, -2)
    expect(metresBetween(paulista, paulista)).toBe(0)
    // One degree along a meridian, and half of the equator.
    expect(metresBetween({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 })).toBeCloseTo(
      111_195,
      -1,
    )
    expect(
      metresBetween({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 }),
    ).toBeCloseTo(20_015_087, -2)
  })

  test('keep their end points, bend slightly, and are the same for the same seed', () => {
    const route = drawRoute(paulista, congonhas, createChance(1))
    expect(route[0]).toEqual(paulista)
    expect(route.at(-1)).toEqual(congonhas)
    expect(metresAlong(route)).toBeGreaterThan(metresBetween(paulista, congonhas))
    expect(metresAlong(route)).toBeLessThan(metresBetween(paulista, congonhas) * 1.2)
    expect(drawRoute(paulista, congonhas, createChance(1))).toEqual(route)
    expect(drawRoute(paulista, congonhas, createChance(2))).not.toEqual(route)
    expect(metresBetween(paulista, drawNearby(paulista, createChance(3)))).toBeLessThan(1600)
  })

  test('are ridden at constant speed: the position follows from the time', () => {
    const points = drawRoute(paulista, congonhas, createChance(1))
    const leg = { points, startedAt: 1000, durationMs: 10_000 }
    expect(positionAt(leg, 0)).toEqual(paulista)
    expect(positionAt(leg, 1000)).toEqual(paulista)
    expect(positionAt(leg, 11_000)).toEqual(congonhas)
    expect(positionAt(leg, 99_000)).toEqual(congonhas)
    const ridden = [3000, 6000, 9000].map((now) => {
      const here = positionAt(leg, now)
      return here ? metresBetween(here, congonhas) : 0
    })
    expect(ridden).toEqual(ridden.toSorted((one, other) => other - one))
    expect(rideProgress(leg, 6000)).toBe(0.5)
    expect(positionAt({ ...leg, points: [] }, 5000)).toBeUndefined()
    expect(rideProgress({ ...leg, durationMs: 0 }, 5000)).toBe(1)
  })
})

describe('quotes', () => {
  const quote = (load: number, options: Partial<LogisticsConduct> = {}) =>
    quoteFor(
      { pickup: place(paulista), dropoff: place(congonhas) },
      load,
      LogisticsConduct.parse(options),
    )

  test('add a base fee and a fee per kilometre, and a surcharge under load', () => {
    expect(quote(0)).toMatchObject({
      available: true,
      fee: 500 + Math.round(150 * 7.194),
      metres: 7194,
    })
    expect(quote(50).fee).toBe(Math.round(quote(0).fee * 1.5))
    expect(quote(400).fee).toBe(quote(0).fee * 2)
    expect(quote(0, { baseFee: 0, feePerKm: 0 }).fee).toBe(0)
  })

  test('sum ride, handling and a time per open delivery, all divided by the session’s pace', () => {
    const street = quote(0, { pace: 1 })
    expect(street.durationMs).toBe(rideMs(7194, 25, 1) + 600_000)
    expect(quote(10, { pace: 1 }).durationMs - street.durationMs).toBe(300_000)
    expect(quote(0, { pace: 60 }).durationMs).toBeCloseTo(street.durationMs / 60, -1)
    expect(rideMs(25_000, 25, 1)).toBe(3_600_000)
  })

  test('assume 3000 metres where coordinates are missing', () => {
    expect(quoteFor({ pickup: place({}), dropoff: place(paulista) }, 0, defaults)).toMatchObject({
      available: true,
      metres: 3000,
    })
  })

  test('are unavailable beyond the maximum distance and under too much load', () => {
    expect(quote(0, { mostKm: 7 })).toMatchObject({ available: false, because: 'OUT_OF_COVERAGE' })
    expect(quote(499)).toMatchObject({ available: true })
    expect(quote(500)).toMatchObject({ available: false, because: 'NO_DELIVERYPERSON_AVAILABLE' })
  })
})
