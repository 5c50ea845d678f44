/** Proof of checks of Orders of an Ordering Application: the fields of orders. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { orderFieldChecks } from './host-fields.ts'
import { orderItemFieldChecks } from './host-item-fields.ts'

proveChecks('orders', [...orderFieldChecks, ...orderItemFieldChecks])
