/** Proof of the checks of Orders of an Ordering Application. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { orderHostChecks } from './host-catalogue.ts'

proveChecks('orders', orderHostChecks)
