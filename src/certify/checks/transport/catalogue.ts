/**
 * Certification of discovery, transport, authentication, limits and migration: its checks,
 * procedures, and clauses without a check.
 */
import type { Check, UncheckedClause } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { access, scopes, tokenRequests } from './access-procedures.ts'
import { activity } from './activity.ts'
import { addressChecks } from './addresses.ts'
import { beginAnewChecks } from './begin-anew.ts'
import { beginAnew } from './access-procedures.ts'
import { clientAuthenticationChecks } from './auth-client.ts'
import { hostAuthenticationChecks } from './auth-host.ts'
import { scopeChecks } from './auth-scopes.ts'
import { clientRetryChecks } from './client-retries.ts'
import { discoveryEndpointChecks } from './discovery-endpoint.ts'
import { introduction } from './access-procedures.ts'
import { brokenRequests, repeatedReads, repeats } from './host-procedures.ts'
import { limitChecks } from './limits.ts'
import { limits } from './access-procedures.ts'
import { manifestCapabilityChecks } from './manifest-capabilities.ts'
import { manifestFieldChecks } from './manifest-fields.ts'
import { manifestIdentityChecks } from './manifest-identity.ts'
import { manifestUseChecks } from './manifest-use.ts'
import { messageChecks } from './messages.ts'
import { merchantMigrationChecks } from './migration-merchants.ts'
import { orderMigrationChecks } from './migration-orders.ts'
import { cancellationRequest } from './host-procedures.ts'
import { retryProcedures } from './retry-procedures.ts'
import { statusChecks } from './statuses.ts'

export const transportChecks: readonly Check[] = [
  ...discoveryEndpointChecks,
  ...manifestFieldChecks,
  ...manifestIdentityChecks,
  ...manifestCapabilityChecks,
  ...manifestUseChecks,
  ...hostAuthenticationChecks,
  ...scopeChecks,
  ...clientAuthenticationChecks,
  ...messageChecks,
  ...addressChecks,
  ...statusChecks,
  ...clientRetryChecks,
  ...beginAnewChecks,
  ...limitChecks,
  ...orderMigrationChecks,
  ...merchantMigrationChecks,
]

/** In the order in which they are carried out. */
export const transportProcedures: readonly Procedure[] = [
  introduction,
  activity,
  access,
  scopes,
  tokenRequests,
  brokenRequests,
  repeatedReads,
  repeats,
  limits,
  cancellationRequest,
  ...retryProcedures,
  beginAnew,
]

/**
 * Clauses of discovery, transport, authentication, limits and migration that no check shows for
 * these roles.
 */
export const transportUnchecked: readonly UncheckedClause[] = [
  {
    clause: 'DIS-EVT-01',
    roles: ['crm'],
    why: 'its events are those of Customer, whose declaration (DIS-CUS-01) has no originator block; our own manifest has none either',
  },
  {
    clause: 'TRN-STA-03',
    roles: ['delivery-platform'],
    why: 'no operation that a Delivery Platform hosts is answered with 204',
  },
  {
    clause: 'MIG-ORD-02',
    roles: ['software-service'],
    why: 'the outcome of a request to cancel is given by the Ordering Application',
  },
  {
    clause: 'MIG-IND-02',
    roles: ['ordering-application'],
    why: 'the Ordering Application hosts no account, and calls what the documents have',
  },
  {
    clause: 'MIG-MER-03',
    roles: ['ordering-application', 'software-service'],
    why: 'no operation of the documents exchanges the services of a merchant',
  },
  {
    clause: 'MIG-MNU-03',
    roles: ['ordering-application', 'software-service'],
    why: 'no operation of the documents exchanges a catalog',
  },
  {
    clause: 'MIG-LOG-01',
    roles: ['ordering-application', 'software-service'],
    why: 'the Delivery Platform answers mutations and declares the tracking mode',
  },
]
