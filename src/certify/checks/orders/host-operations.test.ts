/** Proof of checks of Orders of an Ordering Application: operations, channels and declarations. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { orderHostChannelChecks } from './host-channels.ts'
import { orderHostDeclarationChecks } from './host-declarations.ts'
import { orderHostOperationChecks } from './host-operations.ts'

proveChecks('orders', [
  ...orderHostOperationChecks,
  ...orderHostChannelChecks,
  ...orderHostDeclarationChecks,
])
