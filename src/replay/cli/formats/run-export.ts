/** Runs `sparring export`: streams a recording into the requested format. */
import { compact } from '../../../core/base/compact.ts'
import { basename, resolve } from 'node:path'
import { problem } from '../../../core/base/problem.ts'
import type { Exporter, ExporterOptions, Format, InterleavedLine } from '../../formats/format.ts'
import {
  type RecordedExchange,
  recordedExchangeFromLine,
} from '../../../core/traffic/recording/recorded-exchange.ts'
import type { HeaderLine, HttpLine } from '../../../core/traffic/recording/format.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { type Interruption, type Io, printLine } from '../../../terminal/cli/io.ts'
import { httpUrl } from '../../../terminal/cli/allowed-target.ts'
import { parseOnlyFilter } from '../replay/flag-values.ts'
import { allFormats, findExportFormat } from './all-formats.ts'
import { recordingNameOf } from './import-options.ts'
import { withBodies, writeRecordingPart } from './recording-part.ts'
import { createBlobReader, noHeaderProblem, readRecordingLines } from './recording-lines.ts'
import { openTextOutput, outputModeFor, type TextOutput } from './text-output.ts'
import { createProblemList, type ProblemList } from '../../formats/problem-list.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { ExportOptions } from './export-flags.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'

/** Problems of a recording that are printed. */
const maxProblems = 20

/** A closed stdout is no error: `sparring export … | head`. */
async function reportInterruption(why: Interruption | undefined, io: Io): Promise<ExitCode> {
  if (why === 'closed') return exitCode.done
  await printLine(io.stderr, 'sparring: interrupted; nothing was exported')
  return exitCode.interrupted
}

async function reportSkippedLines(problems: ProblemList, recording: string, io: Io): Promise<void> {
  for (const { where, message } of problems.all().slice(0, maxProblems)) {
    const place = [recording, ...(where === '' ? [] : [where])].join(': ')
    await printLine(io.stderr, escapeControls(`sparring: ${place}: ${message}; it was left out`))
  }
  const more = problems.count() - maxProblems
  if (more > 0)
    await printLine(
      io.stderr,
      escapeControls(`sparring: ${recording}: and ${more} more like these`),
    )
}

interface ExportedPart {
  readonly path: string
  readonly options: ExportOptions
  /** Exchange filter; absent for all. */
  readonly only: ((recorded: RecordedExchange) => boolean) | undefined
}

/** Exports a part of a recording as a recording. */
async function exportPart({ path, options, only }: ExportedPart, io: Io): Promise<ExitCode> {
  const { recording, output, force = false } = options
  const problems = createProblemList()
  const blobs = createBlobReader(path, (message) => problems.add('', message))
  let stopped: Interruption | undefined
  const unlisten = io.onInterrupt((why) => (stopped = why))
  const count = await writeRecordingPart(
    {
      path,
      // The output is one file, even if the source has segments.
      header: ({ _rec: { segment: _segment, ...rec }, ...header }) => ({ ...header, _rec: rec }),
      pick(line, { _rec }) {
        const exchange = recordedExchangeFromLine(line, Date.parse(_rec.t0), blobs)
        return only?.(exchange) === false ? undefined : exchange
      },
      file: output,
      force,
      onProblem: problems.add,
      isStopped: () => stopped !== undefined,
    },
    io,
  ).finally(unlisten)
  await reportSkippedLines(problems, recording, io)
  if (count === undefined) return reportInterruption(stopped, io)
  if (output !== undefined)
    await printLine(io.stderr, `${output}  ${pluralise(count, 'exchange')} of ${recording}`)
  return exitCode.done
}

type Only = (recorded: RecordedExchange) => boolean

/** The output is a recording: a part of the source. */
const isPart = ({ format, output }: ExportOptions): boolean =>
  format === 'recording' || (format === undefined && (output?.endsWith('.rec.ndjson') ?? false))

function formatOf({ format, output }: ExportOptions): Format {
  if (format !== undefined) return findExportFormat(format)
  const byName = allFormats.find(
    ({ exporter, fileExtensions: endings }) =>
      exporter && output !== undefined && endings.some((ending) => output.endsWith(ending)),
  )
  return byName ?? findExportFormat('har')
}

/** Lines that are no exchanges, such as marks; an exporter has all of them at once. */
const maxOthers = 100_000

interface Survey {
  readonly header: HeaderLine
  readonly others: readonly InterleavedLine[]
  readonly exchanges: number
  readonly problems: ProblemList
}

/** First pass: an exporter needs the lines behind the exchanges before the first exchange. */
async function survey(path: string, name: string, only: Only | undefined): Promise<Survey> {
  const problems = createProblemList()
  const others: InterleavedLine[] = []
  let header: HeaderLine | undefined
  let exchanges = 0
  for await (const { text, read } of readRecordingLines(path, problems.add)) {
    if (read.kind === 'header') header = JSON.parse(text) as HeaderLine
    else if (read.kind === 'exchange') {
      if (only === undefined || only(recordedExchangeFromLine(read.line, 0))) exchanges++
    } else if (others.length < maxOthers)
      others.push({ after: exchanges, line: JSON.parse(text) as InterleavedLine['line'] })
    else problems.add(`behind exchange ${exchanges}`, 'a line that is no exchange is one too many')
  }
  if (header) return { header, others, exchanges, problems }
  const [first] = problems.all()
  throw noHeaderProblem(name, first && `${first.where}: ${first.message}`)
}

interface WriteJob {
  readonly path: string
  /** As named by the user. */
  readonly recording: string
  readonly exporter: Exporter
  readonly surveyed: Survey
  readonly output: TextOutput
  readonly only: Only | undefined
}

const hasBlob = ({ _rec: { wire } }: HttpLine): boolean =>
  wire?.q?.blob !== undefined || wire?.p?.blob !== undefined

/** Second pass; returns the interruption, if any. */
async function writeExport(
  { path, recording, exporter, surveyed, output, only }: WriteJob,
  io: Io,
): Promise<Interruption | undefined> {
  let stopped: Interruption | undefined
  const unlisten = io.onInterrupt((why) => (stopped = why))
  const t0 = Date.parse(surveyed.header._rec.t0)
  const missing = createProblemList()
  const blobs = createBlobReader(path, (message) => missing.add('', message))
  try {
    await output.write(exporter.begin(surveyed.header, surveyed.others))
    for await (const { text, read } of readRecordingLines(path, () => undefined)) {
      if (stopped) return stopped
      if (read.kind !== 'exchange') continue
      const line: HttpLine = read.line
      const exchange = recordedExchangeFromLine(line, t0, blobs)
      if (only?.(exchange) === false) continue
      // The output is one file: bodies in blob files are inlined.
      const inlinedLine = hasBlob(line) ? withBodies(line, exchange) : line
      const lineText = inlinedLine === line ? text : JSON.stringify(inlinedLine)
      await output.write(exporter.exchange(exchange, inlinedLine, lineText))
    }
    await output.write(exporter.end())
    await reportSkippedLines(missing, recording, io)
    return stopped
  } finally {
    unlisten()
  }
}

export type RunExportOptions = ExportOptions & Pick<ExporterOptions, 'pace'>

export async function runExport(options: RunExportOptions, io: Io): Promise<ExitCode> {
  const { recording, base, pace } = options
  if (base !== undefined) httpUrl(base, '--base')
  if (base !== undefined && /[?#]/.test(base))
    throw problem(
      'reading --base',
      `"${base}" has a query or a fragment, to which a script cannot join its paths`,
      'Write scheme, host, port and path only.',
    )
  const only = options.only === undefined ? undefined : parseOnlyFilter(options.only)
  const path = resolve(io.cwd, recording)
  if (isPart(options)) return exportPart({ path, options, only }, io)
  const format = formatOf(options)
  const surveyed = await survey(path, recording, only)
  const mode = outputModeFor(surveyed.header, options.output, io.cwd)
  await reportSkippedLines(surveyed.problems, recording, io)
  if (format.maxExchanges !== undefined && surveyed.exchanges > format.maxExchanges)
    throw problem(
      `exporting ${recording} as ${format.name}`,
      `it has ${surveyed.exchanges} exchanges, and ${format.maxExchanges} are the most`,
      'Cut it first: sparring minimise, or export it as har',
    )
  const leftOut = new Map<string, number>()
  const exporter = format.exporter?.({
    onLeftOut: (because) => leftOut.set(because, (leftOut.get(because) ?? 0) + 1),
    name: surveyed.header._rec.name || recordingNameOf(recording),
    ...(options.plain === true ? { plain: true } : {}),
    recording: basename(recording),
    ...compact({ base, pace }),
  })
  if (!exporter) throw new Error(`the format ${format.name} has no exporter`)
  const target = { file: options.output, force: options.force === true, mode }
  const output = await openTextOutput(target, io)
  try {
    const stopped = await writeExport({ path, recording, exporter, surveyed, output, only }, io)
    if (stopped) {
      output.abort()
      return reportInterruption(stopped, io)
    }
    await output.close()
  } catch (error) {
    output.abort()
    throw error
  }
  const written = surveyed.exchanges - [...leftOut.values()].reduce((sum, count) => sum + count, 0)
  if (options.output !== undefined)
    await printLine(
      io.stderr,
      `${options.output}  ${pluralise(written, 'exchange')} as ${format.name}`,
    )
  for (const [because, count] of leftOut)
    await printLine(io.stderr, `  left out  ${pluralise(count, 'exchange')}: ${because}`)
  return exitCode.done
}
