/** Iteration counts: many with `npm run soak`, few with `npm test`. */
import process from 'node:process'
import { type TemperamentName, temperamentNames } from '../../src/counterparts/temperament.ts'

export const soaking = process.env['SPARRING_SOAK'] !== undefined

export const orSoaked = (usually: number, inSoak: number): number => (soaking ? inSoak : usually)

/**
 * Pairs of temperaments: all of them in a soak; otherwise each with a hostile counterpart, and prompt with prompt, where
 * errors show first.
 */
export const moodPairs: readonly (readonly [TemperamentName, TemperamentName])[] =
  temperamentNames.flatMap((one) =>
    temperamentNames
      .filter((other) => soaking || other === 'hostile' || (one === 'prompt' && other === 'prompt'))
      .map((other) => [one, other] as const),
  )
