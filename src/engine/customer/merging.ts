/** What a merge needs of the session: whose store and whose ids, when, and which ids are free. */
import type { Role } from '../../protocol/role.ts'
import type { Context } from '../decision.ts'
import type { Merging } from './merge.ts'
import type { Side } from './side.ts'

/** A merge into a side's store of what somebody sent, or said there. */
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
