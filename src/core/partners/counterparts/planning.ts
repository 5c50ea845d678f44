/** Helpers of all reactors: draw a duration from a range, schedule a command. */
import type { Chance } from '../../engine/chance.ts'
import type { CallIntent } from '../../engine/calls/call.ts'
import type { Command } from '../../engine/command.ts'
import type { PlannedCommand } from '../../engine/agenda/item.ts'
import type { DurationRange } from './behaviour.ts'

export const drawDuration = ([min, max]: DurationRange, chance: Chance): number =>
  min === max ? min : chance.between(min, max)

/** Of each `n` in a row one, drawn among them; none for 0. `nth` counts from 0. */
export const isTurn = (nth: number, n: number, name: string, chance: Chance): boolean =>
  n > 0 && chance.fork(`${name} ${Math.floor(nth / n)}`).below(n) === nth % n

export const plan = (command: Command, afterMs: number): PlannedCommand => ({ command, afterMs })

/** A call of its own, of which nothing in the world follows. */
export const planCall = (call: Omit<CallIntent, 'attempt'>, afterMs: number): PlannedCommand =>
  plan({ kind: 'call.place', call: { ...call, attempt: 1 } }, afterMs)

/** A scheduled command of an endless loop: a session that settles does not wait for it. */
export const loop = (command: Command, afterMs: number): PlannedCommand => ({
  command,
  afterMs,
  background: true,
})
