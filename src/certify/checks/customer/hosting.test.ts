/** Proof of the checks of Customer: what a service declares and hosts. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { bindingChecks } from './binding.ts'
import { declarationChecks } from './declaration.ts'
import { hostingChecks } from './hosting.ts'
import { modeChecks } from './modes.ts'

proveChecks('customer', [...declarationChecks, ...modeChecks, ...hostingChecks, ...bindingChecks])
