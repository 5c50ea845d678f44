/**
 * Properties are tried on the same values in every run: a change is red because of what it changes. `npm run soak` tries
 * them on others each time, and tells the seed of what it finds.
 */
import * as fc from 'fast-check'

if (process.env['SPARRING_SOAK'] === undefined) fc.configureGlobal({ seed: 20_261_122 })
