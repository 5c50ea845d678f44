/** Proof of the checks of Customer: records that a service sends, returns and stores, and its errors. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { errorChecks } from './errors.ts'
import { fieldChecks } from './fields.ts'
import { ingestChecks } from './ingest.ts'
import { leadFieldChecks } from './lead-fields.ts'
import { roleChecks } from './roles.ts'
import { wireChecks } from './wire.ts'

proveChecks('customer', [
  ...fieldChecks,
  ...leadFieldChecks,
  ...ingestChecks,
  ...errorChecks,
  ...roleChecks,
  ...wireChecks,
])
