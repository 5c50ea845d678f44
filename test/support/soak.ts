/** Iteration counts: many with `npm run soak`, few with `npm test`. */
import process from 'node:process'
import {
  type TemperamentName,
  temperamentNames,
} from '../../src/core/partners/counterparts/temperament.ts'

export const isSoak = process.env['SPARRING_SOAK'] !== undefined

export const runsFor = (usually: number, inSoak: number): number => (isSoak ? inSoak : usually)

/** With a hostile counterpart errors show first. */
const usualPairs: ReadonlySet<string> = new Set([
  'prompt prompt',
  'forgetful hostile',
  'hostile hostile',
])

/** Pairs of temperaments: all of them in a soak. */
export const temperamentPairs: readonly (readonly [TemperamentName, TemperamentName])[] =
  temperamentNames.flatMap((one) =>
    temperamentNames
      .filter((other) => isSoak || usualPairs.has(`${one} ${other}`))
      .map((other) => [one, other] as const),
  )
