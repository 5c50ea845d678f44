/** Certification of Orders, of an Ordering Application: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'
import {
  deniedCancellation,
  orderCancellation,
  ownCancellation,
} from './host-cancellation-procedures.ts'
import { hostCallChecks } from './host-calls.ts'
import { hostEventChecks } from './host-events.ts'
import { hostTransitionChecks } from './host-transitions.ts'
import { hostEventFormChecks } from './host-event-forms.ts'
import { hostCancellationChecks } from './host-cancellation.ts'
import { hostDeclarationChecks } from './host-declarations.ts'
import { hostOperationChecks } from './host-operations.ts'
import { hostChannelChecks } from './host-channels.ts'
import { hostItemChecks } from './host-items.ts'
import { orderFieldChecks } from './host-fields.ts'
import { orderItemFieldChecks } from './host-item-fields.ts'
import { courierEvents, fullOrder } from './host-item-procedures.ts'
import {
  orderConclusion,
  orderingApplicationManifest,
  orderLife,
  orderMisuse,
  unknownOrder,
} from './host-procedures.ts'

export const orderHostChecks: readonly Check[] = [
  ...orderFieldChecks,
  ...orderItemFieldChecks,
  ...hostTransitionChecks,
  ...hostCallChecks,
  ...hostEventChecks,
  ...hostEventFormChecks,
  ...hostCancellationChecks,
  ...hostItemChecks,
  ...hostChannelChecks,
  ...hostOperationChecks,
  ...hostDeclarationChecks,
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
  orderConclusion,
]
