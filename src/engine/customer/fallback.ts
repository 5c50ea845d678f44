/** Once, a path of the binding that is not there makes a role of ours go over to the flow's paths (CUS-TEN-03). */
import type { Call, CallOutcome } from '../calls/call.ts'
import type { Context } from '../decision.ts'
import type { Fact } from '../fact.ts'
import { pulls, pushes } from './partner.ts'
import type { Side } from './side.ts'

const ofBinding: ReadonlySet<string> = new Set(
  [...Object.values(pushes), ...Object.values(pulls)].map(({ binding }) => binding),
)

/** The fact of going over; none where the answer says nothing of the kind, or it has happened before. */
export function fellBackFrom(
  { operation }: Pick<Call, 'operation'>,
  outcome: CallOutcome,
  side: Side,
  { world }: Context,
): readonly Fact[] {
  const missing = outcome.kind === 'answered' && outcome.status === 404
  return missing && ofBinding.has(operation) && !world.customer.fellBack.has(side.role)
    ? [{ kind: `${side.word}.fell-back` }]
    : []
}
