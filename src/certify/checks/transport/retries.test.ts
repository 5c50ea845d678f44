/** Proof of the checks of a client whose calls fail. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { clientRetryChecks } from './client-retries.ts'

proveChecks('failed calls', clientRetryChecks)
