/** Environment without a subject: we play every role in this process, by default on the virtual clock. */
import { play } from '../../scenario/play.ts'
import type { Arena } from './environment.ts'
import { sleep } from './sleep.ts'
import { openSession } from '../../session/open-session.ts'

export const ownArena: Arena = async ({ loaded, input, configuration }, { onStep, enough }) => {
  const { run } = loaded
  const { subject: _nobody, ...rest } = input
  await using session = await openSession({
    ...rest,
    clock: run.scenario.clock ?? 'virtual',
    listen: false,
    automatic: false,
  })
  const { judgement: patience } = configuration
  return {
    kind: 'played',
    outcome: await play(run, session, { sleep, onStep, enough, patience }),
  }
}
