/** Runs `sparring record`: a proxy for each side and one recording of all traffic, until stopped. Loaded lazily. */
import { compact } from '../../../core/base/compact.ts'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { wallNow } from '../../../core/runtime/clock/clock.ts'
import { createRecorder, type Recorder } from '../../../core/runtime/recording/recorder.ts'
import { recordingName } from '../../../core/runtime/recording/recording-names.ts'
import { loadRedactionKey } from '../../../core/runtime/recording/redaction-key.ts'
import { buildVersion } from '../../../core/runtime/version.ts'
import { trafficRow } from '../../../core/views/traffic-rows.ts'
import { Problem, problem } from '../../../core/base/problem.ts'
import { startTls } from '../../../core/session/tls.ts'
import type { Exchange } from '../../../core/traffic/exchange.ts'
import { TrafficLog } from '../../../core/traffic/log.ts'
import { defaultRecordingFile } from '../../../terminal/cli/default-recording-file.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type RawChoice, rawChoiceOf } from '../../../terminal/cli/flags.ts'
import { type Io, printLine, withStdoutFor } from '../../../terminal/cli/io.ts'
import { exchangeLine } from '../../../terminal/cli/log-lines.ts'
import { reportLoss } from '../../../terminal/cli/losses.ts'
import { announceReady, removeStaleReadyFile } from '../../../terminal/cli/ready.ts'
import { startRegistration } from '../../../terminal/cli/registered-session.ts'
import { readSessionOptions } from '../../../terminal/cli/session-options.ts'
import { listenForStop } from '../../../terminal/cli/stop-signal.ts'
import { parsePartners, parseSubjectUrl, readPartnerTrust } from './partners.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { RecordOptions } from './record-flags.ts'
import { type RecordSetup, startProxies } from './start-proxies.ts'

const attempted = 'starting the recording proxy'

async function readSetup(options: RecordOptions, io: Io): Promise<RecordSetup> {
  const { to = [], output } = options
  if (to.length === 0)
    throw problem(attempted, 'no URL of the partner is given', 'Say it with --to <url>.')
  const { configuration } = await readSessionOptions(flagsOf(options), io.cwd)
  const { role, url } = configuration.subject
  if (role === undefined)
    throw problem(
      attempted,
      'the role of your service is not given',
      'Say it with --as software-service or --as ordering-application.',
    )
  const file = output ?? defaultRecordingFile(role)
  return {
    configuration,
    subject: role,
    partners: parsePartners(to, role),
    ...(url === undefined ? {} : { url: parseSubjectUrl(url) }),
    // A trailing slash means a folder; resolve() removes it.
    file: file === '-' ? file : `${resolve(io.cwd, file)}${file.endsWith('/') ? '/' : ''}`,
  }
}

/** The flags shared with a session, read by the same code. */
const flagsOf = ({
  config,
  contract,
  as,
  subject,
  port,
  host,
  tls,
  'public-url': names,
}: RecordOptions) =>
  compact({ config, contract, as, subject, port, host, tls, 'public-url': names })

function startRecorder(
  { configuration, subject, partners, url, file }: RecordSetup,
  underWay: TrafficLog['inFlight'],
  { raw, unsafe }: RawChoice,
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
      tool: `sparring/${buildVersion()}`,
      protocol: { name, version: spoken },
      parties: [
        ...partners.map(({ role, url: base }) => ({ party: 'partner', role, base })),
        { party: 'subject', role: subject, ...compact({ base: url }) },
      ],
    },
    appender: { sync: configuration.recording.fsync },
    keepBinary: configuration.recording.keepBinary,
    underWay,
    ...(key ? { redact: true, key: key.value } : { redact: false, unsafe }),
  })
  if (!started.ok) throw new Problem(started.error, 2)
  return started.value
}

/** Interval between checks of the recorder, in ms. */
const checkIntervalMs = 1000

/** Reports the first recorder problem, once. */
function createProblemReport(io: Io): (recorder: Recorder) => Promise<void> {
  let isReported = false
  return async (recorder) => {
    const { problem: trouble } = recorder.stats()
    if (trouble === undefined || isReported) return
    isReported = true
    await printLine(io.stderr, `sparring: ${trouble}`)
  }
}

async function whileRecording(check: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await check()
    await pause(checkIntervalMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** A manifest that names the address of the partner: a client that follows it bypasses the proxy. */
const bypassesProxy = ({ operation, request, reply }: Exchange): boolean =>
  operation === 'getManifest' && (reply?.body?.includes(new URL(request.url).origin) ?? false)

/** Opens the recording only after all proxies have started, so that a failed start leaves no file. */
function deferRecorder(log: TrafficLog, open: () => Recorder) {
  const buffered: Exchange[] = []
  const marks: string[] = []
  let recorder: Recorder | undefined
  log.onExchange((exchange) => {
    if (recorder) recorder.record(exchange)
    else buffered.push(exchange)
  })
  return {
    begin(): Recorder {
      recorder = open()
      for (const exchange of buffered.splice(0)) recorder.record(exchange)
      for (const text of marks.splice(0)) recorder.mark(text)
      return recorder
    },
    mark(text: string): void {
      if (recorder) recorder.mark(text)
      else marks.push(text)
    },
    opened: () => recorder,
  }
}

/** Prints each completed exchange. */
function printExchanges(log: TrafficLog, options: RecordOptions, io: Io): void {
  let warned = false
  log.onExchange((exchange) => {
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
}

/** Prints each notice of the proxies once. */
function printOnce(io: Io, also?: (notice: string) => void): (notice: string) => void {
  const printed = new Set<string>()
  return (notice) => {
    if (printed.has(notice) || printed.size >= maxNotices) return
    printed.add(notice)
    void printLine(io.stderr, `sparring: ${notice}`)
    also?.(notice)
  }
}

const maxNotices = 100

export async function runRecord(options: RecordOptions, terminal: Io): Promise<ExitCode> {
  const io = withStdoutFor(options.output, terminal)
  using stopping = listenForStop(io)
  removeStaleReadyFile(options, io)
  const setup = await readSetup(options, io)
  const log = new TrafficLog()
  const recording = deferRecorder(log, () => startRecorder(setup, log.inFlight, privacy))
  const privacy = rawChoiceOf(options)
  const reportProblem = createProblemReport(io)
  const bug = Promise.withResolvers<never>()
  // Prevents an unhandled rejection before the promise is awaited.
  bug.promise.catch(() => undefined)
  printExchanges(log, options, io)
  const contracts = await startContracts(setup, log, bug.reject)
  let proxies: Awaited<ReturnType<typeof startProxies>> | undefined
  try {
    const tls = await startTls(setup.configuration)
    const partnerTrust = await readPartnerTrust(options, setup.partners, io.cwd, tls?.trust)
    proxies = await startProxies({
      setup,
      log,
      tls,
      partnerTrust,
      keepHost: options['keep-host'] === true,
      rewritesManifest: options['rewrite-manifest'] === true,
      onNotice: printOnce(io),
      onLeft: printOnce(io, (notice) => recording.mark(notice)),
      onBug: bug.reject,
    })
    const recorder = recording.begin()
    if (privacy.raw)
      await printLine(
        io.stderr,
        `sparring: ${setup.file} will hold secrets and people as they are; do not pass it on. ` +
          'Clean it with: sparring import <file> -o <clean file>',
      )
    const ready = { counterparts: Object.fromEntries(proxies.urls) }
    using _registered = await startRegistration(
      {
        verb: 'record',
        urls: proxies.urls,
        subject: { role: setup.subject, url: setup.url },
        recording: setup.file,
      },
      io,
    )
    using _ready = await announceReady(ready, options, io, stopping.signal)
    await Promise.race([
      stopping.stopped,
      whileRecording(() => reportProblem(recorder), stopping.signal),
      bug.promise,
    ])
  } finally {
    await proxies?.close()
    const recorder = recording.opened()
    if (recorder) {
      const { written } = await recorder.close()
      const loss = recorder.loss()
      if (loss === undefined)
        await printLine(io.stderr, `sparring: ${pluralise(written, 'exchange')} in ${setup.file}`)
      else await reportLoss(io, loss)
      await contracts?.print(options, io)
    }
  }
  return exitCode.done
}

/** Loaded only where there are contracts. */
async function startContracts(
  { configuration }: RecordSetup,
  log: TrafficLog,
  onBug: (error: unknown) => void,
) {
  if (configuration.contract.length === 0) return undefined
  const { startContractSummary } = await import('./contract-summary.ts')
  return startContractSummary(configuration, log, onBug)
}
