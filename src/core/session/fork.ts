/**
 * Fork: continues the world from an earlier fact, with its journal and random state as of then. Traffic already sent
 * over the wire is not undone; the abandoned world is stopped.
 */
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import type { EngineSnapshot } from '../engine/engine.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { ok, type Result } from '../protocol/result.ts'

/** State of the world right after a fact. */
export function stateAtFact({ engine }: WorldRuntime, at: number): Result<EngineSnapshot, Refusal> {
  const state = engine.snapshotAt(at)
  if (state) return ok(state)
  const { journal } = engine
  return at > journal.last()
    ? refuse('NOT_FOUND', `there is no fact ${at} yet: the last one is ${journal.last()}`)
    : refuse(
        'NOT_FOUND',
        `fact ${at} is no longer kept: the journal goes back to ${journal.first()}`,
      )
}

/** Stops a world and releases every call that waits on its clock. */
export function leaveWorld({ engine, driver }: WorldRuntime): void {
  driver.stop()
  for (const { command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit(command, 'session')
}

/** Resumes a forked world: drops pauses of the abandoned one and repeats its calls in flight. */
export function resumeWorld({ engine, repeatPendingCalls: callAgain }: WorldRuntime): void {
  for (const { id, command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit({ kind: 'agenda.drop', id }, 'session')
  callAgain()
}
