/** Proof of the checks of Delivery Platforms. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { platformFieldChecks } from './platform-fields.ts'
import { platformLifecycleChecks } from './platform-lifecycle.ts'
import { platformOperationChecks } from './platform-operations.ts'
import { platformRuleChecks } from './platform-rules.ts'

proveChecks('logistics', [
  ...platformFieldChecks,
  ...platformLifecycleChecks,
  ...platformRuleChecks,
  ...platformOperationChecks,
])
