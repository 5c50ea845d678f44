/** Builds the merge context from the session: store, owner of the sent ids, time, id generator. */
import type { Role } from '../../protocol/role.ts'
import type { Context } from '../decision.ts'
import type { Merging } from './merge.ts'
import type { Side } from './side.ts'

/** The context of a merge into a side's store; `owner` is the role whose ids the input uses. */
export function mergingOf(side: Side, owner: Role, context: Context): Merging {
  const { world, now, chance, settings } = context
  return {
    store: side.store(world),
    owner,
    now,
    freshId: () => chance(`${side.word}.ids`).uuid(),
    takesIds: owner === side.role || settings.conduct.customer.ids === 'given',
  }
}
