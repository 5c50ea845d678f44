// @module-tag slow
/** Proof of checks of Orders of an Ordering Application: lifecycle and calls. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { orderHostCallChecks } from './host-calls.ts'
import { orderHostTransitionChecks } from './host-transitions.ts'

proveChecks('orders', [...orderHostTransitionChecks, ...orderHostCallChecks])
