/** Certification of Orders, of an Ordering Application: its checks and procedures. */
import type { Check } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import {
  deniedCancellation,
  orderCancellation,
  ownCancellation,
} from './host-cancellation-procedures.ts'
import { orderHostCallChecks } from './host-calls.ts'
import { orderHostEventChecks } from './host-events.ts'
import { orderHostTransitionChecks } from './host-transitions.ts'
import { orderHostEventFormChecks } from './host-event-forms.ts'
import { orderHostCancellationChecks } from './host-cancellation.ts'
import { orderHostDeclarationChecks } from './host-declarations.ts'
import { orderHostOperationChecks } from './host-operations.ts'
import { orderHostChannelChecks } from './host-channels.ts'
import { orderHostItemChecks } from './host-items.ts'
import { orderFieldChecks } from './host-fields.ts'
import { orderItemFieldChecks } from './host-item-fields.ts'
import { courierEvents, fullOrder } from './host-item-procedures.ts'
import {
  orderingApplicationManifest,
  orderLife,
  orderMisuse,
  unknownOrder,
} from './host-procedures.ts'

export const orderHostChecks: readonly Check[] = [
  ...orderFieldChecks,
  ...orderItemFieldChecks,
  ...orderHostTransitionChecks,
  ...orderHostCallChecks,
  ...orderHostEventChecks,
  ...orderHostEventFormChecks,
  ...orderHostCancellationChecks,
  ...orderHostItemChecks,
  ...orderHostChannelChecks,
  ...orderHostOperationChecks,
  ...orderHostDeclarationChecks,
]

/** In the order in which they are carried out. */
export const orderHostProcedures: readonly Procedure[] = [
  orderingApplicationManifest,
  orderLife,
  unknownOrder,
  orderMisuse,
  fullOrder,
  courierEvents,
  orderCancellation,
  deniedCancellation,
  ownCancellation,
]
