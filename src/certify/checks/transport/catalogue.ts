/** Certification of discovery, transport, authentication, limits and migration: its checks and procedures. */
import type { Check } from '../../judge/check.ts'
import type { Procedure } from '../../judge/procedure.ts'
import { access, scopes, tokenRequests } from './access-procedures.ts'
import { activity } from './activity.ts'
import { addressChecks } from './addresses.ts'
import { beginAnew, beginAnewChecks } from './begin-anew.ts'
import { clientAuthenticationChecks } from './auth-client.ts'
import { hostAuthenticationChecks } from './auth-host.ts'
import { scopeChecks } from './auth-scopes.ts'
import { clientRetryChecks } from './client-retries.ts'
import { discoveryEndpointChecks } from './discovery-endpoint.ts'
import { introduction } from './discovery-procedures.ts'
import { brokenRequests, repeatedReads, repeats } from './host-procedures.ts'
import { limitChecks, limits } from './limits.ts'
import { manifestCapabilityChecks } from './manifest-capabilities.ts'
import { manifestFieldChecks } from './manifest-fields.ts'
import { manifestIdentityChecks } from './manifest-identity.ts'
import { manifestUseChecks } from './manifest-use.ts'
import { messageChecks } from './messages.ts'
import { merchantMigrationChecks } from './migration-merchants.ts'
import { cancellationRequest, orderMigrationChecks } from './migration-orders.ts'
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
