/**
 * Implements `sparring up`: opens a session and its control API, announces readiness and shows the session until it is
 * stopped. Import it dynamically only: it pulls in all modules of the session.
 */
import { compact } from '../../compact.ts'
import { startControl } from '../../edge/control/control.ts'
import { isWildcard } from '../../edge/server/loopback.ts'
import { problem } from '../../problem.ts'
import { prepareSession } from '../../session/session.ts'
import type { PreparedSession } from '../../session/types.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type Io, printLine, withStdoutFor } from '../io.ts'
import { configuredPublicUrls, publicUrlHint } from '../public-urls.ts'
import { announceReady, seedLine } from '../ready.ts'
import { startRegistration } from '../registered-session.ts'
import { reportIncompleteRecording } from '../recording-problems.ts'
import {
  type ResolvedSessionOptions,
  readSessionOptions,
  withDefaultOrderInterval,
  withNewSeed,
} from '../session-options.ts'
import { listenForStop } from '../stop-signal.ts'
import { withControl, showSession } from '../session-output.ts'
import type { UpOptions } from './up-flags.ts'

/** Time limit for open exchanges to end, so that stopping takes at most two seconds. */
const closeTimeoutMs = 1500

const withTimeout = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())])

const onDispose = (end: () => Promise<unknown>): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => void (await end()),
})

/**
 * Delay of the counterparts after the readiness line: a script that waited for the line calls at once, and gets its reply
 * before the counterparts load their modules and call each other.
 */
const beginDelayMs = 100

function startTimer(act: () => void): Disposable {
  const timer = setTimeout(act, beginDelayMs)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** What `sparring demo` adds to a session. */
export interface SessionCompanion {
  /** Changes the settings that file and flags give. */
  readonly adapt: (resolved: ResolvedSessionOptions) => ResolvedSessionOptions
  /** Starts what runs beside the session, until it is disposed of. */
  readonly start: (session: PreparedSession) => AsyncDisposable
}

/** Reads the session's options; rejects a role that both sides would play, which would otherwise fail on a port. */
async function readUpOptions(options: UpOptions, io: Io, companion?: SessionCompanion) {
  const read = await readSessionOptions(options, io.cwd)
  const resolved = companion?.adapt(read) ?? read
  const { role } = resolved.configuration.subject
  if (role !== undefined && options.role.some((each) => each === role))
    throw problem(
      `starting the ${role}`,
      'it is the role that your service plays',
      'Leave it out of the roles to start, or name another with --as.',
    )
  return withNewSeed(withDefaultOrderInterval(resolved))
}

export async function runUp(
  options: UpOptions,
  terminal: Io,
  companion?: SessionCompanion,
): Promise<ExitCode> {
  using stopping = listenForStop(terminal)
  const { input, configuration } = await readUpOptions(options, terminal, companion)
  const io = withStdoutFor(configuration.recording.file, terminal)
  const seconds = options['wait-for-subject']
  if (seconds !== undefined) {
    const { waitUntilSubjectAnswers } = await import('../subject-probe.ts')
    await waitUntilSubjectAnswers(configuration, seconds, io, stopping.signal)
    if (stopping.reason() !== undefined) return exitCode.done
  }
  const bug = Promise.withResolvers<void>()
  const session = await prepareSession(
    { ...input, only: options.role, onBug: bug.reject },
    configuration,
  )
  await using _session = onDispose(async () => {
    await withTimeout(closeTimeoutMs, session.close())
    if (configuration.recording.file !== undefined) await reportIncompleteRecording(session, io)
  })
  const { host, allowedHosts, port, subject, seed, recording } = configuration
  const { token } = options
  let url: string | undefined
  const face = withControl(session, () => url, stopping.stop)
  const control = await startControl({
    session: face,
    host,
    allowedHosts,
    port,
    onBug: bug.reject,
    ...compact({ token }),
  })
  await using _control = onDispose(() => control.close())
  url = control.url
  if (control.token !== token)
    await printLine(
      io.stderr,
      `control token: ${control.token}  (--token or SPARRING_TOKEN, for the verbs that talk to it)`,
    )
  const { authority } = session
  if (authority !== undefined)
    await printLine(
      io.stderr,
      `certificate authority: ${authority}  (trust it: NODE_EXTRA_CA_CERTS=${authority} for a service on Node, --cacert for curl)`,
    )
  const { connect } = (await face.look({})).info
  const publicUrls = configuredPublicUrls(session)
  if (isWildcard(host) && publicUrls === undefined)
    await printLine(io.stderr, publicUrlHint(session.urls))
  const ready = {
    counterparts: Object.fromEntries(session.urls),
    ...compact({ publicUrls }),
    control: url,
    seed,
    ...compact({ connect }),
  }
  using _registered = await startRegistration(
    { verb: 'up', urls: session.urls, subject, control, seed, recording: recording.file },
    io,
  )
  using _ready = await announceReady(ready, options, io, stopping.signal)
  if (!options.json && !options.quiet) await printLine(io.stdout, seedLine(seed))
  await using _companion = companion?.start(session)
  using _beginning = startTimer(() => void session.begin().catch(bug.reject))
  await Promise.race([showSession(face, options, io, stopping), bug.promise])
  return exitCode.done
}
