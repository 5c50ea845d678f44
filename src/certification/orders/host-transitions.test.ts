/** Proof of checks of Orders of an Ordering Application: lifecycle and calls. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { hostCallChecks } from './host-calls.ts'
import { hostTransitionChecks } from './host-transitions.ts'

proveChecks('orders', [...hostTransitionChecks, ...hostCallChecks])
