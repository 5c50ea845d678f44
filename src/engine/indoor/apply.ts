/** Reducer for the facts of Indoor: dispatches to the host's and the client's slice. */
import type { Instant } from '../instant.ts'
import { isOfCapability } from '../capability-kind.ts'
import { applyAccount } from './account-facts.ts'
import type { IndoorFact } from './fact.ts'
import { applyTable } from './table-facts.ts'
import type { IndoorWorld } from './world.ts'

export function applyIndoor(world: IndoorWorld, fact: IndoorFact, at: Instant): void {
  if (isOfCapability(fact, 'account')) applyAccount(world.host, fact, at)
  else applyTable(world.guest, fact, at)
}
