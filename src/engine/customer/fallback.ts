/** Fallback of a role that we play from binding paths to flow paths, once, after a 404 on a binding path (CUS-TEN-03). */
import type { OutgoingCall, CallOutcome } from '../calls/call.ts'
import type { DecisionContext } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { pullOperations, pushOperations } from './partner.ts'
import type { CustomerSide } from './side.ts'

const bindingOperations: ReadonlySet<string> = new Set(
  [...Object.values(pushOperations), ...Object.values(pullOperations)].map(
    ({ binding }) => binding,
  ),
)

/** The fact of the fallback; none unless this is the role's first 404 on a binding path. */
export function fallbackFacts(
  { operation }: Pick<OutgoingCall, 'operation'>,
  outcome: CallOutcome,
  side: CustomerSide,
  { world }: DecisionContext,
): readonly Fact[] {
  const isMissing = outcome.kind === 'answered' && outcome.status === 404
  return isMissing && bindingOperations.has(operation) && !world.customer.fellBack.has(side.role)
    ? [{ kind: `${side.prefix}.fell-back` }]
    : []
}
