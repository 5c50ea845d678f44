/** Waits until the subject answers at its URL or calls us. */
import { sleep } from './sleep.ts'
import type { StartedSubject } from './start-subject.ts'
import type { Session } from '../../session-api/session.ts'

export interface ContactOptions {
  readonly session: Session
  readonly url: string | undefined
  readonly seconds: number
  /** Why the subject does not answer at its URL; undefined when it does. */
  readonly why: (url: string) => Promise<string | undefined>
  /** The process of the subject, if we started it. */
  readonly child: () => StartedSubject | undefined
  readonly enough: AbortSignal
}

export interface NoContact {
  readonly because: string
  readonly remedy: string
}

const pauseMs = 100

/** Returns why the subject is not ready; undefined when it is. */
export async function waitForContact(options: ContactOptions): Promise<NoContact | undefined> {
  const { session, url, seconds, why, child, enough } = options
  let hasCalled = false
  const stop = session.onExchange(({ from }) => {
    hasCalled ||= from.party === 'subject'
  })
  const begin = performance.now()
  try {
    while (!enough.aborted) {
      const endReason = child()?.ended()
      if (endReason !== undefined)
        return {
          because: `${endReason} before it answered`,
          remedy: 'Correct the command of --start.',
        }
      const problem = url === undefined ? 'it has not called' : await why(url)
      if (hasCalled || problem === undefined) return undefined
      if (performance.now() - begin >= seconds * 1000) return notReady(options, problem)
      await sleep(pauseMs, enough)
    }
    return undefined
  } finally {
    stop()
  }
}

function notReady({ session, url, seconds, child }: ContactOptions, why: string): NoContact {
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
    remedy: child()
      ? 'Have it listen on the port that PORT or {port} says, or wait longer with --wait-for-subject.'
      : 'Start it, correct --subject, or wait longer with --wait-for-subject.',
  }
}
