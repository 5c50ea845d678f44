/** Certification of Orders: its checks, procedures, and clauses without a check. */
import type { Check, UncheckedClause } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { orderCancellationChecks } from './client-cancellation.ts'
import { orderEventChecks } from './client-events.ts'
import { orderItemChecks } from './client-items.ts'
import { orderCallChecks } from './client-operations.ts'
import { orderFlowChecks } from './client-flow.ts'
import { orderManifestChecks } from './client-manifest.ts'
import { clientManifest } from './served-orders.ts'
import {
  forbiddenEventsSent,
  servedOrders,
  serviceCancellations,
  serviceItemCancel,
  unavailableItem,
} from './served-orders.ts'
import { eventBurst, troubledOrders } from './troubled-orders.ts'
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

export const ordersChecks: readonly Check[] = [
  // Of an Ordering Application.
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
  // Of a Software Service.
  ...orderManifestChecks,
  ...orderCallChecks,
  ...orderFlowChecks,
  ...orderEventChecks,
  ...orderCancellationChecks,
  ...orderItemChecks,
]

/** In the order in which they are carried out. */
export const ordersProcedures: readonly Procedure[] = [
  orderingApplicationManifest,
  orderLife,
  unknownOrder,
  orderMisuse,
  fullOrder,
  courierEvents,
  orderCancellation,
  deniedCancellation,
  ownCancellation,
  clientManifest,
  servedOrders,
  troubledOrders,
  eventBurst,
  forbiddenEventsSent,
  serviceCancellations,
  unavailableItem,
  serviceItemCancel,
]

const roles = ['software-service'] as const

/** Clauses of Orders that no check shows for a client, and why. */
export const orderClientUnchecked: readonly UncheckedClause[] = [
  {
    clause: 'ORD-GEN-02',
    roles,
    why: 'that events do not change is shown by their host; what a client makes of a repeated event is ORD-EVR-03',
  },
  {
    clause: 'ORD-GEN-06',
    roles: ['delivery-platform'],
    why: 'a Delivery Platform has no credentials for Orders here, and calls none of its operations',
  },
  {
    clause: 'ORD-CHN-01',
    roles,
    why: 'our Ordering Application declares its channels for the whole session, and a client reads them once',
  },
  {
    clause: 'ORD-UND-04',
    roles,
    why: 'it is about the answer of the host to a call out of turn',
  },
  {
    clause: 'ORD-UND-05',
    roles,
    why: 'it is about the answer of the host to a call for a status that has passed',
  },
]
