/** Proof of the checks of authentication. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { clientAuthenticationChecks } from './auth-client.ts'
import { hostAuthenticationChecks } from './auth-host.ts'
import { scopeChecks } from './auth-scopes.ts'

proveChecks('authentication', [
  ...hostAuthenticationChecks,
  ...scopeChecks,
  ...clientAuthenticationChecks,
])
