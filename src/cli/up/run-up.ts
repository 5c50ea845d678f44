/**
 * What `sparring up` does: a session, its control API, the readiness line, and then whoever looks at it, until somebody
 * stops it. Loaded as a whole when it is wanted, and by nobody else: it brings the session with it.
 */
import { compact } from '../../compact.ts'
import { startControl } from '../../edge/control/control.ts'
import { problem } from '../../problem.ts'
import { prepareSession } from '../../session/session.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type Io, sayLine } from '../io.ts'
import { announceReady } from '../ready.ts'
import { tellRecordingEnd } from '../recording-problems.ts'
import { readSessionOptions, withOrders } from '../session-options.ts'
import { listenForStop } from '../stop-signal.ts'
import { announcing, show } from '../session-output.ts'
import type { UpOptions } from './up-flags.ts'

/** Stopping takes two seconds at most: servers let open exchanges end, but nobody waits for them longer. */
const closingMs = 1500

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms).unref())])

const ending = (end: () => Promise<unknown>): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => void (await end()),
})

/**
 * Whoever waits for the readiness line calls at once: that is answered before the counterparts begin, load what they need
 * for orders of their own accord, and call each other.
 */
const beginAfterMs = 100

function later(act: () => void): Disposable {
  const timer = setTimeout(act, beginAfterMs)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** What the session is told; a role that both sides would play is a mistake that nobody wants explained by a port. */
async function given(options: UpOptions, io: Io) {
  const told = await readSessionOptions(options, io.cwd)
  const { role } = told.configuration.subject
  if (role !== undefined && options.role.some((each) => each === role))
    throw problem(
      `starting the ${role}`,
      'it is the role that your service plays',
      'Leave it out of the roles to start, or name another with --as.',
    )
  return withOrders(told)
}

export async function runUp(options: UpOptions, io: Io): Promise<ExitCode> {
  using stopping = listenForStop(io)
  const { input, configuration } = await given(options, io)
  const seconds = options['wait-for-subject']
  if (seconds !== undefined) {
    const { waitForSubject } = await import('../subject-probe.ts')
    await waitForSubject(configuration, seconds, io, stopping.signal)
    if (stopping.why() !== undefined) return exitCode.done
  }
  const bug = Promise.withResolvers<void>()
  const session = await prepareSession(
    { ...input, only: options.role, onBug: bug.reject },
    configuration,
  )
  await using _session = ending(async () => {
    await within(closingMs, session.close())
    if (configuration.recording.file !== undefined) await tellRecordingEnd(session, io)
  })
  const { host, port } = configuration
  const { token } = options
  let url: string | undefined
  const face = announcing(session, () => url)
  const control = await startControl({
    session: face,
    host,
    port,
    onBug: bug.reject,
    ...compact({ token }),
  })
  await using _control = ending(() => control.close())
  url = control.url
  if (control.token !== token)
    await sayLine(
      io.stderr,
      `control token: ${control.token}  (--token or SPARRING_TOKEN, for the verbs that talk to it)`,
    )
  const { authority } = session
  if (authority !== undefined)
    await sayLine(
      io.stderr,
      `certificate authority: ${authority}  (trust it: NODE_EXTRA_CA_CERTS=${authority} for a service on Node, --cacert for curl)`,
    )
  const ready = { counterparts: Object.fromEntries(session.urls), control: url }
  await using _ready = await announceReady(ready, options, io)
  using _beginning = later(() => void session.begin().catch(bug.reject))
  await Promise.race([show(face, options, io, stopping), bug.promise])
  return exitCode.done
}
