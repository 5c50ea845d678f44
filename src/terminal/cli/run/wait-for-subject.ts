/** Waits until the subject answers at its URL or calls us. */
import { abortableSleep } from '../../../core/runtime/clock/abortable-sleep.ts'
import type { StartedSubject } from './start-subject.ts'
import type { Session } from '../../../core/session-api/session.ts'

export interface WaitForSubjectOptions {
  readonly session: Session
  readonly url: string | undefined
  readonly seconds: number
  /** Why the subject does not answer at its URL; undefined when it does. */
  readonly probe: (url: string) => Promise<string | undefined>
  /** The process of the subject, if we started it. */
  readonly startedSubject: () => Pick<StartedSubject, 'endReason'> | undefined
  readonly enough: AbortSignal
}

export interface SubjectNotReady {
  readonly because: string
  readonly remedy: string
}

const pauseMs = 100

/** Returns why the subject is not ready; undefined when it is. */
export async function waitForSubject(
  options: WaitForSubjectOptions,
): Promise<SubjectNotReady | undefined> {
  const { session, url, seconds, probe, startedSubject, enough: signal } = options
  let hasCalled = false
  const stop = session.onExchange(({ from }) => {
    hasCalled ||= from.party === 'subject'
  })
  const begin = performance.now()
  try {
    while (!signal.aborted) {
      const endReason = startedSubject()?.endReason()
      if (endReason !== undefined)
        return {
          because: `${endReason} before it answered`,
          remedy: 'Correct the command of --start.',
        }
      const problem = url === undefined ? 'it has not called' : await probe(url)
      if (hasCalled || problem === undefined) return undefined
      if (performance.now() - begin >= seconds * 1000) return notReady(options, problem)
      await abortableSleep(pauseMs, signal)
    }
    return undefined
  } finally {
    stop()
  }
}

function notReady(
  { session, url, seconds, startedSubject }: WaitForSubjectOptions,
  why: string,
): SubjectNotReady {
  if (url === undefined) {
    const ourUrls = [...session.urls].map(([role, each]) => `${role} ${each}`).join('  ')
    return {
      because: `it did not call within ${seconds} s; we are at ${ourUrls}`,
      remedy:
        'Point it there, say with --subject where it answers, or wait longer with --wait-for-subject.',
    }
  }
  return {
    because: `it does not answer at ${url} within ${seconds} s (${why})`,
    remedy: startedSubject()
      ? 'Have it listen on the port that PORT or {port} says, or wait longer with --wait-for-subject.'
      : 'Start it, correct --subject, or wait longer with --wait-for-subject.',
  }
}
