/** The catalogue of certification: the checks and procedures of every area, and the clauses that a person has to attest. */
import type { Check, UncheckedClause } from './check.ts'
import { customerUnchecked } from './customer/unchecked.ts'
import { indoorUnchecked } from './indoor/unchecked.ts'
import { logisticsUnchecked } from './logistics/unchecked.ts'
import { orderClientUnchecked } from './orders/client-unchecked.ts'
import { customerChecks, customerProcedures } from './customer/catalogue.ts'
import { indoorChecks, indoorProcedures } from './indoor/catalogue.ts'
import { logisticsChecks, logisticsProcedures } from './logistics/catalogue.ts'
import { orderConclusion } from './orders/host-procedures.ts'
import { ordersChecks, ordersProcedures } from './orders/catalogue.ts'
import type { Procedure } from './procedure.ts'
import { transportChecks, transportProcedures } from './transport/catalogue.ts'
import { transportUnchecked } from './transport/unchecked.ts'

export const checks: readonly Check[] = [
  ...transportChecks,
  ...ordersChecks,
  ...indoorChecks,
  ...logisticsChecks,
  ...customerChecks,
]

/** In the order in which they are carried out. */
export const procedures: readonly Procedure[] = [
  ...transportProcedures,
  ...ordersProcedures,
  ...indoorProcedures,
  ...logisticsProcedures,
  ...customerProcedures,
  // Orders of all others have had time to conclude.
  orderConclusion,
]

/** Clauses that no check shows for some role, by name and with the reason. */
export const uncheckedClauses: readonly UncheckedClause[] = [
  ...transportUnchecked,
  ...orderClientUnchecked,
  ...indoorUnchecked,
  ...logisticsUnchecked,
  ...customerUnchecked,
]
