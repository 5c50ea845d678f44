/** Proof of the checks of messages, addresses and methods. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { addressChecks } from './addresses.ts'
import { messageChecks } from './messages.ts'

proveChecks('messages', [...messageChecks, ...addressChecks])
