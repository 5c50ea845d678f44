/** Proof of the checks of migration and of limits. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { limitChecks } from './limits.ts'
import { merchantMigrationChecks } from './migration-merchants.ts'
import { orderMigrationChecks } from './migration-orders.ts'

proveChecks('migration and limits', [
  ...orderMigrationChecks,
  ...merchantMigrationChecks,
  ...limitChecks,
])
