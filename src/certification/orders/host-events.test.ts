/** Proof of checks of Orders of an Ordering Application: events. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { hostEventFormChecks } from './host-event-forms.ts'
import { hostEventChecks } from './host-events.ts'

proveChecks('orders', [...hostEventChecks, ...hostEventFormChecks])
