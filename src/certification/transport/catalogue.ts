/** Certification of discovery, transport, authentication, limits and migration: its checks and procedures. */
import type { Check } from '../check.ts'
import type { Procedure } from '../procedure.ts'
import { access, scopes, tokenRequests } from './access-procedures.ts'
import { activity } from './activity.ts'
import { clientAuthenticationChecks } from './auth-client.ts'
import { hostAuthenticationChecks } from './auth-host.ts'
import { scopeChecks } from './auth-scopes.ts'
import { clientRetryChecks } from './client-retries.ts'
import { introduction } from './discovery-procedures.ts'
import { manifestCapabilityChecks } from './manifest-capabilities.ts'
import { manifestFieldChecks } from './manifest-fields.ts'
import { manifestIdentityChecks } from './manifest-identity.ts'
import { manifestUseChecks } from './manifest-use.ts'
import { retryProcedures } from './retry-procedures.ts'

export const transportChecks: readonly Check[] = [
  ...manifestFieldChecks,
  ...manifestIdentityChecks,
  ...manifestCapabilityChecks,
  ...manifestUseChecks,
  ...hostAuthenticationChecks,
  ...scopeChecks,
  ...clientAuthenticationChecks,
  ...clientRetryChecks,
]

/** In the order in which they are carried out. */
export const transportProcedures: readonly Procedure[] = [
  introduction,
  activity,
  access,
  scopes,
  tokenRequests,
  ...retryProcedures,
]
