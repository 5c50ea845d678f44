/**
 * The catalogue of certification: the checks and procedures of every area, and the clauses that a person has to attest.
 */
import type { ProtocolGeneration } from '../../core/protocol/dialects/settings.ts'
import type { AttestedClause, Check, UncheckedClause } from '../../core/rules/checks/check.ts'
import { checks, v1Checks } from '../../core/rules/checks/catalogue.ts'
import { customerAccessProcedures } from '../procedures/customer/access-procedures.ts'
import { customerClientProcedures } from '../procedures/customer/client-procedures.ts'
import { customerEventProcedures } from '../procedures/customer/event-procedures.ts'
import { operationProcedures } from '../procedures/customer/hosted-operations.ts'
import { ingestProcedures } from '../procedures/customer/ingest-procedures.ts'
import { loyaltyProcedures } from '../procedures/customer/loyalty-procedures.ts'
import { ownFactProcedures } from '../procedures/customer/own-facts.ts'
import { fiscalProcedures } from '../procedures/indoor/fiscal-procedures.ts'
import { guestProcedures } from '../procedures/indoor/guest-procedures.ts'
import { accountHostProcedures } from '../procedures/indoor/host-procedures.ts'
import { consumerProcedures } from '../procedures/logistics/consumer-procedures.ts'
import { platformProcedures } from '../procedures/logistics/platform-procedures.ts'
import { v1Procedures } from '../procedures/migration/v1-procedures.ts'
import { cancellationHostProcedures } from '../procedures/orders/host-cancellation-procedures.ts'
import { itemHostProcedures } from '../procedures/orders/host-item-procedures.ts'
import { conclusionProcedures, orderHostProcedures } from '../procedures/orders/host-procedures.ts'
import { servedOrderProcedures } from '../procedures/orders/served-orders.ts'
import { troubledOrderProcedures } from '../procedures/orders/troubled-orders.ts'
import {
  accessProcedures,
  introductionProcedures,
  restartProcedures,
} from '../procedures/transport/access-procedures.ts'
import { activityProcedures } from '../procedures/transport/activity.ts'
import { hostProcedures } from '../procedures/transport/host-procedures.ts'
import { retryProcedures } from '../procedures/transport/retry-procedures.ts'
import { attestedClauses, uncheckedClauses } from './attestations.ts'
import type { Procedure } from './procedure.ts'

/** In the order in which they are carried out, which is that of a migration (MIG-VER-04). */
export const procedures: readonly Procedure[] = [
  ...introductionProcedures,
  ...activityProcedures,
  ...accessProcedures,
  ...hostProcedures,
  ...retryProcedures,
  ...restartProcedures,
  ...orderHostProcedures,
  ...itemHostProcedures,
  ...cancellationHostProcedures,
  ...servedOrderProcedures,
  ...troubledOrderProcedures,
  ...platformProcedures,
  ...consumerProcedures,
  ...operationProcedures,
  ...customerAccessProcedures,
  ...ingestProcedures,
  ...customerEventProcedures,
  ...ownFactProcedures,
  ...loyaltyProcedures,
  ...customerClientProcedures,
  ...accountHostProcedures,
  ...fiscalProcedures,
  ...guestProcedures,
  ...conclusionProcedures,
]

/** What is certified: of V2, or what a service that speaks V1 still has to change. */
export interface CertificationCatalogue {
  readonly checks: readonly Check[]
  readonly procedures: readonly Procedure[]
  readonly unchecked: readonly (UncheckedClause | AttestedClause)[]
  /** Clauses were left out. */
  readonly isSelection?: boolean
}

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
