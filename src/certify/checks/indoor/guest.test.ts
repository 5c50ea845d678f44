// @module-tag slow
/** Proof of the checks of Indoor clients. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { guestCallChecks } from './guest-calls.ts'
import { guestEventChecks } from './guest-events.ts'
import { orderBlockChecks } from './order-block.ts'

proveChecks('indoor', [...orderBlockChecks, ...guestCallChecks, ...guestEventChecks])
