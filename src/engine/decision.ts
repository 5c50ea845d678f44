/** What every decision gets and gives: a pure function of the world, the instant and chance. */
import type { Result } from '../protocol/result.ts'
import type { Chance } from './chance.ts'
import type { Fact } from './fact.ts'
import type { FaultPort } from './faults/fault.ts'
import type { Instant } from './instant.ts'
import type { Refusal } from './refusal.ts'
import type { Settings } from './settings.ts'
import type { World } from './world.ts'

export interface Context {
  /** To be read only: facts change it, nobody else. */
  readonly world: World
  readonly settings: Settings
  readonly now: Instant
  /** When the item should have come whose command this is; it may be taken later than it was due. */
  readonly due?: Instant | undefined
  /** The stream of this name; each consumer has its own. */
  readonly chance: (name: string) => Chance
  /** One draw that goes by its name alone: whatever else was drawn, the same name has the same fate. */
  readonly fate: (name: string) => Chance
  /** What the names of faults mean, in a session that has any. */
  readonly faults?: FaultPort | undefined
}

export type Decision = Result<readonly Fact[], Refusal>
