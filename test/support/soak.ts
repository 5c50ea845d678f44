/** Iteration counts: many with `npm run soak`, few with `npm test`. */
import process from 'node:process'
import {
  type BehaviourName,
  behaviourNames,
} from '../../src/core/partners/counterparts/behaviour.ts'

export const isSoak = process.env['SPARRING_SOAK'] !== undefined

export const runsFor = (usually: number, inSoak: number): number => (isSoak ? inSoak : usually)

/** With a hostile counterpart errors show first. */
const usualPairs: ReadonlySet<string> = new Set([
  'prompt prompt',
  'forgetful hostile',
  'hostile hostile',
])

/** Pairs of behaviours: all of them in a soak. */
export const behaviourPairs: readonly (readonly [BehaviourName, BehaviourName])[] =
  behaviourNames.flatMap((one) =>
    behaviourNames
      .filter((other) => isSoak || usualPairs.has(`${one} ${other}`))
      .map((other) => [one, other] as const),
  )
