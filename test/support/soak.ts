/** How often something is tried: `npm run soak` takes its time, `npm test` must not. */
import process from 'node:process'
import { type TemperamentName, temperamentNames } from '../../src/counterparts/temperament.ts'

export const soaking = process.env['SPARRING_SOAK'] !== undefined

export const orSoaked = (usually: number, inSoak: number): number => (soaking ? inSoak : usually)

/**
 * Every pair of moods in a soak. Otherwise each mood with a hostile other side, and the prompt ones alone: what goes
 * wrong between two goes wrong there first.
 */
export const moodPairs: readonly (readonly [TemperamentName, TemperamentName])[] =
  temperamentNames.flatMap((one) =>
    temperamentNames
      .filter((other) => soaking || other === 'hostile' || (one === 'prompt' && other === 'prompt'))
      .map((other) => [one, other] as const),
  )
