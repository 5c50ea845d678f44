/** Proof of the checks of statuses. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { statusChecks } from './statuses.ts'

proveChecks('statuses', statusChecks)
