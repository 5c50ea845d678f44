/**
 * Hand-written couriers and rides: assignment of the least busy courier, the route to the store, and the current
 * position on it.
 */
import { randomUUID } from 'node:crypto'
import { randomBetween } from './hand-queue.ts'

export interface RiderPosition {
  readonly latitude: number
  readonly longitude: number
}

export interface HandCourier {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly vehicle: 'MOTORCYCLE' | 'BICYCLE' | 'CAR'
  readonly kmPerHour: number
  load: number
}

export interface CourierRide {
  readonly points: readonly RiderPosition[]
  readonly metres: readonly number[]
  readonly startedAt: number
  readonly durationMs: number
}

const vehicles = ['MOTORCYCLE', 'MOTORCYCLE', 'MOTORCYCLE', 'MOTORCYCLE', 'BICYCLE', 'CAR'] as const

export const handCouriers: readonly HandCourier[] = Array.from({ length: 12 }, (_, index) => ({
  id: randomUUID(),
  name: `Courier ${index}`,
  phone: `+55119000000${index}`,
  vehicle: vehicles[index % vehicles.length] ?? 'MOTORCYCLE',
  kmPerHour: randomBetween(18, 34),
  load: 0,
}))

/** Assigns a random courier among the least busy. */
export function assignLeastBusyCourier(): HandCourier {
  const least = Math.min(...handCouriers.map(({ load }) => load))
  const free = handCouriers.filter(({ load }) => load === least)
  const chosen = free[randomBetween(0, free.length - 1)] ?? handCouriers[0]
  if (!chosen) throw new Error('nobody works')
  chosen.load++
  return chosen
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

export function haversineMetres(from: RiderPosition, to: RiderPosition): number {
  const north = Math.sin(radians(to.latitude - from.latitude) / 2)
  const east = Math.sin(radians(to.longitude - from.longitude) / 2)
  const chord =
    north * north + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * east * east
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(chord)))
}

const rounded = (degrees: number): number => Math.round(degrees * 1_000_000) / 1_000_000

function pointAlong(
  from: RiderPosition,
  to: RiderPosition,
  share: number,
  aside: number,
): RiderPosition {
  const north = to.latitude - from.latitude
  const east = to.longitude - from.longitude
  return {
    latitude: rounded(from.latitude + north * share + east * aside),
    longitude: rounded(from.longitude + east * share - north * aside),
  }
}

export const rideDurationMs = (metres: number, kmPerHour: number, pace: number): number =>
  Math.round((metres / 1000 / kmPerHour) * (3_600_000 / pace))

/** A ride to the store from a random start nearby, by a slightly bent route. */
export function createRideToStore(
  store: RiderPosition,
  { kmPerHour }: HandCourier,
  pace: number,
): CourierRide {
  const randomOffset = (): number => randomBetween(-10_000, 10_000) / 1_000_000
  const randomBend = (): number => randomBetween(-100, 100) / 1000
  const start = {
    latitude: rounded(store.latitude + randomOffset()),
    longitude: rounded(store.longitude + randomOffset()),
  }
  const points = [
    start,
    pointAlong(start, store, 0.33, randomBend()),
    pointAlong(start, store, 0.67, randomBend()),
    store,
  ]
  const metres = points
    .slice(1)
    .map((point, index) => haversineMetres(points[index] ?? point, point))
  const totalMetres = metres.reduce((sum, each) => sum + each, 0)
  return {
    points,
    metres,
    startedAt: Date.now(),
    durationMs: rideDurationMs(totalMetres, kmPerHour, pace),
  }
}

/** The current position on a ride. */
export function currentRidePosition({
  points,
  metres,
  startedAt,
  durationMs,
}: CourierRide): RiderPosition | undefined {
  const share = durationMs <= 0 ? 1 : Math.min(1, (Date.now() - startedAt) / durationMs)
  let remainingMetres = metres.reduce((sum, each) => sum + each, 0) * share
  for (const [index, length] of metres.entries()) {
    const [from, to] = [points[index], points[index + 1]]
    if (from && to && remainingMetres <= length)
      return pointAlong(from, to, length === 0 ? 1 : remainingMetres / length, 0)
    remainingMetres -= length
  }
  return points.at(-1)
}
