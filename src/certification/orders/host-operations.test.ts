/** Proof of checks of Orders of an Ordering Application: operations, channels and declarations. */
import { proveChecks } from '../../../test/support/prove-checks.ts'
import { hostChannelChecks } from './host-channels.ts'
import { hostDeclarationChecks } from './host-declarations.ts'
import { hostOperationChecks } from './host-operations.ts'

proveChecks('orders', [...hostOperationChecks, ...hostChannelChecks, ...hostDeclarationChecks])
