/** Proof of checks of Orders of an Ordering Application: cancellations of orders and items. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { hostCancellationChecks } from './host-cancellation.ts'
import { hostItemChecks } from './host-items.ts'

proveChecks('orders', [...hostCancellationChecks, ...hostItemChecks])
