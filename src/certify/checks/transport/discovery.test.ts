/** Proof of the checks of discovery. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { discoveryEndpointChecks } from './discovery-endpoint.ts'
import { manifestCapabilityChecks } from './manifest-capabilities.ts'
import { manifestFieldChecks } from './manifest-fields.ts'
import { manifestIdentityChecks } from './manifest-identity.ts'

proveChecks('discovery', [
  ...discoveryEndpointChecks,
  ...manifestFieldChecks,
  ...manifestIdentityChecks,
  ...manifestCapabilityChecks,
])
