/** The faults of a session in the hands of whoever holds it in their own process: at once, and without waiting. */
import type { Result } from '../protocol/result.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { Refusal } from '../engine/refusal.ts'
import type { World } from '../engine/world.ts'
import { faultRows } from '../views/fault-rows.ts'
import { problem } from '../problem.ts'
import type { FaultRow } from '../session-api/session-api.ts'

/**
 * A fault as somebody writes it, everywhere alike: `{ drop: { event: 'CONFIRMED' } }`, the same as text
 * (`'drop:event=CONFIRMED'`), or the name of a profile (`'friday-night'`). `sparring list faults` has them all.
 */
export type FaultSpec = string | Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The faults of a session. Nothing here waits: what was added distorts the very next message that it means. */
export interface FaultsHand {
  /**
   * Puts a fault in force, or all of a profile, and answers what came into force.
   *
   * @example
   * session.faults.add({ drop: { event: 'CONFIRMED' } }) // [{ id: 1, name: 'drop', text: 'drop:event=CONFIRMED', … }]
   * @throws Problem when there is no such fault or it cannot be so; its message says what would do.
   * @see ORD-GEN-02, ORD-GEN-03: events may come twice and in any order, and a service has to live with that
   */
  add(spec: FaultSpec): readonly FaultRow[]
  /**
   * Takes a fault out of force; what it holds back already stays held until its time.
   *
   * @throws Problem when no fault with this id is in force.
   */
  remove(id: number): void
  /** The end of faults: none is in force any more, and what they held back goes on. From here on verdicts wait for calm. */
  end(): void
  /** Those in force first, then those that are over, each oldest first. */
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
