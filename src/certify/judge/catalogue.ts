/**
 * The catalogue of certification: the checks and procedures of every area, and the clauses that a person has to attest.
 */
import type { ProtocolGeneration } from '../../core/protocol/dialects/settings.ts'
import { attestedClauses } from './attestations.ts'
import type { AttestedClause, Check, UncheckedClause } from '../../core/rules/checks/check.ts'
import { customerProcedures, customerUnchecked } from '../procedures/customer/catalogue.ts'
import { checks, v1Checks } from '../../core/rules/checks/catalogue.ts'
import { indoorProcedures, indoorUnchecked } from '../procedures/indoor/catalogue.ts'
import { orderClientUnchecked, ordersProcedures } from '../procedures/orders/catalogue.ts'
import { logisticsProcedures } from '../procedures/logistics/catalogue.ts'
import { orderConclusion } from '../procedures/orders/host-procedures.ts'
import { v1Procedures } from '../procedures/migration/v1-procedures.ts'
import type { Procedure } from './procedure.ts'
import { transportProcedures, transportUnchecked } from '../procedures/transport/catalogue.ts'

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
