/** Proof of the checks of Indoor hosts: their operations, events and fiscal documents. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { fiscalChecks } from './fiscal.ts'
import { accountEventChecks } from './host-events.ts'
import { hostOperationChecks } from './host-operations.ts'

proveChecks('indoor', [...hostOperationChecks, ...accountEventChecks, ...fiscalChecks])
