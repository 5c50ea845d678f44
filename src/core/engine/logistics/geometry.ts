/** Routes: length, position at an instant, and random generation. */
import type { GeoPosition } from '../../protocol/logistics/place.ts'
import type { Chance } from '../chance.ts'
import type { Instant } from '../instant.ts'
import type { Leg } from './delivery.ts'

const earthRadiusMetres = 6_371_000
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Great-circle distance in metres, by the haversine formula. */
export function metresBetween(from: GeoPosition, to: GeoPosition): number {
  const north = Math.sin(radians(to.latitude - from.latitude) / 2)
  const east = Math.sin(radians(to.longitude - from.longitude) / 2)
  const chord =
    north * north + Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * east * east
  return 2 * earthRadiusMetres * Math.asin(Math.min(1, Math.sqrt(chord)))
}

export const metresAlong = (points: readonly GeoPosition[]): number =>
  points.reduce((sum, point, index) => {
    const before = points[index - 1]
    return before ? sum + metresBetween(before, point) : sum
  }, 0)

const microDegrees = 1_000_000
const rounded = (degrees: number): number => Math.round(degrees * microDegrees) / microDegrees

const interpolate = (from: GeoPosition, to: GeoPosition, share: number): GeoPosition => ({
  latitude: rounded(from.latitude + (to.latitude - from.latitude) * share),
  longitude: rounded(from.longitude + (to.longitude - from.longitude) * share),
})

/** The completed share of a ride, from 0 to 1. */
export const rideProgress = ({ startedAt, durationMs }: Leg, now: Instant): number =>
  durationMs <= 0 ? 1 : Math.min(1, Math.max(0, (now - startedAt) / durationMs))

/** The courier's position on a ride; undefined when the route has no points. */
export function positionAt(leg: Leg, now: Instant): GeoPosition | undefined {
  const { points } = leg
  let remaining = metresAlong(points) * rideProgress(leg, now)
  for (let index = 1; index < points.length; index++) {
    const [from, to] = [points[index - 1], points[index]]
    if (!from || !to) break
    const metres = metresBetween(from, to)
    if (remaining <= metres) return interpolate(from, to, metres === 0 ? 1 : remaining / metres)
    remaining -= metres
  }
  return points.at(-1)
}

/** A point at this share of the line, displaced sideways by at most a tenth of its length. */
function bentPoint(from: GeoPosition, to: GeoPosition, share: number, chance: Chance): GeoPosition {
  const aside = chance.between(-100, 100) / 1000
  const { latitude, longitude } = interpolate(from, to, share)
  return {
    latitude: rounded(latitude + (to.longitude - from.longitude) * aside),
    longitude: rounded(longitude - (to.latitude - from.latitude) * aside),
  }
}

/** A slightly bent route, as along streets. */
export const drawRoute = (
  from: GeoPosition,
  to: GeoPosition,
  chance: Chance,
): readonly GeoPosition[] => [
  from,
  bentPoint(from, to, 0.33, chance),
  bentPoint(from, to, 0.67, chance),
  to,
]

/** A random position within about 1.5 km. */
export function drawNearby({ latitude, longitude }: GeoPosition, chance: Chance): GeoPosition {
  const offset = (): number => chance.between(-10_000, 10_000) / microDegrees
  return { latitude: rounded(latitude + offset()), longitude: rounded(longitude + offset()) }
}
