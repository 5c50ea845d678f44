/** Runs `sparring report`: reads a recording, a file of another format or a session, and writes one HTML page. */
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { compact } from '../../core/base/compact.ts'
import { isStdout } from '../../core/runtime/files/output-place.ts'
import { openRemoteSession } from '../../core/runtime/control-client/remote-session.ts'
import { problem, Problem } from '../../core/base/problem.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { defaultPageExchanges, sessionPage } from '../../terminal/page/session/report-page.ts'
import type { ReportedFailure, SessionReport } from '../../terminal/page/session/report-content.ts'
import { chooseSession } from '../verbs/support/choose-session.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { openTextOutput, outputModeFor } from '../../replay/cli/formats/text-output.ts'
import { recordingNameOf } from '../../replay/cli/formats/import-options.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { reportUnreadLines } from '../../replay/cli/replay/recording-content.ts'
import { openReportRedactor, redactReport } from '../../terminal/cli/report/redact-report.ts'
import type { ReportOptions } from '../../terminal/cli/report/report-flags.ts'
import { reportOfSession } from '../../terminal/cli/report/report-of-session.ts'
import { isoOf } from '../../core/engine/instant.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import { fullRoleName } from '../../core/protocol/role.ts'
import { elapsedText } from '../../terminal/page/session/exchange-text.ts'
import { namedExchanges } from '../../terminal/page/session/select-exchanges.ts'
import { endOf } from '../../core/traffic/exchange.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { listFailures } from '../../replay/minimise/failure-list.ts'
import { recordedReport } from '../../core/traffic/recording/replay-report.ts'
import { chooseExchanges } from '../../terminal/cli/report/choose-exchanges.ts'
import { reportedFaults, reportedVerdicts } from '../../terminal/cli/report/report-parts.ts'
import { Writable } from 'node:stream'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { openTemporaryFolder } from '../../terminal/cli/temporary-folder.ts'
import { detectImportFormat, isKnownContent } from '../../replay/cli/formats/all-formats.ts'
import { openImportSource } from '../../replay/cli/formats/open-import-source.ts'

// Loads a recording for a report; a file of another format is imported into a temporary one first.

/** Whether a file is no recording, but of a format that `sparring import` reads. */
interface ImportCandidate {
  /** As it was typed. */
  readonly file: string
  readonly path: string
}

async function isKnownImport({ path }: ImportCandidate, io: Io): Promise<boolean> {
  try {
    using source = await openImportSource(path, io, isKnownContent)
    return detectImportFormat(undefined, source).format.name !== 'recording'
  } catch (error) {
    // It is read as a recording then, which says what is wrong with it.
    if (error instanceof Problem) return false
    throw error
  }
}

const discard = (): NodeJS.WritableStream =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })

/** The recording that an import makes; notices of the import go to stderr, its summary nowhere. */
async function importedContent(file: string, io: Io): Promise<RecordingContent> {
  using folder = openTemporaryFolder('report')
  const output = join(folder.path, 'imported.rec.ndjson')
  const { runImport } = await import('../../replay/cli/formats/run-import.ts')
  const code = await runImport({ file, output }, { ...io, stdout: discard() })
  if (code === exitCode.interrupted) throw new Problem('importing: it was interrupted', code)
  const read = await readRecording(output)
  if (read.ok) return { ...read.value, file }
  throw new Problem(read.error, exitCode.usage)
}

/** The content under the name that was typed. */
async function loadRecordedTraffic(file: string, io: Io): Promise<RecordingContent> {
  const path = resolve(io.cwd, file)
  const isOther =
    existsSync(path) && statSync(path).isFile() && (await isKnownImport({ file, path }, io))
  if (isOther) return importedContent(file, io)
  const read = await readRecording(path)
  if (read.ok) return { ...read.value, file }
  throw new Problem(read.error, exitCode.usage)
}

/** The report of a recording: its header as facts, the failures that it shows, and what the session reported at its end. */
const playerOf: Readonly<Record<string, string>> = {
  subject: 'your service',
  sparring: 'Sparring',
}

function factsOf({ header, exchanges, closed }: RecordingContent): SessionReport['facts'] {
  const { name, tool, created, protocol, parties, seed, clock, redaction, source } = header._rec
  const begin = exchanges[0]?.startedAt
  const end = exchanges.reduce((last, each) => Math.max(last, endOf(each)), begin ?? 0)
  return [
    ['recording', `${name}${closed ? '' : ' (without an end: its recorder was interrupted)'}`],
    ...parties.map(
      ({ party, role, base }) =>
        [
          fullRoleName[role],
          `${playerOf[party] ?? 'the partner'}${base === undefined ? '' : `, ${base}`}`,
        ] as const,
    ),
    ['recorded', created],
    ...(begin === undefined
      ? []
      : ([
          [
            'traffic',
            `${pluralise(exchanges.length, 'exchange')} in ${elapsedText(end - begin)}, from ${isoOf(Math.floor(begin))}`,
          ],
        ] as const)),
    ...(clock === undefined ? [] : ([['clock', `${clock.mode}, speed ${clock.speed}`]] as const)),
    ...(seed === undefined ? [] : ([['seed', String(seed)]] as const)),
    ['versions', `${tool}, ${protocol.name} ${protocol.version}`],
    ...(source === undefined
      ? []
      : ([['imported from', `${source.file} (${source.kind})`]] as const)),
    [
      'redaction',
      redaction.mode === 'none' ? 'none: it holds secrets and people as they were' : redaction.mode,
    ],
  ]
}

/** Failures of a recording at most. */
const maxFailures = 200

const failuresOf = (content: RecordingContent): readonly ReportedFailure[] =>
  listFailures(recordedReport(content))
    .slice(0, maxFailures)
    .map(({ text, count, places }) => ({
      text,
      count,
      exchanges: [...new Set(places.map(({ number }) => number))],
    }))

export async function reportOfRecording(
  content: RecordingContent,
  options: ReportOptions,
  limit: number,
): Promise<SessionReport> {
  const { exchanges, end } = content
  const clauses = await loadClauses()
  const exchanged = new Set(exchanges.map(({ orderId }) => orderId))
  const orders = (end?.orders ?? []).filter(({ orderId }) => exchanged.has(orderId))
  const parts = {
    verdicts: end && end.verdicts.length > 0 ? reportedVerdicts(end.verdicts, clauses) : undefined,
    failures: failuresOf(content),
    faults: reportedFaults(end?.faults ?? [], exchanges),
  }
  const chosen = chooseExchanges(
    {
      exchanges,
      named: namedExchanges(parts),
      slots: new Map(orders.map(({ slot, orderId }) => [slot, orderId])),
      all: exchanges.length,
      remedies: [],
    },
    options,
    limit,
  )
  return {
    ...parts,
    ...chosen,
    facts: factsOf(content),
    orders,
    whyNoVerdicts:
      'The recording has no verdicts: only a session that knows the role of your service (up --as … --record …) and ends by itself writes them at its end. Replay it to have it judged: sparring replay <recording> --to <url of your service> --driver partner.',
  }
}

interface LoadedReport {
  readonly report: SessionReport
  readonly title: string
  readonly file: string
  /** Permissions of what is made from a raw recording. */
  readonly mode?: number | undefined
}

const isUrl = (source: string): boolean => /^https?:\/\//i.test(source)

/** `lunch.rec.ndjson` becomes `lunch.report.html` beside it. */
const pageBeside = (source: string): string => {
  const path = source.replace(/[/\\]+$/, '')
  const name = recordingNameOf(path)
  return `${path.slice(0, path.length - (path.split(/[/\\]/).at(-1) ?? '').length)}${name}.report.html`
}

async function loadFromRecording(
  source: string,
  options: ReportOptions,
  io: Io,
): Promise<LoadedReport> {
  const content = await loadRecordedTraffic(source, io)
  await reportUnreadLines(content, 'the rest is in the report', io)
  const file = options.output ?? pageBeside(source)
  const mode = outputModeFor(content.header, file, io.cwd)
  const limit = options.limit ?? defaultPageExchanges
  return {
    report: await reportOfRecording(content, options, limit),
    title: `Report of ${content.header._rec.name || recordingNameOf(source)}`,
    file,
    mode,
  }
}

async function loadFromSession(
  control: string | undefined,
  options: ReportOptions,
): Promise<LoadedReport> {
  const chosen = await chooseSession(compact({ control, token: options.token }))
  const limit = options.limit ?? defaultPageExchanges
  const report = await reportOfSession(openRemoteSession(chosen), options, limit)
  return {
    report: redactReport(report, openReportRedactor()),
    title: `Report of the session at ${chosen.url}`,
    file: options.output ?? 'report.html',
  }
}

export async function runReport(options: ReportOptions, io: Io): Promise<ExitCode> {
  const { source, force = false, limit = defaultPageExchanges } = options
  if (source !== undefined && isUrl(source) && options.control !== undefined)
    throw problem(
      'reading --control',
      'the session is named twice',
      'Leave out the flag or the argument.',
    )
  const loaded =
    source === undefined || isUrl(source)
      ? await loadFromSession(source ?? options.control, options)
      : await loadFromRecording(source, options, io)
  const { report, title, file, mode } = loaded
  const page = sessionPage(report, { title, limit })
  const output = await openTextOutput({ file, force, mode }, io)
  try {
    await output.write(page)
    await output.close()
  } catch (error) {
    output.abort()
    throw error
  }
  if (isStdout(file, io.cwd)) return exitCode.done
  const { size } = statSync(resolve(io.cwd, file))
  const { chosen, all } = report.amount
  const shown = chosen < all ? `${chosen} of ${all} exchanges` : pluralise(all, 'exchange')
  await printLine(io.stderr, `${file}  ${shown}, ${(size / 1_000_000).toFixed(1)} MB`)
  return exitCode.done
}
