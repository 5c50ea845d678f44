/** One thing that will happen: a command with a due instant and a cause. */
import type { Command } from '../command.ts'
import type { Wait } from '../faults/wait.ts'
import type { Instant } from '../instant.ts'

export interface Item {
  readonly id: number
  /** When it is due. A held item keeps the instant it had, but never comes due. */
  readonly due: Instant
  /** Its place among items of the same instant. */
  readonly rank: number
  readonly held: boolean
  readonly command: Command
  /** The fact that gave rise to it (its journal number), or 0 for somebody's own wish. */
  readonly cause: number
  /**
   * A loop that goes on for ever, such as polling: it does not keep a session from being settled. One of `upkeep` brings
   * no news of its own, so nobody waits for it to come round either.
   */
  readonly background: boolean | 'upkeep'
  /** The item that this one is a copy of. */
  readonly copyOf?: number
  /** Somebody changed its command by hand. */
  readonly edited?: true
  /** What it waits for: it goes on as soon as that has happened, and at the latest when it is due. */
  readonly wait?: Wait
  /** The fault that put it off, or made it. */
  readonly fault?: number
}

/** What a reaction asks for: a command, and how long from now. */
export interface Planned {
  readonly command: Command
  readonly afterMs: number
  readonly background?: true | 'upkeep'
  /** Not before something else has happened; `afterMs` counts for nothing then. */
  readonly wait?: Wait
  /** Its place among items of the same instant; behind all of them when absent. */
  readonly rank?: number
  /** The fault that made it of another plan. */
  readonly fault?: number
}
