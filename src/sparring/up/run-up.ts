/**
 * Implements `sparring up`: opens a session and its control API, announces readiness and shows the session until it is
 * stopped. Import it dynamically only: it pulls in all modules of the session.
 */
import { setFlagsFromString } from 'node:v8'
import { compact } from '../../core/base/compact.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { startControl } from '../../core/runtime/control/control.ts'
import type { SessionDetails } from '../../core/runtime/registry/session-entry.ts'
import { isWildcard } from '../../core/runtime/server/loopback.ts'
import { problem } from '../../core/base/problem.ts'
import { prepareSession } from '../../core/session/session.ts'
import type { PreparedSession } from '../../core/session/types.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine, withStdoutFor } from '../../terminal/cli/io.ts'
import { announceReady, removeStaleReadyFile, seedLine } from '../../terminal/cli/ready.ts'
import { startRegistration } from '../../terminal/cli/registered-session.ts'
import { sessionPorts } from '../../terminal/cli/losses.ts'
import {
  freeServiceUrls,
  withSubjectAddresses,
} from '../../terminal/service/subject-environment.ts'
import { closeSession } from '../../terminal/cli/run/close-session.ts'
import {
  readSessionOptions,
  type ResolvedSessionOptions,
  withDefaultOrderInterval,
  withNewSeed,
  withRandomCredentials,
} from '../../terminal/cli/session-options.ts'
import { createSessionWarnings } from '../../terminal/cli/session-warnings.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import { isInteractive, showSession, withHost } from '../../terminal/cli/session-output.ts'
import type {
  ConfigurationWatch,
  ConfigurationWatchOptions,
} from '../../terminal/cli/up/configuration-watch.ts'
import type { UpOptions } from './up-flags.ts'
import type { Session } from '../../core/session-api/session.ts'

/** The public URLs, where the configuration names some; undefined when others get the listening addresses. */
function configuredPublicUrls({
  urls,
  publicUrls,
}: Pick<Session, 'urls' | 'publicUrls'>): Readonly<Record<string, string>> | undefined {
  const isConfigured = [...publicUrls].some(([role, url]) => urls.get(role) !== url)
  return isConfigured ? Object.fromEntries(publicUrls) : undefined
}

/** Of a session that listens on every address: from another machine the loopback address leads nowhere. */
const publicUrlHint = (urls: Session['urls']): string =>
  `manifests and events name ${[...urls.values()][0]}: for a service on another machine or in another container, ` +
  'say what this one is called there with --public-url http://<name>'

const onDispose = (end: () => Promise<unknown>): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => void (await end()),
})

/**
 * Delay of the counterparts after the readiness line: a script that waited for the line calls at once, and gets its reply
 * before the counterparts load their modules and call each other.
 */
const beginDelayMs = 100

/** V8 would let the young generation grow to 128 MB, which a session of hours never gives back. */
const boundHeap = (): void => setFlagsFromString('--semi-space-growth-factor=1')

function startTimer(act: () => void): Disposable {
  const timer = setTimeout(act, beginDelayMs)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** What `sparring demo` and `sparring mcp` add to a session. */
export interface SessionCompanion {
  /** Changes the settings that file and flags give. */
  readonly adapt?: (resolved: ResolvedSessionOptions) => ResolvedSessionOptions
  /** Starts what runs beside the session, until it is disposed of. */
  readonly start?: (session: PreparedSession) => AsyncDisposable
  /** The verb that it is registered by (default: `up`). */
  readonly verb?: SessionDetails['verb']
}

interface UpReading {
  readonly companion?: SessionCompanion | undefined
  /** Where the processes of a service that we start answer, unless file or flags say that. */
  readonly serviceUrls?: readonly string[] | undefined
  /** Called with the path of every file that is read or looked for. */
  readonly onRead?: (path: string) => void
}

/** A service that we start has addresses, and a role. */
function withServiceUrls(
  resolved: ResolvedSessionOptions,
  serviceUrls: readonly string[] | undefined,
): ResolvedSessionOptions {
  if (!serviceUrls) return resolved
  if (resolved.configuration.subject.role === undefined)
    throw problem(
      'starting your service',
      'it is not said which role it plays',
      'Say it with --as software-service, or another.',
    )
  return withSubjectAddresses(resolved, serviceUrls)
}

/** Rejects webhooks to a service without an address: every event would be lost, and nothing would say so. */
function checkEventChannel({ subject, counterparts }: Configuration): void {
  const { channel } = counterparts['ordering-application']
  if (subject.role !== 'software-service' || subject.url !== undefined || channel !== 'webhook')
    return
  throw problem(
    'delivering events by webhook',
    'your service has no address that they could be sent to',
    'Say it with --subject <url>, or have your service poll: --channel polling.',
  )
}

/** Reads the session's options; rejects a role that both sides would play, which would otherwise fail on a port. */
async function readUpOptions(
  options: UpOptions,
  io: Io,
  { companion, serviceUrls, onRead }: UpReading,
) {
  const read = withServiceUrls(await readSessionOptions(options, io.cwd, onRead), serviceUrls)
  const resolved = companion?.adapt?.(read) ?? read
  const { role } = resolved.configuration.subject
  if (role !== undefined && options.role.some((each) => each === role))
    throw problem(
      `starting the ${role}`,
      'it is the role that your service plays',
      'Leave it out of the roles to start, or name another with --as.',
    )
  checkEventChannel(resolved.configuration)
  return withDefaultOrderInterval(resolved)
}

const withCredentials = (
  resolved: ResolvedSessionOptions,
  { credentials }: Pick<UpOptions, 'credentials'>,
): ResolvedSessionOptions =>
  credentials === undefined ? resolved : withRandomCredentials(resolved)

/** Whether changes of the configuration file are taken over while the session runs. */
const isWatching = (options: UpOptions, io: Io): boolean =>
  options['no-watch'] === undefined && (options.watch ?? isInteractive(options, io))

/** Watches the files of the options, for a session that was opened from them. */
async function watchOptions(
  options: UpOptions,
  io: Io,
  reading: UpReading & { readonly opened: ResolvedSessionOptions },
  parts: Pick<ConfigurationWatchOptions, 'session' | 'onBug'>,
): Promise<ConfigurationWatch> {
  const { companion, serviceUrls, opened } = reading
  const { seed } = opened.configuration
  const { createConfigurationWatch } = await import('../../terminal/cli/up/configuration-watch.ts')
  return createConfigurationWatch({
    ...parts,
    running: opened.configuration,
    async read(onRead) {
      const again = await readUpOptions(options, io, { companion, serviceUrls, onRead })
      const { input, configuration, file } = again
      if (file === undefined && opened.file !== undefined)
        throw problem(`reading ${opened.file}`, 'there is no such file any more', 'Restore it.')
      const seeded = input.seed === undefined ? { ...configuration, seed } : configuration
      return withCredentials({ ...again, configuration: seeded }, options).configuration
    },
    onNotice({ text, failed }) {
      if (options.quiet && failed) void printLine(io.stderr, text)
    },
  })
}

export async function runUp(
  options: UpOptions,
  terminal: Io,
  companion?: SessionCompanion,
): Promise<ExitCode> {
  using stopping = listenForStop(terminal)
  const { start } = options
  removeStaleReadyFile(options, terminal)
  const serviceUrls = start === undefined ? undefined : await freeServiceUrls()
  const read = withNewSeed(await readUpOptions(options, terminal, { companion, serviceUrls }))
  const opened = withCredentials(read, options)
  const { input, configuration } = opened
  const io = withStdoutFor(configuration.recording.file, terminal)
  const seconds = options['wait-for-subject']
  if (seconds !== undefined && start === undefined) {
    const { waitUntilSubjectAnswers } = await import('../../terminal/service/subject-answers.ts')
    await waitUntilSubjectAnswers(configuration, seconds, io, stopping.signal)
    if (stopping.reason() !== undefined) return exitCode.done
  }
  const bug = Promise.withResolvers<void>()
  const live = isWatching(options, io)
  let registration: Disposable | undefined
  // Disposed of after the session: one that is not registered any more has completed its recording.
  using _registered = { [Symbol.dispose]: () => registration?.[Symbol.dispose]() }
  const warnings = createSessionWarnings(io, isInteractive(options, io))
  const { onWarning } = warnings
  const service =
    start === undefined
      ? undefined
      : new (await import('./started-service.ts')).StartedService({
          start,
          configuration,
          session: () => session,
          waitSeconds: seconds ?? 30,
          io,
          signal: stopping.signal,
          notify: onWarning,
        })
  const session: PreparedSession = await prepareSession(
    {
      ...input,
      ...compact({ service: service?.control }),
      only: options.role,
      live,
      onBug: bug.reject,
      onWarning,
      ...sessionPorts(io),
    },
    configuration,
  )
  await using _session = onDispose(() => closeSession(session, io))
  const { host, allowedHosts, port, subject, seed, recording } = configuration
  const { token, 'view-token': viewToken } = options
  let url: string | undefined
  const watch = live
    ? await watchOptions(
        options,
        io,
        { companion, serviceUrls, opened },
        { session, onBug: bug.reject },
      )
    : undefined
  const face = withHost(session, {
    control: () => url,
    stop: stopping.stop,
    configuration: watch,
  })
  const control = await startControl({
    session: face,
    host,
    allowedHosts,
    port,
    onBug: bug.reject,
    ...compact({ token, viewToken }),
  })
  await using _control = onDispose(() => control.close())
  url = control.url
  if (control.token !== token)
    await printLine(
      io.stderr,
      `control token: ${control.token}  (--token or SPARRING_TOKEN, for the verbs that talk to it)`,
    )
  if (control.viewToken !== viewToken)
    await printLine(
      io.stderr,
      `view token: ${control.viewToken}  (the same, for viewers: nothing can be changed with it)`,
    )
  const { authority } = session
  if (authority !== undefined)
    await printLine(
      io.stderr,
      `certificate authority: ${authority}  (trust it: NODE_EXTRA_CA_CERTS=${authority} for a service on Node, --cacert for curl)`,
    )
  // Composed only where it is read: that takes longer than all else between the sockets and the ready line.
  const isConnectRead = options.json === true || options['ready-file'] !== undefined
  const connect = isConnectRead ? (await face.look({})).info.connect : undefined
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
  registration = await startRegistration(
    {
      verb: companion?.verb ?? 'up',
      urls: session.urls,
      subject,
      control,
      seed,
      recording: recording.file,
    },
    io,
  )
  await using _service = service
  await service?.begin()
  if (stopping.reason() !== undefined) return exitCode.done
  using _ready = await announceReady(ready, options, io, stopping.signal)
  if (!options.json && !options.quiet) await printLine(io.stdout, seedLine(seed))
  await using _companion = companion?.start?.(session)
  using _watching = watch?.start()
  using _beginning = startTimer(() => void session.begin().then(boundHeap).catch(bug.reject))
  await Promise.race([showSession(face, options, io, stopping), bug.promise]).finally(
    warnings.release,
  )
  return exitCode.done
}
