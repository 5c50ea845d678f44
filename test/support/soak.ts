/** Iteration counts: many with `npm run soak`, few with `npm test`. */
import process from 'node:process'
import { type TemperamentName, temperamentNames } from '../../src/counterparts/temperament.ts'

export const isSoak = process.env['SPARRING_SOAK'] !== undefined

export const runsFor = (usually: number, inSoak: number): number => (isSoak ? inSoak : usually)

/**
 * Pairs of temperaments: all of them in a soak; otherwise each with a hostile counterpart, and prompt with prompt, where
 * errors show first.
 */
export const temperamentPairs: readonly (readonly [TemperamentName, TemperamentName])[] =
  temperamentNames.flatMap((one) =>
    temperamentNames
      .filter((other) => isSoak || other === 'hostile' || (one === 'prompt' && other === 'prompt'))
      .map((other) => [one, other] as const),
  )
