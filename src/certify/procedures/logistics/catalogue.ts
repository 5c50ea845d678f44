/** Certification of Logistics: its checks and procedures. */
import type { Procedure } from '../../judge/procedure.ts'
import {
  cancelledDelivery,
  consumedDelivery,
  declinedDelivery,
  refusedCancel,
} from './consumer-procedures.ts'
import {
  deliveryCancel,
  deliveryFailure,
  deliveryLife,
  logisticsLookups,
} from './platform-procedures.ts'

/** In the order in which they are carried out. */
export const logisticsProcedures: readonly Procedure[] = [
  logisticsLookups,
  deliveryLife,
  deliveryCancel,
  deliveryFailure,
  consumedDelivery,
  declinedDelivery,
  cancelledDelivery,
  refusedCancel,
]
