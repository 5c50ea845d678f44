/**
 * Watches the subject of a session while it is played: how quickly it answers, whether it is still there, and whether it has
 * crashed.
 */
import type { CrashWatch } from '../batch/crash.ts'
import { quantile } from '../batch/pace.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { Session } from '../../core/session-api/session.ts'
import { wallDurationMs } from '../../core/traffic/exchange.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import { findSubjectEnd, type SubjectEndOptions } from '../../terminal/service/subject-answers.ts'
import type { SubjectProcess } from '../../terminal/service/subject-process.ts'

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

export interface CrashWatchOptions extends Pick<SubjectEndOptions, 'url' | 'probe' | 'timeoutMs'> {
  readonly session: Pick<Session, 'onExchange'>
  readonly subjectProcess: Pick<SubjectProcess, 'current' | 'output'>
  /** Aborts when its process ends. */
  readonly processEnded: AbortSignal
  /** Aborts on interruption. */
  readonly signal: AbortSignal
}

/** Lines of its output that are kept. */
const maxOutputLines = 20
/** A service that is silent for so long is asked whether it is there, in ms. */
const quietMs = 3000

/** Notices that a service ends, where we started it, or stops answering for good. */
export function watchForCrash(options: CrashWatchOptions): CrashWatch & Disposable {
  const { session, subjectProcess, processEnded, signal, url, probe, timeoutMs } = options
  const disposed = new AbortController()
  const hung = new AbortController()
  const enough = AbortSignal.any([signal, processEnded, disposed.signal])
  const endReason = (): string | undefined => subjectProcess.current()?.endReason()
  const limit = timeoutMs === undefined ? {} : { timeoutMs }
  const findEnd = (): Promise<string | undefined> =>
    findSubjectEnd({ url, probe, endReason, enough, ...limit })
  let found: string | undefined
  let lastActiveAt = performance.now()
  const stop = session.onExchange(({ from, to, reply }) => {
    if (from.party === 'subject' || (to.party === 'subject' && reply))
      lastActiveAt = performance.now()
  })

  async function askWhenQuiet(): Promise<void> {
    for (;;) {
      await abortableSleep(quietMs, enough)
      if (enough.aborted) return
      if (performance.now() - lastActiveAt < quietMs) continue
      found = await findEnd()
      if (found === undefined) continue
      hung.abort()
      return
    }
  }
  // A service that does not listen can only be judged by its calls: that is what rules do.
  if (url !== undefined) void askWhenQuiet()

  return {
    ended: AbortSignal.any([processEnded, hung.signal]),
    async crash() {
      if (signal.aborted) return undefined
      found ??= await findEnd()
      if (signal.aborted || found === undefined) return undefined
      return { because: found, output: subjectProcess.output.lines().slice(-maxOutputLines) }
    },
    [Symbol.dispose]() {
      disposed.abort()
      stop()
    },
  }
}
