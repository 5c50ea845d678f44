/** Certification of Orders: its checks, procedures, and clauses without a check. */
import type { UncheckedClause } from '../../../core/rules/checks/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
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
import { courierEvents, fullOrder } from './host-item-procedures.ts'
import { orderLife, orderMisuse, unknownOrder } from './host-procedures.ts'

/** In the order in which they are carried out. */
export const ordersProcedures: readonly Procedure[] = [
  orderLife,
  unknownOrder,
  orderMisuse,
  fullOrder,
  courierEvents,
  orderCancellation,
  deniedCancellation,
  ownCancellation,
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
