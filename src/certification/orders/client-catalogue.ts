/** Certification of Orders, of a Software Service: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'
import { orderTransitionChecks } from './client-transitions.ts'
import { servedOrders } from './served-orders.ts'

export const orderClientChecks: readonly Check[] = [...orderTransitionChecks]

/** In the order in which they are carried out. */
export const orderClientProcedures: readonly Procedure[] = [servedOrders]
