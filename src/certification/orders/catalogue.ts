/** Certification of Orders: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'
import { orderLife, unknownOrder } from './host-procedures.ts'
import { orderOperationChecks } from './operations.ts'
import { servedOrders } from './served-orders.ts'
import { orderTransitionChecks } from './transitions.ts'

export const ordersChecks: readonly Check[] = [...orderOperationChecks, ...orderTransitionChecks]

/** In the order in which they are carried out. */
export const ordersProcedures: readonly Procedure[] = [orderLife, unknownOrder, servedOrders]
