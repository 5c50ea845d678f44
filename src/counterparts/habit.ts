/** What every counterpart's habits share: drawing a time from a range, and planning. */
import type { Chance } from '../engine/chance.ts'
import type { Command } from '../engine/command.ts'
import type { Planned } from '../engine/agenda/item.ts'
import type { Range } from './temperament.ts'

export const draw = ([least, most]: Range, chance: Chance): number =>
  least === most ? least : chance.between(least, most)

export const plan = (command: Command, afterMs: number): Planned => ({ command, afterMs })

/** A plan that belongs to a loop without end. */
export const loop = (command: Command, afterMs: number): Planned => ({
  command,
  afterMs,
  background: true,
})
