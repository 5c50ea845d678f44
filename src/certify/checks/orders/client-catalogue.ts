/** Certification of Orders, of a Software Service: its checks and procedures. */
import type { Check } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { orderCancellationChecks } from './client-cancellation.ts'
import { orderEventChecks } from './client-events.ts'
import { orderItemChecks } from './client-items.ts'
import { orderCallChecks } from './client-operations.ts'
import { orderFlowChecks } from './client-flow.ts'
import { clientManifest, orderManifestChecks } from './client-manifest.ts'
import {
  forbiddenEventsSent,
  servedOrders,
  serviceCancellations,
  serviceItemCancel,
  unavailableItem,
} from './served-orders.ts'

export const orderClientChecks: readonly Check[] = [
  ...orderManifestChecks,
  ...orderCallChecks,
  ...orderFlowChecks,
  ...orderEventChecks,
  ...orderCancellationChecks,
  ...orderItemChecks,
]

/** In the order in which they are carried out. */
export const orderClientProcedures: readonly Procedure[] = [
  clientManifest,
  servedOrders,
  forbiddenEventsSent,
  serviceCancellations,
  unavailableItem,
  serviceItemCancel,
]
