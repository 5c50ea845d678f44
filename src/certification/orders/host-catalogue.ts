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
