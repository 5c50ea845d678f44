// @module-tag slow
/** Proof of the checks of Orders for a Software Service. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { orderClientChecks } from './client-catalogue.ts'

proveChecks('orders, client', orderClientChecks)
