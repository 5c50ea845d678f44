/**
 * Going back: a world goes on from an earlier fact, as it was then, with its past and its chances. Nothing that went over
 * the wire is undone by that, and nothing of the world that is left goes on.
 */
import type { Stage } from '../edge/world-runtime.ts'
import type { Beginning } from '../engine/engine.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { ok, type Result } from '../protocol/result.ts'

/** The world as it was after a fact. */
export function beginningAt({ engine }: Stage, at: number): Result<Beginning, Refusal> {
  const begin = engine.upTo(at)
  if (begin) return ok(begin)
  const { journal } = engine
  return at > journal.last()
    ? refuse('NOT_FOUND', `there is no fact ${at} yet: the last one is ${journal.last()}`)
    : refuse(
        'NOT_FOUND',
        `fact ${at} is no longer kept: the journal goes back to ${journal.first()}`,
      )
}

/** A world is left: whoever waits for its time, waits no longer. */
export function leave({ engine, driver }: Stage): void {
  driver.stop()
  for (const { command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit(command, 'session')
}

/** A world goes on: nobody waits for pauses that another one began, and its calls under way are made again. */
export function takeUp({ engine, callAgain }: Stage): void {
  for (const { id, command } of engine.world.agenda.byId.values())
    if (command.kind === 'pause.end') engine.submit({ kind: 'agenda.drop', id }, 'session')
  callAgain()
}
