/** What every decision gets and gives: a pure function of the world, the instant and chance. */
import type { Result } from '../protocol/result.ts'
import type { Chance } from './chance.ts'
import type { Fact } from './fact.ts'
import type { Instant } from './instant.ts'
import type { Refusal } from './refusal.ts'
import type { Settings } from './settings.ts'
import type { World } from './world.ts'

export interface Context {
  /** To be read only: facts change it, nobody else. */
  readonly world: World
  readonly settings: Settings
  readonly now: Instant
  /** The stream of this name; each consumer has its own. */
  readonly chance: (name: string) => Chance
}

export type Decision = Result<readonly Fact[], Refusal>
