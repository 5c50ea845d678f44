/** Watches whether the subject of a session has crashed while it is played. */
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { Session } from '../../core/session-api/session.ts'
import { findSubjectEnd, type SubjectEndOptions } from './subject-answers.ts'
import type { SubjectProcess } from './subject-process.ts'

export interface CrashWatchOptions extends Pick<SubjectEndOptions, 'url' | 'probe' | 'timeoutMs'> {
  readonly session: Pick<Session, 'onExchange'>
  /** Absent where the operator started it. */
  readonly subjectProcess?: Pick<SubjectProcess, 'current'> & {
    readonly output: Pick<SubjectProcess['output'], 'lines'>
  }
  /** Aborts when its process ends. */
  readonly processEnded?: AbortSignal
  /** Aborts on interruption. */
  readonly signal: AbortSignal
}

/** Lines of its output that are kept. */
const maxOutputLines = 20
/** A service that is silent for so long is asked whether it is there, in ms. */
const quietMs = 3000

/** Notices that a service ends, where we started it, or stops answering for good. */
export function watchForCrash(options: CrashWatchOptions) {
  const { session, subjectProcess, signal, url, probe, timeoutMs } = options
  const { processEnded = new AbortController().signal } = options
  const disposed = new AbortController()
  const hung = new AbortController()
  const enough = AbortSignal.any([signal, processEnded, disposed.signal])
  const endReason = (): string | undefined => subjectProcess?.current()?.endReason()
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
    crash: async () => {
      if (signal.aborted) return undefined
      found ??= await findEnd()
      if (signal.aborted || found === undefined) return undefined
      return { because: found, output: subjectProcess?.output.lines().slice(-maxOutputLines) ?? [] }
    },
    [Symbol.dispose]() {
      disposed.abort()
      stop()
    },
  }
}
