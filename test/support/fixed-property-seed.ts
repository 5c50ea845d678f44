/**
 * Fixes the seed of property tests, so that failures come from changes and not from new values; `npm run soak` uses a
 * random seed and prints it on failure.
 */
import * as fc from 'fast-check'

if (process.env['SPARRING_SOAK'] === undefined) fc.configureGlobal({ seed: 20_261_122 })
