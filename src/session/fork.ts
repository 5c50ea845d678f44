/**
 * Fork: continues the world from an earlier fact, with its journal and random state as of then. Traffic already sent
 * over the wire is not undone; the abandoned world is stopped.
 */
import type { Stage } from '../edge/world-runtime.ts'
import type { Beginning } from '../engine/engine.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { ok, type Result } from '../protocol/result.ts'

/** State of the world right after a fact. */
export function beginningAt({ engine }: Stage, at: number): Result<Beginning, Refusal> {
  const state = engine.upTo(at)
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
export function leave({ engine, driver }: Stage): void {
  driver.stop()
  for (const { command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit(command, 'session')
}

/** Resumes a forked world: drops pauses of the abandoned one and repeats its calls in flight. */
export function takeUp({ engine, callAgain }: Stage): void {
  for (const { id, command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit({ kind: 'agenda.drop', id }, 'session')
  callAgain()
}
