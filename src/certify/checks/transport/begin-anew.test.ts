/** Proof of the checks of a service that begins anew. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { beginAnewChecks } from './begin-anew.ts'

proveChecks('beginning anew', beginAnewChecks)
