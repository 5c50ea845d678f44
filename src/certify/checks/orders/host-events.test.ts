/** Proof of checks of Orders of an Ordering Application: events. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { orderHostEventFormChecks } from './host-event-forms.ts'
import { orderHostEventChecks } from './host-events.ts'

proveChecks('orders', [...orderHostEventChecks, ...orderHostEventFormChecks])
