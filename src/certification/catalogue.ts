/** The catalogue of certification: every check, every procedure, and every clause that a person has to attest. */
import type { Attestation, Check } from './check.ts'
import { orderLife, unknownOrder } from './orders/host-procedures.ts'
import { orderOperationChecks } from './orders/operations.ts'
import { servedOrders } from './orders/served-orders.ts'
import { orderTransitionChecks } from './orders/transitions.ts'
import type { Procedure } from './procedure.ts'

export const checks: readonly Check[] = [...orderOperationChecks, ...orderTransitionChecks]

/** In the order in which they are carried out. */
export const procedures: readonly Procedure[] = [orderLife, unknownOrder, servedOrders]

export const attestations: readonly Attestation[] = []
