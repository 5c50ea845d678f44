/**
 * A run against your service, over sockets and on the real clock. Our side listens first, then your service is started if
 * that is our part, and only when it has answered or called does the session begin.
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
  /** The command that starts it, when that is our part. */
  readonly start?: string | undefined
  readonly waitSeconds: number
  readonly io: Io
}

/** Servers let open exchanges end, but nobody waits for them longer. */
const closingMs = 1500

async function close(session: PreparedSession): Promise<void> {
  const late = new AbortController()
  await Promise.race([session.close(), sleep(closingMs, late.signal)])
  late.abort()
}

/** The service that we started, and what became of it. */
interface Keeper {
  readonly start: () => void
  readonly stop: () => Promise<void>
  readonly current: () => StartedSubject | undefined
}

function keeperOf(
  planned: Planned,
  session: PreparedSession,
  { start, io }: OutsideWishes,
  onEnd: (how: string) => void,
): Keeper {
  let current: StartedSubject | undefined
  return {
    current: () => current,
    start() {
      if (start === undefined) return
      const { values, env } = surroundingsOf(planned, session)
      const started = startSubject(filled(start, values), { ...io.env, ...env }, io.cwd)
      current = started
      // One that is stopped on purpose is not the current one any more, and its end is no news.
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

/** A service that dies while it is played with is what somebody wanted to know: the run has failed. */
const withItsEnd = (outcome: Outcome, how: string): Outcome => ({
  ...outcome,
  result: 'failed',
  failures: [
    ...outcome.failures,
    { kind: 'step', path: ['steps'], because: `your service went away in the middle: ${how}` },
  ],
})

async function playThere(
  planned: Planned,
  wishes: OutsideWishes,
  { onStep, enough }: Watching,
  session: PreparedSession,
): Promise<Played> {
  const { configuration, loaded } = planned
  const { judgement: patience, subject } = configuration
  const broken = new AbortController()
  let died: string | undefined
  let end: Hopeless | undefined
  let called = false
  session.onExchange(({ from }) => (called ||= from.party === 'subject'))
  const keeper = keeperOf(planned, session, wishes, (how) => {
    died = how
    broken.abort()
  })
  const inside = await lookIn(configuration)
  const contact = () =>
    waitForContact({
      session,
      url: subject.url,
      seconds: wishes.waitSeconds,
      why: (url) => unreachable(url, configuration),
      child: keeper.current,
      enough,
    })
  const output = () => keeper.current()?.output()

  try {
    keeper.start()
    onStep('wait for your service')
    const not = await contact()
    if (not && !enough.aborted) return { kind: 'halted', ...not, output: output() }
    await session.begin()
    const outcome = await play(loaded.run, session, {
      sleep,
      onStep,
      patience,
      view: inside.view,
      visit: inside.visit,
      enough: AbortSignal.any([enough, broken.signal]),
      onWitness: (witness) =>
        session.onExchange(() => {
          end ??= hopeless(witness, loaded.run)
          if (end) broken.abort()
        }),
      restartSubject:
        wishes.start === undefined
          ? undefined
          : async () => {
              await keeper.stop()
              keeper.start()
              const gone = await contact()
              if (gone && !enough.aborted) throw new StepFailure(gone.because)
            },
    })
    if (end && !enough.aborted) return { kind: 'halted', ...end, output: output() }
    if (died !== undefined && !enough.aborted)
      return { kind: 'played', outcome: withItsEnd(outcome, died), output: output() }
    if (outcome.result !== 'failed') return { kind: 'played', outcome }
    const { url } = subject
    const why =
      url === undefined || wishes.start ? undefined : await unreachable(url, configuration)
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
    await keeper.stop()
    inside.close()
  }
}

export const outsideArena =
  (wishes: OutsideWishes): Arena =>
  async (given, watching) => {
    const planned = wishes.start === undefined ? given : await placed(given)
    const bug = Promise.withResolvers<never>()
    const session = await prepareSession(
      { ...planned.input, onBug: bug.reject },
      planned.configuration,
    )
    try {
      return await Promise.race([playThere(planned, wishes, watching, session), bug.promise])
    } finally {
      await close(session)
    }
  }
