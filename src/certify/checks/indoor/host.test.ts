/** Proof of the checks of Indoor hosts: how they open, show and move accounts. */
import { proveChecks } from '../../../../test/support/prove-checks.ts'
import { lifecycleChecks } from './lifecycle.ts'
import { openingChecks } from './opening.ts'
import { permissionChecks } from './permissions.ts'

proveChecks('indoor', [...openingChecks, ...lifecycleChecks, ...permissionChecks])
