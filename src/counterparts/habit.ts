/** Helpers of all reactors: draw a duration from a range, schedule a command. */
import type { Chance } from '../engine/chance.ts'
import type { Command } from '../engine/command.ts'
import type { Planned } from '../engine/agenda/item.ts'
import type { Range } from './temperament.ts'

export const draw = ([min, max]: Range, chance: Chance): number =>
  min === max ? min : chance.between(min, max)

export const plan = (command: Command, afterMs: number): Planned => ({ command, afterMs })

/** A scheduled command of an endless loop: a session that settles does not wait for it. */
export const loop = (command: Command, afterMs: number): Planned => ({
  command,
  afterMs,
  background: true,
})
