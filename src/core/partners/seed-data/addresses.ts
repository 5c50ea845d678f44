/** Random addresses and coordinates in São Paulo, drawn from its districts. */
import { compact } from '../../base/compact.ts'
import type { Chance } from '../../engine/chance.ts'
import { districts } from './districts.ts'
import { drawWeighted } from './draw.ts'

export interface GeoPoint {
  readonly latitude: number
  readonly longitude: number
}

export interface SeedAddress extends GeoPoint {
  readonly street: string
  readonly number: string
  readonly complement?: string | undefined
  readonly neighborhood: string
  readonly city: string
  readonly state: string
  readonly postalCode: string
}

const microDegrees = 1_000_000
/** In millionths of a degree: about 600 m to either side of a district's centre. */
const spread = 6000

const complements = [
  { weight: 6, value: (chance: Chance) => `Apto ${chance.between(1, 22)}${chance.between(1, 8)}` },
  {
    weight: 3,
    value: (chance: Chance) =>
      `Bloco ${chance.pick(['A', 'B', 'C'])}, Apto ${chance.between(1, 18)}${chance.between(1, 4)}`,
  },
  { weight: 2, value: (chance: Chance) => `Casa ${chance.between(1, 6)}` },
  {
    weight: 1,
    value: (chance: Chance) => `Conjunto ${chance.between(1, 15)}${chance.between(1, 4)}`,
  },
  { weight: 3, value: () => undefined },
] as const

export function drawAddress(chance: Chance): SeedAddress {
  const district = chance.pick(districts)
  const street = chance.pick(district.streets)
  const near = (middle: number): number =>
    (Math.round(middle * microDegrees) + chance.between(-spread, spread)) / microDegrees
  const complement = drawWeighted<(chance: Chance) => string | undefined>(
    chance,
    complements,
  )(chance)
  return {
    street: street.name,
    number: String(chance.between(12, 2400)),
    ...compact({ complement }),
    neighborhood: district.name,
    city: 'São Paulo',
    state: 'SP',
    postalCode: `${street.postal}-${String(chance.between(0, 899)).padStart(3, '0')}`,
    latitude: near(district.latitude),
    longitude: near(district.longitude),
  }
}

/** Straight-line distance in whole hectometres, by an equirectangular approximation, exact enough within a city. */
export function distanceInHectometres(from: GeoPoint, to: GeoPoint): number {
  const metresPerDegree = 111_000
  // A degree of longitude shrinks with the cosine of the latitude: 0.917 in São Paulo.
  const east = (to.longitude - from.longitude) * metresPerDegree * 0.917
  const north = (to.latitude - from.latitude) * metresPerDegree
  return Math.round(Math.sqrt(east * east + north * north) / 100)
}
