/** Proof of the checks of consumers of Logistics. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { consumerCancellationChecks } from './consumer-cancellation.ts'
import { consumerChecks } from './consumer-checks.ts'

proveChecks('logistics', [...consumerChecks, ...consumerCancellationChecks])
