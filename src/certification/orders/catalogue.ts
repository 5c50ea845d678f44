/** Certification of Orders: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'
import { orderClientChecks, orderClientProcedures } from './client-catalogue.ts'
import { orderHostChecks, orderHostProcedures } from './host-catalogue.ts'

export const ordersChecks: readonly Check[] = [...orderHostChecks, ...orderClientChecks]

/** In the order in which they are carried out. */
export const ordersProcedures: readonly Procedure[] = [
  ...orderHostProcedures,
  ...orderClientProcedures,
]
