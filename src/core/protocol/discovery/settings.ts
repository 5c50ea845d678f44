/** Dialect options of discovery; part of `conduct`. */
import { z } from 'zod'
import { Duration } from '../duration.ts'
import { onOrOff, oneWord } from '../setting.ts'

/** How much a counterpart's manifest is asked for. */
const manifestDemands = ['when-present', 'require', 'trust'] as const

export const discoverySettings = () => ({
  manifest: oneWord(manifestDemands, 'when-present').describe(
    'the manifest of a counterpart: `when-present` reads it and goes on without one that is not there (a GET answered with anything but a manifest, a redirect, 429 or 5xx other than 501), with a warning; `require` makes no call before it is valid (DIS-GEN-02); `trust` never reads it. One that is there and wrong is always refused',
  ),
  publishManifest: oneWord(['valid', 'hidden', 'invalid', 'other-version'], 'valid').describe(
    'our manifest is served, hidden (404), served without what it must have, or of an unknown version',
  ),
  manifestNotation: oneWord(['array', 'keyed'], 'array').describe(
    'notation of capabilities in our manifest (DIS-TEN-01)',
  ),
  participantIds: oneWord(['names', 'uuids'], 'names').describe(
    'the participant id in our manifest: the name of the role, or a UUID of its own',
  ),
  manifestMaxAge: Duration.default(60_000).describe('Cache-Control max-age of the manifest'),
  ordersEndpoint: onOrOff(true).describe(
    'the orders block of our manifest names its endpoint (DIS-UND-01)',
  ),
  extensions: z
    .array(z.string())
    .default([])
    .describe('extensions of Orders that our manifest names (DIS-FLD-07)'),
  compatibility: z
    .string()
    .optional()
    .describe('the statement of compatibility in our manifest; none when it is empty (DIS-FLD-09)'),
  merchantBlock: onOrOff(false).describe(
    'our manifest says of Merchant, which we do not host, that it is not supported',
  ),
})
