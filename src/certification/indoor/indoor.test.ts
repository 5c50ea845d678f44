/** Proof of the checks of Indoor. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { indoorChecks } from './catalogue.ts'

proveChecks('indoor', indoorChecks)
