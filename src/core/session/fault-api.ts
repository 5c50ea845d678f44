/** Synchronous API for the faults of an in-process session. */
import type { Result } from '../protocol/result.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { Refusal } from '../engine/refusal.ts'
import type { World } from '../engine/world.ts'
import { faultRow, faultRows } from '../views/fault-rows.ts'
import { problem } from '../base/problem.ts'
import type { FaultApi } from '../session-api/session.ts'

export function createFaultApi(
  submit: (command: Command) => Result<readonly Fact[], Refusal>,
  world: () => World,
): FaultApi {
  function submitOrThrow(attempted: string, command: Command, remedy: string): readonly Fact[] {
    const result = submit(command)
    if (result.ok) return result.value
    throw problem(attempted, result.error.message, remedy)
  }
  return {
    add(spec) {
      const facts = submitOrThrow(
        'adding a fault',
        { kind: 'fault.add', spec },
        'See sparring list faults.',
      )
      return facts.flatMap((fact) => (fact.kind === 'fault.added' ? [faultRow(fact.fault)] : []))
    },
    remove(id) {
      submitOrThrow(`removing fault ${id}`, { kind: 'fault.remove', id }, 'See faults.list().')
    },
    end() {
      submitOrThrow('ending the faults', { kind: 'fault.end' }, 'Try again.')
    },
    list: () => faultRows(world()),
  }
}
