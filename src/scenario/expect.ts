/** Schema of `expect`: the expectations at the end of a scenario. Absent keys are not checked, except `invariants`: all. */
import { z } from 'zod'
import { Call, counting, EventType, howOften, Slot, Status } from './shared-shapes.ts'

const invariantId = z.string().min(1).describe('an invariant by its id, such as SE-1')

export const Expect = z.strictObject({
  statuses: z
    .record(z.string(), z.union([Status, z.array(Status).min(1)]))
    .optional()
    .describe('the status that each order has in the end, by its slot; `all` is all of them'),
  views: z
    .record(z.string(), z.union([Status, z.array(Status).min(1)]))
    .optional()
    .describe('the status that your service itself says each order has (subject.probe)'),
  calls: z
    .array(
      z.strictObject({
        call: Call,
        order: Slot.optional(),
        ...howOften,
        counting,
      }),
    )
    .optional()
    .describe('how often calls were made'),
  sequence: z
    .record(z.string(), z.array(Call).min(2))
    .optional()
    .describe('the order in which calls about an order first succeeded, by its slot'),
  acknowledged: z
    .union([z.literal('all'), z.array(EventType).min(1)])
    .optional()
    .describe(
      'the events that your service took responsibility for: all that reached it, or these types',
    ),
  invariants: z
    .union([z.literal('all'), z.array(invariantId)])
    .default('all')
    .describe('the invariants that must hold: all, or these alone'),
  broken: z
    .array(invariantId)
    .optional()
    .describe('the invariants that must be broken: a scenario that shows a mistake'),
  tests: z
    .array(invariantId)
    .optional()
    .describe(
      'the invariants that must have been put to the test, not only held because nothing happened',
    ),
})
export type Expect = z.output<typeof Expect>
