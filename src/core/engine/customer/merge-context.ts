/** Builds the merge context from the session: store, owner of the sent ids, time, id generator. */
import type { Role } from '../../protocol/role.ts'
import type { DecisionContext } from '../decision.ts'
import type { MergeContext } from './merge.ts'
import type { CustomerSide } from './side.ts'

/** The context of a merge into a side's store; `owner` is the role whose ids the input uses. */
export function createMergeContext(
  side: CustomerSide,
  owner: Role,
  context: DecisionContext,
): MergeContext {
  const { world, now, chance, settings } = context
  return {
    store: side.store(world),
    owner,
    now,
    freshId: () => chance(`${side.prefix}.ids`).uuid(),
    adoptsIds: owner === side.role || settings.conduct.customer.ids === 'given',
  }
}
