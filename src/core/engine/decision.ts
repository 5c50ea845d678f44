/** Input and output of every decision: a pure function of world, instant and seeded chance. */
import type { Result } from '../protocol/result.ts'
import type { Chance } from './chance.ts'
import type { Fact } from './fact.ts'
import type { FaultPort } from './faults/fault.ts'
import type { Instant } from './instant.ts'
import type { Refusal } from './refusal.ts'
import type { Settings } from './settings.ts'
import type { World } from './world.ts'

export interface DecisionContext {
  /** Read-only here: only facts change it. */
  readonly world: World
  readonly settings: Settings
  readonly now: Instant
  /** The due instant of the item whose command this is; the item may be taken later. */
  readonly due?: Instant | undefined
  /** The random stream of this name; each consumer has its own. */
  readonly chance: (name: string) => Chance
  /** A fresh stream that depends on the seed and this name only, not on earlier draws. */
  readonly draw: (name: string) => Chance
  /** The fault catalogue, in a session that has faults. */
  readonly faults?: FaultPort | undefined
}

export type Decision = Result<readonly Fact[], Refusal>

/** One decision for each kind of command. */
export type Decisions<Of extends { readonly kind: string }> = {
  readonly [Kind in Of['kind']]: (
    command: Extract<Of, { readonly kind: Kind }>,
    context: DecisionContext,
  ) => Decision
}

/** Decisions about an entity that is looked up first; refused when it is unknown. */
export const decisionsOn =
  <Reference, Entity>(
    find: (command: Reference, context: DecisionContext) => Result<Entity, Refusal>,
  ) =>
  <Command extends Reference>(
    decide: (entity: Entity, command: Command, context: DecisionContext) => Decision,
  ) =>
  (command: Command, context: DecisionContext): Decision => {
    const found = find(command, context)
    return found.ok ? decide(found.value, command, context) : found
  }
