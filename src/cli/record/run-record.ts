/** Runs `sparring record`: a proxy for each side and one recording of all traffic, until stopped. Loaded lazily. */
import { compact } from '../../compact.ts'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { wallNow } from '../../edge/clock/clock.ts'
import { startProxy } from '../../edge/proxy/proxy.ts'
import { createRecorder, type Recorder } from '../../edge/recording/recorder.ts'
import { recordingName } from '../../edge/recording/recording-names.ts'
import { loadRedactionKey } from '../../edge/recording/redaction-key.ts'
import type { SessionTls } from '../../edge/tls/session-tls.ts'
import { packageVersion } from '../../edge/version.ts'
import type { Configuration } from '../../configuration/schema.ts'
import { isoOf } from '../../engine/instant.ts'
import { trafficRow } from '../../views/traffic-rows.ts'
import { Problem, problem } from '../../problem.ts'
import type { Role } from '../../protocol/role.ts'
import { rolePorts } from '../../session/settings.ts'
import { startTls } from '../../session/tls.ts'
import type { Exchange, Party } from '../../traffic/exchange.ts'
import { createTrafficLog, type TrafficLog } from '../../traffic/log.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type Io, printLine } from '../io.ts'
import { exchangeLine } from '../log-lines.ts'
import { announceReady } from '../ready.ts'
import { readSessionOptions } from '../session-options.ts'
import { listenForStop } from '../stop-signal.ts'
import { createExchangeClassifier } from './exchange-classifier.ts'
import { parsePartners, type RecordedPartner, parseSubjectUrl } from './partners.ts'
import { pluralise } from '../../traffic/pluralise.ts'
import type { RecordOptions } from './record-flags.ts'

const attempted = 'starting the recording proxy'

interface RecordSetup {
  readonly configuration: Configuration
  readonly subject: Role
  readonly partners: readonly RecordedPartner[]
  /** Base URL of the subject, if the partner calls it. */
  readonly url?: string
  readonly file: string
}

async function readSetup(options: RecordOptions, io: Io): Promise<RecordSetup> {
  const { to = [], output } = options
  if (to.length === 0)
    throw problem(attempted, 'nobody says where the partner is', 'Say it with --to <url>.')
  const { configuration } = await readSessionOptions(flagsOf(options), io.cwd)
  const { role, url } = configuration.subject
  if (role === undefined)
    throw problem(
      attempted,
      'nobody says which role your service plays',
      'Say it with --as software-service or --as ordering-application.',
    )
  const stamp = isoOf(Math.floor(wallNow())).replaceAll(/[-:]|\.\d+/g, '')
  const file = output ?? join('recordings', `${stamp}-${role}.rec.ndjson`)
  return {
    configuration,
    subject: role,
    partners: parsePartners(to, role),
    ...(url === undefined ? {} : { url: parseSubjectUrl(url) }),
    // A trailing slash means a folder; resolve() removes it.
    file: `${resolve(io.cwd, file)}${file.endsWith('/') ? '/' : ''}`,
  }
}

/** The flags shared with a session, read by the same code. */
const flagsOf = ({ config, as, subject, port, host, tls }: RecordOptions) =>
  compact({ config, as, subject, port, host, tls })

function startRecorder(
  { configuration, subject, partners, url, file }: RecordSetup,
  underWay: TrafficLog['inFlight'],
  raw: boolean,
): Recorder {
  const key = raw ? undefined : loadRedactionKey()
  if (key && !key.ok) throw new Problem(key.error, 2)
  const { name, version: spoken } = configuration.protocol
  const started = createRecorder({
    file,
    via: 'proxy',
    t0: Math.floor(wallNow()),
    info: {
      name: recordingName(file),
      tool: `sparring/${packageVersion()}`,
      protocol: { name, version: spoken },
      parties: [
        ...partners.map(({ role, url: base }) => ({ party: 'partner', role, base })),
        { party: 'subject', role: subject, ...compact({ base: url }) },
      ],
    },
    appender: { sync: configuration.recording.fsync },
    keepBinary: configuration.recording.keepBinary,
    underWay,
    ...(key ? { redact: true, key: key.value } : { redact: false }),
  })
  if (!started.ok) throw new Problem(started.error, 2)
  return started.value
}

interface ProxyOptions {
  readonly setup: RecordSetup
  readonly log: TrafficLog
  readonly tls: SessionTls | undefined
  readonly keepHost: boolean
  readonly rewrites: ((path: string) => boolean) | undefined
  readonly onBug: (error: unknown) => void
}

/** Starts a proxy for each partner, and one for the subject if the partner calls it. */
async function startProxies({ setup, log, tls, ...how }: ProxyOptions) {
  const { configuration, partners, subject, url } = setup
  const portOf = rolePorts(configuration)
  const recognise = createExchangeClassifier({ webhooks: configuration.subject.webhooks, subject })
  const own: Party = { role: subject, party: 'subject' }
  const routes = [
    ...partners.map(({ role, url: target }) => {
      const partner: Party = { role, party: 'partner' }
      return { role, target, from: own, to: partner }
    }),
    ...(url === undefined || !partners[0]
      ? []
      : [
          {
            role: subject,
            target: url,
            from: { role: partners[0].role, party: 'partner' } as const,
            to: own,
          },
        ]),
  ]
  const running: (readonly [Role, Awaited<ReturnType<typeof startProxy>>])[] = []
  const close = async (): Promise<void> => {
    await Promise.all(running.map(([, proxy]) => proxy.close()))
  }
  try {
    for (const { role, ...route } of routes) {
      const proxy = await startProxy({
        ...route,
        log,
        recognise,
        ...how,
        address: configuration.host,
        port: portOf(role),
        secure: tls?.createServer,
        trust: tls?.trust,
      })
      running.push([role, proxy])
    }
  } catch (error) {
    await close()
    throw error
  }
  return { urls: new Map(running.map(([role, { url: at }]) => [role, at])), close }
}

/** Interval between checks of the recorder, in ms. */
const checkIntervalMs = 1000

/** Reports the first recorder problem, once. */
async function reportProblems(recorder: Recorder, io: Io, signal: AbortSignal): Promise<void> {
  let reported: string | undefined
  while (!signal.aborted) {
    const { problem: trouble } = recorder.stats()
    if (trouble !== undefined && reported === undefined)
      await printLine(io.stderr, `sparring: ${trouble}`)
    reported ??= trouble
    await pause(checkIntervalMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

const isManifest = (path: string): boolean => path.startsWith('/.well-known/')

/** A manifest that names the address of the partner: a client that follows it bypasses the proxy. */
const bypassesProxy = ({ operation, request, reply }: Exchange): boolean =>
  operation === 'getManifest' && (reply?.body?.includes(new URL(request.url).origin) ?? false)

/** Opens the recording only after all proxies have started, so that a failed start leaves no file. */
function deferRecorder(log: TrafficLog, open: () => Recorder) {
  const buffered: Exchange[] = []
  let recorder: Recorder | undefined
  log.onExchange((exchange) => {
    if (recorder) recorder.record(exchange)
    else buffered.push(exchange)
  })
  return {
    begin(): Recorder {
      recorder = open()
      for (const exchange of buffered.splice(0)) recorder.record(exchange)
      return recorder
    },
    opened: () => recorder,
  }
}

/** Prints each completed exchange; returns a counter of exchanges. */
function printExchanges(log: TrafficLog, options: RecordOptions, io: Io): () => number {
  let seen = 0
  let warned = false
  log.onExchange((exchange) => {
    seen++
    if (!warned && !options['rewrite-manifest'] && bypassesProxy(exchange)) {
      warned = true
      void printLine(
        io.stderr,
        'sparring: the partner’s manifest names its own address: a service that follows it goes past this recording. ' +
          'Start with --rewrite-manifest to be named in its place.',
      )
    }
    if (options.quiet) return
    const row = trafficRow(exchange)
    const text = options.json ? JSON.stringify(row) : exchangeLine(row, io.color)
    void printLine(io.stdout, text)
  })
  return () => seen
}

export async function runRecord(options: RecordOptions, io: Io): Promise<ExitCode> {
  using stopping = listenForStop(io)
  const setup = await readSetup(options, io)
  const log = createTrafficLog()
  const recording = deferRecorder(log, () =>
    startRecorder(setup, log.inFlight, options.raw === true),
  )
  const bug = Promise.withResolvers<never>()
  // Prevents an unhandled rejection before the promise is awaited.
  bug.promise.catch(() => undefined)
  const seen = printExchanges(log, options, io)
  let proxies: Awaited<ReturnType<typeof startProxies>> | undefined
  try {
    const tls = await startTls(setup.configuration)
    proxies = await startProxies({
      setup,
      log,
      tls,
      keepHost: options['keep-host'] === true,
      rewrites: options['rewrite-manifest'] ? isManifest : undefined,
      onBug: bug.reject,
    })
    const recorder = recording.begin()
    if (options.raw)
      await printLine(
        io.stderr,
        `sparring: ${setup.file} will hold secrets and people as they are; do not pass it on. ` +
          'Clean it with: sparring import <file> -o <clean file>',
      )
    const ready = { counterparts: Object.fromEntries(proxies.urls) }
    await using _ready = await announceReady(ready, options, io)
    await Promise.race([
      stopping.stopped,
      reportProblems(recorder, io, stopping.signal),
      bug.promise,
    ])
  } finally {
    await proxies?.close()
    const end = await recording.opened()?.close()
    if (end) await printEnd({ file: setup.file, written: end.written, seen: seen() }, io)
  }
  return exitCode.done
}

interface End {
  readonly file: string
  readonly written: number
  readonly seen: number
}

/** Prints the path of the recording, and whether it is complete. */
async function printEnd({ file, written, seen }: End, io: Io): Promise<void> {
  const whole = written >= seen
  await printLine(
    io.stderr,
    whole
      ? `sparring: ${pluralise(written, 'exchange')} in ${file}`
      : `sparring: the recording ${file} is not whole: ${written} of ${seen} exchanges are in it`,
  )
}
