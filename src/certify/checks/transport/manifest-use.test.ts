/** Proof of the checks of what a manifest says beside what the service does. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { manifestUseChecks } from './manifest-use.ts'

proveChecks('manifests and their use', manifestUseChecks)
