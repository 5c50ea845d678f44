/**
 * Environment with a subject, over sockets and on the real clock. Our side listens first, then the subject is started if
 * `--start` is given, and the session begins once the subject has answered or called.
 */
import { StepFailure } from '../../scenario/step-actions.ts'
import { play } from '../../scenario/play.ts'
import type { Outcome } from '../../scenario/outcome.ts'
import { prepareSession } from '../../session/session.ts'
import type { Io } from '../io.ts'
import { unreachable } from '../subject-probe.ts'
import type { Arena, Played, Watching } from './environment.ts'
import { waitForContact } from './wait-for-subject.ts'
import { hopeless, type Hopeless } from './abort-condition.ts'
import { lookIn } from './query-subject.ts'
import type { Planned } from './plan.ts'
import { sleep } from './sleep.ts'
import { filled, startSubject, type StartedSubject } from './start-subject.ts'
import { placed, surroundingsOf } from './subject-environment.ts'
import type { PreparedSession } from '../../session/types.ts'

export interface OutsideWishes {
  /** The command of `--start`. */
  readonly start?: string | undefined
  readonly waitSeconds: number
  readonly io: Io
}

/** Time limit for open exchanges to end. */
const closeTimeoutMs = 1500

async function close(session: PreparedSession): Promise<void> {
  const late = new AbortController()
  await Promise.race([session.close(), sleep(closeTimeoutMs, late.signal)])
  late.abort()
}

/** The process of the subject: starts, stops and restarts it. */
interface SubjectProcess {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly current: () => StartedSubject | undefined
}

function createSubjectProcess(
  planned: Planned,
  session: PreparedSession,
  { start, io }: OutsideWishes,
  onEnd: (how: string) => void,
): SubjectProcess {
  let current: StartedSubject | undefined
  return {
    current: () => current,
    start() {
      if (start === undefined) return
      const { values, env } = surroundingsOf(planned, session)
      const started = startSubject(filled(start, values), { ...io.env, ...env }, io.cwd)
      current = started
      // A process that is stopped on purpose is no longer the current one, and its end is not reported.
      void started.end.then(() => {
        if (current === started) onEnd(started.ended() ?? 'it ended')
      })
    },
    async stop() {
      const last = current
      current = undefined
      await last?.stop()
    },
  }
}

/** The subject's process ended during the run: the run has failed. */
const failedBySubjectEnd = (outcome: Outcome, how: string): Outcome => ({
  ...outcome,
  result: 'failed',
  failures: [
    ...outcome.failures,
    { kind: 'step', path: ['steps'], because: `your service went away in the middle: ${how}` },
  ],
})

async function playAgainstSubject(
  planned: Planned,
  options: OutsideWishes,
  { onStep, enough }: Watching,
  session: PreparedSession,
): Promise<Played> {
  const { configuration, loaded } = planned
  const { judgement: patience, subject } = configuration
  const aborted = new AbortController()
  let endedBecause: string | undefined
  let abortCondition: Hopeless | undefined
  let called = false
  session.onExchange(({ from }) => (called ||= from.party === 'subject'))
  const subjectProcess = createSubjectProcess(planned, session, options, (how) => {
    endedBecause = how
    aborted.abort()
  })
  const queries = await lookIn(configuration)
  const waitUntilReady = () =>
    waitForContact({
      session,
      url: subject.url,
      seconds: options.waitSeconds,
      why: (url) => unreachable(url, configuration),
      child: subjectProcess.current,
      enough,
    })
  const output = () => subjectProcess.current()?.output()

  try {
    subjectProcess.start()
    onStep('wait for your service')
    const notReady = await waitUntilReady()
    if (notReady && !enough.aborted) return { kind: 'halted', ...notReady, output: output() }
    await session.begin()
    const outcome = await play(loaded.run, session, {
      sleep,
      onStep,
      patience,
      view: queries.view,
      visit: queries.visit,
      enough: AbortSignal.any([enough, aborted.signal]),
      onWitness: (observer) =>
        session.onExchange(() => {
          abortCondition ??= hopeless(observer, loaded.run)
          if (abortCondition) aborted.abort()
        }),
      restartSubject:
        options.start === undefined
          ? undefined
          : async () => {
              await subjectProcess.stop()
              subjectProcess.start()
              const notReady = await waitUntilReady()
              if (notReady && !enough.aborted) throw new StepFailure(notReady.because)
            },
    })
    if (abortCondition && !enough.aborted)
      return { kind: 'halted', ...abortCondition, output: output() }
    if (endedBecause !== undefined && !enough.aborted)
      return {
        kind: 'played',
        outcome: failedBySubjectEnd(outcome, endedBecause),
        output: output(),
      }
    if (outcome.result !== 'failed') return { kind: 'played', outcome }
    const { url } = subject
    const why =
      url === undefined || options.start ? undefined : await unreachable(url, configuration)
    if (why !== undefined) {
      const because = `it does not answer at ${url} any more (${why})`
      return { kind: 'halted', because, remedy: 'Start it again.' }
    }
    const us = session.urls.get('ordering-application') ?? [...session.urls.values()][0]
    const hint = called
      ? undefined
      : `your service never called ${us}: is that where it looks for its partner?`
    return { kind: 'played', outcome, output: output(), hint }
  } finally {
    await subjectProcess.stop()
    queries.close()
  }
}

export const outsideArena =
  (options: OutsideWishes): Arena =>
  async (given, hooks) => {
    const planned = options.start === undefined ? given : await placed(given)
    const bug = Promise.withResolvers<never>()
    const session = await prepareSession(
      { ...planned.input, onBug: bug.reject },
      planned.configuration,
    )
    try {
      return await Promise.race([playAgainstSubject(planned, options, hooks, session), bug.promise])
    } finally {
      await close(session)
    }
  }
