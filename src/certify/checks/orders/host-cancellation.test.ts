/** Proof of checks of Orders of an Ordering Application: cancellations of orders and items. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { orderHostCancellationChecks } from './host-cancellation.ts'
import { orderHostItemChecks } from './host-items.ts'

proveChecks('orders', [...orderHostCancellationChecks, ...orderHostItemChecks])
