/**
 * Fallback of a role that we play from binding paths to flow paths, once, after a 404 on a binding path (CUS-TEN-03).
 */
import type { OutgoingCall, CallOutcome } from '../calls/call.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { pullOperations, pushOperations } from './partner.ts'
import type { CustomerSide } from './side.ts'

/** The operation on the flow path, by that on the binding path. */
export const flowFallbacks: ReadonlyMap<OperationId, OperationId> = new Map(
  [...Object.values(pushOperations), ...Object.values(pullOperations)].map(({ binding, flow }) => [
    binding,
    flow,
  ]),
)

/** The fact of the fallback; none unless this is the role's first 404 on a binding path. */
export function fallbackFacts(
  { operation }: Pick<OutgoingCall, 'operation'>,
  outcome: CallOutcome,
  side: CustomerSide,
  { world }: DecisionContext,
): readonly Fact[] {
  const isMissing = outcome.kind === 'answered' && outcome.status === 404
  return isMissing && flowFallbacks.has(operation) && !world.customer.fellBack.has(side.role)
    ? [{ kind: `${side.prefix}.fell-back` }]
    : []
}
