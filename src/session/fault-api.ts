/** Synchronous API for the faults of an in-process session. */
import type { Result } from '../protocol/result.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { Refusal } from '../engine/refusal.ts'
import type { World } from '../engine/world.ts'
import { faultRows } from '../views/fault-rows.ts'
import { problem } from '../problem.ts'
import type { FaultRow } from '../session-api/session-api.ts'

/**
 * A fault specification: `{ drop: { event: 'CONFIRMED' } }`, the same as text (`'drop:event=CONFIRMED'`), or the name
 * of a profile (`'friday-night'`). `sparring list faults` lists them all.
 */
export type FaultSpec = string | Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The faults of a session. Synchronous: an added fault applies to the very next matching message. */
export interface FaultsHand {
  /**
   * Puts a fault, or all faults of a profile, in force and returns them.
   * @example
   * session.faults.add({ drop: { event: 'CONFIRMED' } }) // [{ id: 1, name: 'drop', text: 'drop:event=CONFIRMED', … }]
   * @throws Problem when the fault is unknown or its options are invalid; the message names valid ones.
   * @see ORD-GEN-02, ORD-GEN-03: events may be duplicated and reordered, and a service has to tolerate that
   */
  add(spec: FaultSpec): readonly FaultRow[]
  /**
   * Removes a fault; messages it already delays stay held until their time.
   * @throws Problem when no fault with this id is in force.
   */
  remove(id: number): void
  /** Ends all faults and releases what they hold back. From here on verdicts wait for a quiescent state. */
  end(): void
  /** Active faults first, then ended ones, each oldest first. */
  list(): readonly FaultRow[]
}

export function createFaultsHand(
  submit: (command: Command) => Result<readonly Fact[], Refusal>,
  world: () => World,
): FaultsHand {
  function done(attempted: string, command: Command, remedy: string): readonly Fact[] {
    const result = submit(command)
    if (result.ok) return result.value
    throw problem(attempted, result.error.message, remedy)
  }
  return {
    add(spec) {
      const facts = done('adding a fault', { kind: 'fault.add', spec }, 'See sparring list faults.')
      const added = new Set(
        facts.flatMap((fact) => (fact.kind === 'fault.added' ? [fact.fault.id] : [])),
      )
      return faultRows(world()).filter(({ id }) => added.has(id))
    },
    remove(id) {
      done(`removing fault ${id}`, { kind: 'fault.remove', id }, 'See faults.list().')
    },
    end() {
      done('ending the faults', { kind: 'fault.end' }, 'Try again.')
    },
    list: () => faultRows(world()),
  }
}
