/**
 * Dialect options for partners that deviate in form from the specification: paths, event ids, limits, time-outs. Part
 * of `conduct`.
 */
import { z } from 'zod'
import { Duration } from '../duration.ts'
import { acknowledgmentBodies } from '../orders/acknowledgment.ts'
import { onOrOff, wholeNumber, oneWord } from '../setting.ts'

export const dialectSettings = () => ({
  speaks: oneWord(['v2', 'v1'], 'v2').describe(
    'the generation of the protocol: V2, or V1 for a partner who has not migrated',
  ),
  basePath: z
    .string()
    .regex(/^(\/[\w.~-]+)*$/, 'begins with a slash and ends without one')
    .optional()
    .meta({ examples: ['/v1'] })
    .describe('the prefix of every capability’s path; /v1 for V1, else nothing'),
  paths: z
    .record(z.string(), z.string().startsWith('/'))
    .default({})
    .describe('whole paths of operations that are served elsewhere, by the operation’s name'),
  statuses: z
    .record(z.string(), z.union([z.literal(200), z.literal(201), z.literal(202), z.literal(204)]))
    .default({})
    .describe('other success statuses of operations, by the operation’s name'),
  requestIds: onOrOff(true).describe(
    'our calls carry X-Request-Id, and our hosts know a repeated call by it; without it neither',
  ),
  emptyBodies: onOrOff(true).describe(
    'a call of ours without anything to say sends {}; without it, no body',
  ),
  pollEventIds: oneWord(['stable', 'fresh'], 'stable').describe(
    'an event keeps its eventId, or has a fresh one in every poll',
  ),
  acknowledgmentLimit: wholeNumber(1, 2000, 2000).describe(
    'events in one acknowledgment at most; more are 400',
  ),
  unknownEvents: oneWord(['take', 'refuse'], 'take').describe(
    'an event of a type that our Software Service does not know: stored, or 400',
  ),
  acknowledgmentBody: oneWord(acknowledgmentBodies, 'eventIds').describe(
    'how our client acknowledges events (ORD-UND-09)',
  ),
  colon: oneWord(['literal', 'encoded'], 'literal').describe(
    'how the colon of a path is written: as it is, or as %3A and no other way',
  ),
  answerTimeout: Duration.default(10_000).describe(
    'how long another side may take to answer (LIM-UND-02)',
  ),
})

/** In which version its partners speak the protocol. */
export type ProtocolGeneration = 'v1' | 'v2'

interface VersionOptions {
  readonly speaks: ProtocolGeneration
  readonly basePath?: string | undefined
}

export const speaksV1 = ({ speaks }: Pick<VersionOptions, 'speaks'>): boolean => speaks === 'v1'

/** Whether a partner may be called without a valid manifest: by configuration, or because V1 has no manifests. */
export const trustsWithoutManifest = ({
  speaks,
  manifest,
}: Pick<VersionOptions, 'speaks'> & { readonly manifest: string }): boolean =>
  manifest === 'trust' || speaks === 'v1'

/** Path prefix of all capabilities: configured, else /v1 for V1 and none for V2. */
export const basePathOf = ({ speaks, basePath }: VersionOptions): string =>
  basePath ?? (speaks === 'v1' ? '/v1' : '')
