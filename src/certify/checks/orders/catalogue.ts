/** Certification of Orders: its checks and procedures. */
import type { Check } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { orderClientChecks, orderClientProcedures } from './client-catalogue.ts'
import { orderHostChecks, orderHostProcedures } from './host-catalogue.ts'

export const ordersChecks: readonly Check[] = [...orderHostChecks, ...orderClientChecks]

/** In the order in which they are carried out. */
export const ordersProcedures: readonly Procedure[] = [
  ...orderHostProcedures,
  ...orderClientProcedures,
]
