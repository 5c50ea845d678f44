/** Waits until the subject answers at its URL or calls us, and finds out whether it has gone away since. */
import { displayUrl } from '../../core/traffic/redaction/display.ts'
import { problem } from '../../core/base/problem.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import type { Session } from '../../core/session-api/session.ts'
import { type Io, printLine } from '../cli/io.ts'
import type { StartedSubject } from './subject-process.ts'
import { unreachableReason } from './subject-requests.ts'

/** Between two attempts, in ms: when it is about to begin, and when it runs. */
const pauseMs = 100
const longPauseMs = 200
const logIntervalMs = 5000
/** A busy machine answers by then, in ms; a process whose service has ended has ended too. */
const defaultEndTimeoutMs = 10_000

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
      const why = url === undefined ? 'it has not called' : await probe(url)
      if (hasCalled || why === undefined) return undefined
      if (performance.now() - begin >= seconds * 1000) return notReady(options, why)
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
    because: `it does not answer at ${displayUrl(url)} within ${seconds} s (${why})`,
    remedy: startedSubject()
      ? 'Have it listen on the port that PORT or {port} says, or wait longer with --wait-for-subject.'
      : 'Start it, correct --subject, or wait longer with --wait-for-subject.',
  }
}

/** Polls until the subject answers; throws a problem after `seconds`. */
export async function waitUntilSubjectAnswers(
  configuration: Configuration,
  seconds: number,
  io: Io,
  signal: AbortSignal,
): Promise<void> {
  const { url } = configuration.subject
  if (url === undefined)
    throw problem(
      'waiting for the subject',
      'no URL is given',
      'Say it with --subject <url>, or leave out --wait-for-subject.',
    )
  const start = performance.now()
  let lastLogged = start
  while (!signal.aborted) {
    const why = await unreachableReason(url, configuration, signal)
    if (why === undefined) return
    const now = performance.now()
    if (now - start >= seconds * 1000)
      throw problem(
        `waiting ${seconds} s for the subject at ${url}`,
        `it does not answer (${why})`,
        'Start it, correct --subject, or wait longer.',
        3,
      )
    if (now - lastLogged >= logIntervalMs) {
      lastLogged = now
      const waited = Math.round((now - start) / 1000)
      await printLine(
        io.stderr,
        `waiting for the subject at ${displayUrl(url)}: ${waited} s of ${seconds} s (${why})`,
      )
    }
    await abortableSleep(longPauseMs, signal)
  }
}

export interface SubjectEndOptions {
  /** Where it has answered before; undefined for one that does not listen. */
  readonly url: string | undefined
  /** Why it does not answer at its URL; undefined when it does. */
  readonly probe: (url: string) => Promise<string | undefined>
  /** How its process ended; undefined while it runs. */
  readonly endReason: () => string | undefined
  /** Aborts when its process ends, and when the answer is of no use any more. */
  readonly enough: AbortSignal
  /** How long it may be silent before it counts as gone for good, in ms. */
  readonly timeoutMs?: number
}

/** How it ended, or that it does not answer any more; undefined when it is there. */
export async function findSubjectEnd(options: SubjectEndOptions): Promise<string | undefined> {
  const { url, probe, endReason, enough, timeoutMs = defaultEndTimeoutMs } = options
  const begin = performance.now()
  for (;;) {
    const ended = endReason()
    if (ended !== undefined || url === undefined) return ended
    const why = await probe(url)
    if (why === undefined || enough.aborted) return endReason()
    if (performance.now() - begin >= timeoutMs)
      return endReason() ?? `it does not answer at ${displayUrl(url)} any more (${why})`
    await abortableSleep(longPauseMs, enough)
  }
}
