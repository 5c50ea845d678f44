/** Proof of the checks of Customer: events that a service receives and emits. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { eventObjectChecks } from './event-object.ts'
import { eventReceiptChecks } from './event-receipt.ts'
import { eventChecks } from './events.ts'

proveChecks('customer', [...eventReceiptChecks, ...eventChecks, ...eventObjectChecks])
