/** An agenda item: a command with a due instant and a cause. */
import type { Command } from '../command.ts'
import type { Instant } from '../instant.ts'
import type { ItemWait } from '../faults/wait-condition.ts'

export interface AgendaItem {
  readonly id: number
  /** When it is due. A held item keeps its instant, but never comes due. */
  readonly due: Instant
  /** Order among items of the same due instant. */
  readonly rank: number
  readonly held: boolean
  readonly command: Command
  /** Journal number of the fact that caused it; 0 when planned by hand. */
  readonly cause: number
  /**
   * Part of an endless loop, such as polling: does not keep a session from being settled. An `upkeep` item brings no
   * news of its own either, so its next run is not waited for.
   */
  readonly background: boolean | 'upkeep'
  /** The item that this one is a copy of. */
  readonly copyOf?: number
  /** The command was edited by hand. */
  readonly edited?: true
  /** Wait condition: the item is released as soon as it is met, and at the latest when due. */
  readonly wait?: ItemWait
  /** The fault that postponed or created it. */
  readonly fault?: number
}

/** What a reactor plans: a command, and a delay in milliseconds. */
export interface PlannedCommand {
  readonly command: Command
  readonly afterMs: number
  readonly background?: true | 'upkeep'
  /** Wait condition; `afterMs` is ignored then. */
  readonly wait?: ItemWait
  /** Order among items of the same due instant; last when absent. */
  readonly rank?: number
  /** The fault that made it from another plan. */
  readonly fault?: number
}
