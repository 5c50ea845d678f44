/** Proof of the checks of Orders. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { ordersChecks } from './catalogue.ts'

proveChecks('orders', ordersChecks)
