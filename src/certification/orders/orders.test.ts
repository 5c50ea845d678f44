/** Proof of the checks of Orders. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { orderOperationChecks } from './operations.ts'
import { orderTransitionChecks } from './transitions.ts'

proveChecks('orders', [...orderOperationChecks, ...orderTransitionChecks])
