/**
 * Implements `sparring attach`: the dashboard of a session in another process on a terminal, its log elsewhere. The session
 * goes on when the viewer is closed.
 */
import { AttachedSession } from '../../core/runtime/control-client/attached-session.ts'
import { currentCursor } from '../../core/runtime/control/follow.ts'
import { problem } from '../../core/base/problem.ts'
import type { AttachmentNotice } from '../../core/session-api/attachment.ts'
import type { SessionApi } from '../../core/session-api/session-api.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { firstContactLines } from '../../terminal/cli/first-contact-lines.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { reportRecordingProblems } from '../../terminal/cli/recording-problems.ts'
import { isInteractive, runDashboard, writeSessionLog } from '../../terminal/cli/session-output.ts'
import { listenForStop, type StopSignal } from '../../terminal/cli/stop-signal.ts'
import type { AttachFlags } from './attach-flags.ts'
import { findSession } from './find-session.ts'

/** Seconds without a connection after which a log ends. */
const defaultGiveUp = 60
/** Interval of the look at how long there has been no connection. */
const checkMs = 250

interface Viewer {
  readonly session: AttachedSession
  readonly flags: AttachFlags
  readonly io: Io
  readonly stopping: StopSignal
  readonly url: string
  /** Rejects when there has been no connection for too long. */
  readonly abandoned: Promise<never>
}

/** Rejects when there has been no connection for this many seconds. */
function watchConnection(
  session: AttachedSession,
  url: string,
  seconds: number | undefined,
): Disposable & { readonly abandoned: Promise<never> } {
  const { promise: abandoned, reject } = Promise.withResolvers<never>()
  abandoned.catch(() => undefined)
  const timer = setInterval(() => {
    const lostMs = session.lostForMs() ?? -1
    if (seconds !== undefined && lostMs >= 1000 * seconds)
      reject(
        problem(
          `looking at the session at ${url}`,
          `there has been no connection for ${seconds} s`,
          'Attach again when it runs, or allow more time with --give-up <s>.',
          3,
        ),
      )
  }, checkMs)
  timer.unref()
  return { abandoned, [Symbol.dispose]: () => clearInterval(timer) }
}

async function showScreen({ session, flags, io, stopping, url, abandoned }: Viewer): Promise<void> {
  const leaving = new AbortController()
  const signal = AbortSignal.any([stopping.signal, leaving.signal])
  const shown = runDashboard(session, flags, io, { signal })
  try {
    await Promise.race([shown, abandoned])
  } finally {
    // The terminal is restored before anything is printed.
    leaving.abort()
    await shown
  }
  await printLine(io.stdout, `detached from ${url}; the session goes on`)
}

interface LogEnd {
  /** Aborted when the session is being stopped. */
  readonly ended: AbortSignal
  /** Aborted when the last look is no longer answered. */
  readonly gone: AbortSignal
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

async function showLog(
  { session, flags, io, stopping, url, abandoned }: Viewer,
  { ended, gone }: LogEnd,
): Promise<void> {
  const members: SessionApi = session
  const patient: SessionApi = { ...members, look: session.patientLook }
  const from = flags.new ? await currentCursor(patient) : { fact: 0, exchange: 0 }
  const { signal } = stopping
  using _problems = reportRecordingProblems(patient, io)
  if (!flags.json) {
    const { info } = await patient.look({})
    for (const line of firstContactLines(info)) await printLine(io.stdout, line)
  }
  const written = writeSessionLog(patient, flags, io, { signal, from, last: ended })
  // Where it is over, the look that has begun fails.
  written.catch(() => undefined)
  await Promise.race([written, whenAborted(AbortSignal.any([signal, gone])), abandoned])
  if (ended.aborted) await printLine(io.stderr, `sparring: the session at ${url} was stopped`)
}

/** News of the connection in a log: on stderr, or among the lines of NDJSON. */
const printNotice = ({ json }: AttachFlags, { kind, text }: AttachmentNotice, io: Io) =>
  json
    ? printLine(io.stdout, JSON.stringify({ connection: { kind, text } }))
    : printLine(io.stderr, `sparring: ${text}`)

export async function runAttach(flags: AttachFlags, io: Io): Promise<ExitCode> {
  const target = await findSession(flags, io)
  const { url } = target
  using stopping = listenForStop(io)
  const isScreen = isInteractive(flags, io)
  const ended = new AbortController()
  const gone = new AbortController()
  const session = new AttachedSession({
    target,
    readOnly: flags['read-only'] === true,
    // A log that may wait waits for the session to be started again.
    onEnd() {
      if (!isScreen && flags['give-up'] === undefined) ended.abort()
    },
  })
  if (!isScreen)
    session.subscribeToNotices((notice) => {
      if (ended.signal.aborted) gone.abort()
      else void printNotice(flags, notice, io)
    })
  const seconds = flags['give-up'] ?? (isScreen ? undefined : defaultGiveUp)
  using watched = watchConnection(session, url, seconds)
  const viewer = { session, flags, io, stopping, url, abandoned: watched.abandoned }
  try {
    await Promise.race([session.connected, stopping.stopped, watched.abandoned])
    if (stopping.reason() === undefined)
      await (isScreen
        ? showScreen(viewer)
        : showLog(viewer, { ended: ended.signal, gone: gone.signal }))
  } finally {
    session.close()
  }
  return exitCode.done
}
