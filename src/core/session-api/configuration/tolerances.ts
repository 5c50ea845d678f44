/** Configuration of the rules: how much time and how many tries they allow your service. */
import { z } from 'zod'
import { Duration } from '../../protocol/duration.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { onOrOff } from '../../protocol/setting.ts'

export const Tolerances = strictObject(() => ({
  on: onOrOff(true).describe('whether the rules are checked; off is quicker'),
  converge: Duration.default(120_000).describe(
    'after the end of faults, the time within which everything pending must be done',
  ),
  grace: Duration.default(10_000).describe(
    'how long a reaction may take when no faults are active',
  ),
  pollGap: Duration.default(500).describe('the minimum interval of polls'),
  webhook: Duration.default(5000).describe(
    'how long the reply to a webhook may take, by the wall clock',
  ),
  tries: z
    .int()
    .min(1)
    .default(6)
    .describe('attempts of one call without a pause of `coolDown`, unless their pauses have grown'),
  coolDown: Duration.default(10_000).describe(
    'a pause of this length ends a round of attempts: the next attempt begins another',
  ),
  inFlight: Duration.default(1000).describe(
    'how long calls may still arrive that were in flight when something became known, by the wall clock',
  ),
}))
  .prefault({})
  .describe('how patient the verdicts about your service are')
