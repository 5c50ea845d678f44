/** Members of a header by which a recording says to what failure it was cut down, and how that failure shows. */
import { z } from 'zod'
import { standings } from './standing.ts'
import { looseObject } from '../../base/lazy-object.ts'

/** Signature of a failure (traffic/replay/replay-report.ts). */
const Failure = z.discriminatedUnion('kind', [
  looseObject(() => ({
    kind: z.literal('difference'),
    operation: z.string(),
    standing: z.enum(standings),
    where: z.string(),
    statusClass: z.int(),
    order: z.string().optional(),
  })),
  looseObject(() => ({
    kind: z.literal('invariant'),
    name: z.string(),
    order: z.string().optional(),
  })),
  looseObject(() => ({
    kind: z.literal('answer'),
    operation: z.string(),
    status: z.int(),
    by: z.enum(['subject', 'partner']).optional(),
    event: z.string().optional(),
    error: z.string().optional(),
    order: z.string().optional(),
    state: z.string().optional(),
  })),
  looseObject(() => ({ kind: z.literal('repeat'), operation: z.string(), order: z.string() })),
  looseObject(() => ({
    kind: z.literal('ending'),
    order: z.string(),
    state: z.string(),
    call: z.string().optional(),
  })),
])

export const cutDownTo = () => ({
  failure: Failure.optional().describe(
    'what it was cut down to: a replay can say whether it still shows',
  ),
  driver: z
    .enum(['server', 'client', 'partner'])
    .optional()
    .describe('what is played from it so that this failure shows: replay takes it'),
  settle: z
    .number()
    .min(0)
    .optional()
    .describe(
      'how long your service takes to make its next call at most, in ms, as the whole recording showed it',
    ),
  pace: z
    .literal('asap')
    .optional()
    .describe('how it is played so that this failure shows: as fast as causality allows'),
})
