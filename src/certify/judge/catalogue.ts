/**
 * The catalogue of certification: the checks and procedures of every area, and the clauses that a person has to attest.
 */
import type { ProtocolGeneration } from '../../core/protocol/dialects/settings.ts'
import { attestedClauses } from './attestations.ts'
import type { AttestedClause, Check, UncheckedClause } from './check.ts'
import {
  customerChecks,
  customerProcedures,
  customerUnchecked,
} from '../checks/customer/catalogue.ts'
import { indoorChecks, indoorProcedures, indoorUnchecked } from '../checks/indoor/catalogue.ts'
import { orderClientUnchecked, ordersChecks, ordersProcedures } from '../checks/orders/catalogue.ts'
import { logisticsChecks, logisticsProcedures } from '../checks/logistics/catalogue.ts'
import { orderConclusion } from '../checks/orders/host-procedures.ts'
import { v1Checks } from '../checks/migration/catalogue.ts'
import { v1Procedures } from '../checks/migration/v1-procedures.ts'
import type { Procedure } from './procedure.ts'
import {
  transportChecks,
  transportProcedures,
  transportUnchecked,
} from '../checks/transport/catalogue.ts'

/** Checks of V2, the generation that the clauses describe. */
export const checks: readonly Check[] = [
  ...transportChecks,
  ...ordersChecks,
  ...logisticsChecks,
  ...customerChecks,
  ...indoorChecks,
]

/** In the order in which they are carried out, which is that of a migration (MIG-VER-04). */
export const procedures: readonly Procedure[] = [
  ...transportProcedures,
  ...ordersProcedures,
  ...logisticsProcedures,
  ...customerProcedures,
  ...indoorProcedures,
  // Orders of all others have had time to conclude.
  orderConclusion,
]

/** What is certified: of V2, or what a service that speaks V1 still has to change. */
export interface CertificationCatalogue {
  readonly checks: readonly Check[]
  readonly procedures: readonly Procedure[]
  readonly unchecked: readonly (UncheckedClause | AttestedClause)[]
}

/** Clauses that no check shows for some role, by name and with the reason. */
export const uncheckedClauses: readonly UncheckedClause[] = [
  ...transportUnchecked,
  ...orderClientUnchecked,
  ...indoorUnchecked,
  ...customerUnchecked,
]

const v2Catalogue: CertificationCatalogue = {
  checks,
  procedures,
  unchecked: [...uncheckedClauses, ...attestedClauses],
}
const v1Catalogue: CertificationCatalogue = {
  checks: v1Checks,
  procedures: v1Procedures,
  unchecked: [],
}

export const catalogueOf = (speaks: ProtocolGeneration): CertificationCatalogue =>
  speaks === 'v1' ? v1Catalogue : v2Catalogue
