/** Waits until your service shows itself: it answers where it should, or it calls us. */
import { sleep } from './sleep.ts'
import type { StartedSubject } from './start-subject.ts'
import type { Session } from '../../session-api/session.ts'

export interface ContactOptions {
  readonly session: Session
  readonly url: string | undefined
  readonly seconds: number
  /** Why it does not answer at its address; undefined when it does. */
  readonly why: (url: string) => Promise<string | undefined>
  /** The one that we started, if we did. */
  readonly child: () => StartedSubject | undefined
  readonly enough: AbortSignal
}

export interface NoContact {
  readonly because: string
  readonly remedy: string
}

const pauseMs = 100

/** Answers why there is no contact; undefined when there is. */
export async function waitForContact(options: ContactOptions): Promise<NoContact | undefined> {
  const { session, url, seconds, why, child, enough } = options
  let called = false
  const stop = session.onExchange(({ from }) => {
    called ||= from.party === 'subject'
  })
  const begin = performance.now()
  try {
    while (!enough.aborted) {
      const ended = child()?.ended()
      if (ended !== undefined)
        return { because: `${ended} before it answered`, remedy: 'Correct the command of --start.' }
      const problem = url === undefined ? 'it has not called' : await why(url)
      if (called || problem === undefined) return undefined
      if (performance.now() - begin >= seconds * 1000) return noContact(options, problem)
      await sleep(pauseMs, enough)
    }
    return undefined
  } finally {
    stop()
  }
}

function noContact({ session, url, seconds, child }: ContactOptions, why: string): NoContact {
  if (url === undefined) {
    const us = [...session.urls].map(([role, each]) => `${role} ${each}`).join('  ')
    return {
      because: `it did not call within ${seconds} s; we are at ${us}`,
      remedy:
        'Point it there, say with --subject where it answers, or wait longer with --wait-for-subject.',
    }
  }
  return {
    because: `it does not answer at ${url} within ${seconds} s (${why})`,
    remedy: child()
      ? 'Have it listen on the port that PORT or {port} says, or wait longer with --wait-for-subject.'
      : 'Start it, correct --subject, or wait longer with --wait-for-subject.',
  }
}
