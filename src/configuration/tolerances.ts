/** Configuration of the rules: how much time and how many tries they allow your service. */
import { z } from 'zod'
import { Duration } from '../protocol/duration.ts'

export const Tolerances = z
  .strictObject({
    on: z
      .boolean()
      .default(true)
      .describe('whether your service is judged; without, nothing watches it, which is quicker'),
    converge: Duration.default(120_000).describe(
      'how long after the end of faults everything may take that must come',
    ),
    grace: Duration.default(10_000).describe('how long a reaction may take in calm weather'),
    pollGap: Duration.default(500).describe('polls may not come faster'),
    webhook: Duration.default(5000).describe(
      'how long the answer to a webhook may take, in time of the wall',
    ),
    tries: z
      .int()
      .min(1)
      .default(6)
      .describe('tries of one call without a pause of `coolDown`, unless their pauses have grown'),
    coolDown: Duration.default(10_000).describe(
      'a pause so long ends a round of tries: the next try begins another',
    ),
    inFlight: Duration.default(1000).describe(
      'how long calls may still come that were on their way when something became known, in time of the wall',
    ),
  })
  .prefault({})
  .describe('how patient the verdicts about your service are')
