/** Environment without a subject: we play every role in this process, by default on the virtual clock. */
import { playRun } from '../../../core/scenario/play.ts'
import type { RunEnvironment } from './environment.ts'
import { abortableSleep } from '../../../core/runtime/clock/abortable-sleep.ts'
import { openSession } from '../../../core/session/open-session.ts'

export const inProcessEnvironment: RunEnvironment = async (
  { loaded, input, configuration },
  { onStep, onPlayed, enough: signal },
) => {
  const { run } = loaded
  const { subject: _nobody, ...rest } = input
  await using session = await openSession({
    ...rest,
    clock: run.scenario.clock ?? 'virtual',
    listen: false,
    automatic: false,
  })
  const { tolerances } = configuration
  const outcome = await playRun(run, session, {
    sleep: abortableSleep,
    onStep,
    enough: signal,
    tolerances,
  })
  await onPlayed(session, outcome)
  return { kind: 'played', outcome }
}
