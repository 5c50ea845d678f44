/** Watches the subject of a session while it is played: how quickly it answers, and whether it still calls. */
import { quantile } from '../batch/pace.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import type { Session } from '../../core/session-api/session.ts'
import { wallDurationMs } from '../../core/traffic/exchange.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'

/** The end of a campaign whose subject is unreachable, has ended, or rejects us. */
export class SubjectGone extends Problem {
  /** The first and the last lines of its output, where we started it. */
  readonly output: readonly string[]

  constructor(because: string, remedy: string, output: readonly string[] = []) {
    super(problem('your service', because, remedy).message, exitCode.unreachable)
    this.output = output
  }
}

export interface SubjectWatch extends Disposable {
  /** 95th percentile of its answers to calls that no fault distorted, in ms. */
  readonly answerMs: () => number | undefined
  /** It called before, and has been silent for much longer than ever. */
  readonly isSilent: () => boolean
}

const maxAnswers = 10_000
/** A silence of less, in ms, is never too long … */
const minSilenceMs = 15_000
/** … nor one that is not so many times the longest before. */
const silenceFactor = 4

export function watchSubject(session: Pick<Session, 'onExchange'>): SubjectWatch {
  const answers: number[] = []
  let lastCall: number | undefined
  let longestGap = 0
  const stop = session.onExchange((exchange) => {
    const { from, to, fault, reply } = exchange
    if (from.party === 'subject') {
      const now = performance.now()
      if (lastCall !== undefined) longestGap = Math.max(longestGap, now - lastCall)
      lastCall = now
    }
    if (to.party !== 'subject' || fault !== undefined) return
    if (reply && answers.length < maxAnswers) answers.push(wallDurationMs(exchange))
  })
  return {
    answerMs: () => quantile(answers, 0.95),
    isSilent: () =>
      lastCall !== undefined &&
      performance.now() - lastCall > Math.max(minSilenceMs, silenceFactor * longestGap),
    [Symbol.dispose]: stop,
  }
}
