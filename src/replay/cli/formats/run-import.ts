/** Runs `sparring import`: converts a file to a recording in bounded memory and prints a summary. */
import { compact } from '../../../core/base/compact.ts'
import { createHash, randomBytes } from 'node:crypto'
import { wallNow } from '../../../core/runtime/clock/clock.ts'
import type { Disk } from '../../../core/runtime/recording/appender.ts'
import {
  configurationDirectory,
  loadRedactionKey,
  type RedactionKey,
} from '../../../core/runtime/recording/redaction-key.ts'
import { buildVersion } from '../../../core/runtime/version.ts'
import { Problem } from '../../../core/base/problem.ts'
import { createRoleMapping } from '../../formats/role-mapping.ts'
import { ImportConverter, type ImportSummary } from '../../formats/import-converter.ts'
import { redactionPolicy } from '../../../core/traffic/recording/recording-lines.ts'
import { createSalt } from '../../../core/traffic/recording/line-ids.ts'
import { KnownValues } from '../../../core/traffic/redaction/known-values.ts'
import { createRedactor, type Redactor } from '../../../core/traffic/redaction/redactor.ts'
import { type ExitCode, exitCode } from '../../../terminal/cli/exit-code.ts'
import { rawChoiceOf } from '../../../terminal/cli/flags.ts'
import { type Io, printJson, printLine, withStdoutFor } from '../../../terminal/cli/io.ts'
import { createProgressLine } from '../../../terminal/cli/progress-line.ts'
import { importOutputFile, parseHostRole, readMapping, recordingNameOf } from './import-options.ts'
import type { ImportSource } from './import-source.ts'
import { openImportSource } from './open-import-source.ts'
import { openRecordingOutput, type RecordingOutput } from './recording-output.ts'
import {
  describeContent,
  type DetectedFormat,
  detectImportFormat,
  isKnownContent,
} from './all-formats.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import type { ImportOptions } from './import-flags.ts'
import { isoOf } from '../../../core/engine/instant.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { codings, isTooLong } from '../../proxy/content-codings.ts'
import {
  type ExpansionLimits,
  maxExpandedBytes,
} from '../../../core/runtime/recording/line-source.ts'
import type { FormatProblem, ImporterOptions } from '../../formats/format.ts'

type Attachment = NonNullable<ImporterOptions['attachment']>

/** Bodies of real traffic shrink to a hundredth at most, all together. */
const bodyLimits: ExpansionLimits = { freeBytes: 64 * 1024 * 1024, maxRatio: 100 }

/** Decodes the bodies of an import, and takes those in files of their own, within one bound for all of them together. */
export class BodyDecoder {
  readonly #limits: ExpansionLimits
  readonly #attached = new Set<string>()
  /** Bytes of the bodies as they are in the file, and as they are read. */
  #packed = 0
  #bytes = 0
  /** Bodies that were left out. */
  #omitted = 0

  constructor(limits = bodyLimits) {
    this.#limits = limits
  }

  /** Removes a content coding, so that what is coded can be redacted; undefined where that is not possible. */
  readonly decode = (coding: string, bytes: Uint8Array): Uint8Array | undefined => {
    const known = codings.get(coding)
    if (!known) return undefined
    this.#packed += bytes.length
    const left = maxExpandedBytes(this.#packed, this.#limits) - this.#bytes
    try {
      return this.#counted(known.now(bytes, { maxOutputLength: Math.max(1, left) }))
    } catch (error) {
      if (isTooLong(error)) this.#omitted++
      return undefined
    }
  }

  /** Bodies in files of their own: one that many exchanges share counts for each of them. */
  attached(attachment: Attachment): Attachment {
    return (name) => {
      const bytes = attachment(name)
      if (!this.#attached.has(name)) this.#packed += bytes?.length ?? 0
      this.#attached.add(name)
      return bytes && this.#counted(bytes)
    }
  }

  problems(): readonly FormatProblem[] {
    if (this.#omitted === 0) return []
    const message = `all together they unpack to more than ${this.#limits.maxRatio} times their size: ${this.#omitted} were left out`
    return [{ where: 'bodies', message }]
  }

  #counted(bytes: Uint8Array): Uint8Array | undefined {
    if (this.#bytes + bytes.length > maxExpandedBytes(this.#packed, this.#limits)) {
      this.#omitted++
      return undefined
    }
    this.#bytes += bytes.length
    return bytes
  }
}

/** Prints the result of an import, as text or JSON. */
interface ImportReport {
  readonly converter: Pick<ImportConverter, 'summary'>
  readonly input: Pick<ImportSource, 'beginning'>
  readonly found: DetectedFormat
  /** The recording. */
  readonly file: string
  readonly options: ImportOptions
  readonly end: ImportOutcome
}

/**
 * `whole`: complete. `stopped`: interrupted, partial recording kept. The third: interrupted, partial recording discarded
 * because it would have replaced a complete one. `nothing`: no exchange could be read, and nothing was written.
 */
type ImportOutcome = 'whole' | 'stopped' | 'given up' | 'nothing'

/** Problems and operations listed individually; the rest are counted. */
const maxRows = 20

const countsText = (counts: Readonly<Record<string, number>>): string => {
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a)
  const more = rows.length - maxRows
  const listed = rows.slice(0, maxRows).map(([name, number]) => `${number} ${escapeControls(name)}`)
  return listed.join(', ') + (more > 0 ? `, and ${more} more kinds` : '')
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0)

async function printProblems({ problems }: ImportSummary, io: Io): Promise<void> {
  for (const { where, message, fatal } of problems.slice(0, maxRows)) {
    const end = fatal === true ? '; nothing behind it could be read' : ''
    await printLine(io.stderr, escapeControls(`sparring: ${where}: ${message}${end}`))
  }
  const more = problems.length - maxRows
  if (more > 0) await printLine(io.stderr, `sparring: and ${more} more problems`)
}

function timeRange({ from, to }: ImportSummary): string {
  if (from === undefined || to === undefined) return ''
  return `  from ${isoOf(Math.floor(from))} to ${isoOf(Math.floor(to))}`
}

/** The message of an incomplete import. */
function incompleteMessage({
  end,
  file,
  found,
  input,
  options,
  converter,
}: ImportReport): string | undefined {
  if (end === 'stopped') return 'interrupted; what was read until then is whole'
  if (end === 'given up') return `interrupted; ${file} stays as it was`
  if (end !== 'nothing') return undefined
  const { problems } = converter.summary()
  return (
    `nothing in ${escapeControls(options.file)} could be read as ${found.format.name}, which was tried because ` +
    `${found.because}: ${problems.length > 0 ? 'see above' : 'there is no exchange in it'}. ` +
    `It looks like ${describeContent(input.beginning)}. Nothing was written; if it is something else, say what with --format`
  )
}

async function printImportReport(report: ImportReport, io: Io): Promise<void> {
  const { converter: lines, file, found, options, end } = report
  const summary = lines.summary()
  const why = incompleteMessage(report)
  if (options.json === true) {
    await printJson(io, {
      file: end === 'whole' || end === 'stopped' ? file : null,
      format: found.format.name,
      raw: rawChoiceOf(options).raw,
      whole: end === 'whole' && !summary.problems.some(({ fatal }) => fatal),
      ...compact({ message: why }),
      ...summary,
    })
    return
  }
  await printProblems(summary, io)
  if (why !== undefined) await printLine(io.stderr, `sparring: ${why}`)
  if (end === 'nothing' || end === 'given up') return
  await printLine(
    io.stdout,
    `${file}  ${pluralise(summary.exchanges, 'exchange')}${timeRange(summary)}`,
  )
  if (summary.exchanges > 0)
    await printLine(io.stdout, `  operations  ${countsText(summary.operations)}`)
  if (!rawChoiceOf(options).raw)
    await printLine(
      io.stdout,
      sumOf(summary.redacted) === 0
        ? '  redacted    nothing had to be'
        : `  redacted    ${countsText(summary.redacted)}`,
    )
  if (summary.forgottenSecrets !== undefined)
    await printLine(
      io.stderr,
      `sparring: there were too many secrets to remember: ${summary.forgottenSecrets} of them were redacted where they are ` +
        'recognised, but not looked for in the rest of the file. Search it for them before you share it',
    )
  if (sumOf(summary.remarks) > 0)
    await printLine(io.stdout, `  assumed     ${countsText(summary.remarks)}`)
}

function keyFor(options: ImportOptions, { env }: Pick<Io, 'env'>): RedactionKey | undefined {
  if (rawChoiceOf(options).raw) return undefined
  const key = loadRedactionKey(configurationDirectory(env))
  if (!key.ok) throw new Problem(key.error, 2)
  return key.value
}

interface ConverterInput {
  readonly options: ImportOptions
  readonly input: ImportSource
  readonly found: DetectedFormat
  readonly mapping: unknown
  readonly key: RedactionKey | undefined
  readonly redactor: Redactor | undefined
  readonly bodies: BodyDecoder
}

type Hash = ReturnType<typeof createHash>

function createConverter(
  { options, input, found, mapping, key, redactor, bodies }: ConverterInput,
  written: Hash,
): ImportConverter {
  const { format } = found
  const { attachment } = input
  const now = wallNow()
  const importer = format.importer?.({
    now,
    decode: bodies.decode,
    ...compact({ mapping, attachment: attachment && bodies.attached(attachment) }),
  })
  if (!importer) throw new Error(`the format ${format.name} has no importer`)
  const hosts = (options.host ?? []).map(parseHostRole)
  return new ImportConverter({
    importer,
    format: format.name,
    info: {
      name: options.name ?? recordingNameOf(input.name),
      tool: `sparring/${buildVersion()}`,
      protocol: { name: 'protocol', version: 'v2' },
      redaction: key
        ? { policy: redactionPolicy, keyId: key.keyId, mode: 'pseudonym' }
        : { policy: 'none', keyId: null, mode: 'none' },
    },
    source: {
      kind: format.name,
      file: input.name.replace(/^.*[/\\]/, ''),
      ...compact({ sha256: input.sha256 }),
    },
    salt: createSalt(randomBytes(9)),
    now,
    roleMapping: createRoleMapping({ hosts, ...compact({ subject: options.as }) }),
    hosts,
    redactor,
    decode: bodies.decode,
    bodyProblems: () => bodies.problems(),
    hash: {
      update: (text) => void written.update(text),
      current: () => written.copy().digest('hex'),
    },
  })
}

interface CopyJob {
  readonly input: ImportSource
  readonly lines: ImportConverter
  readonly output: RecordingOutput
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

/** Most imports are over before their progress is worth a line. */
const progressDelayMs = 100

/** What is read so far, with rate and estimate. */
function progressText(bytes: number, total: number | undefined, exchanges: number, ms: number) {
  const rate = bytes / Math.max(0.001, ms / 1000)
  const left =
    total === undefined ? '' : `, about ${Math.max(1, Math.round((total - bytes) / rate))} s left`
  const totalText = total === undefined ? '' : ` of ${megabytes(total)}`
  return `${megabytes(bytes)}${totalText}, ${exchanges} exchanges, ${megabytes(rate)}/s${left}`
}

/** Returns true when interrupted. */
async function copyLines({ input, lines, output }: CopyJob, io: Io): Promise<boolean> {
  const progress = createProgressLine(io, progressDelayMs)
  const start = performance.now()
  let bytes = 0
  let stopped = false
  // A closed stdout does not stop the import: its result is the file.
  const unlisten = io.onInterrupt((why) => {
    stopped ||= why !== 'closed'
  })
  try {
    for await (const piece of input.pieces) {
      await output.write(lines.feed(piece))
      bytes += piece.length
      progress.show(() =>
        progressText(bytes, input.bytes, lines.summary().exchanges, performance.now() - start),
      )
      if (stopped) return true
    }
    await output.write(lines.finish(input.sha256OfPipe?.(), input.problems))
    return false
  } finally {
    progress.clear()
    unlisten()
  }
}

const banner = (file: string): readonly string[] => [
  '!! RAW: nothing is redacted. Secrets, tokens and people stand in',
  `!! ${file}`,
  '!! as they were. Do not share it; clean it later with: sparring import <that file> -o <another>',
]

/** `disk` is injected by tests of disk failures. */
export async function runImport(
  options: ImportOptions,
  terminal: Io,
  disk?: Disk,
): Promise<ExitCode> {
  const io = withStdoutFor(options.output, terminal)
  for (const host of options.host ?? []) parseHostRole(host)
  const mapping = options.mapping === undefined ? undefined : await readMapping(options.mapping, io)
  using input = await openImportSource(options.file, io, isKnownContent)
  const found = detectImportFormat(options.format, input)
  const file = importOutputFile(options, found.format.name, io)
  const key = keyFor(options, io)
  const packed = input.packing === undefined ? '' : `, packed as ${input.packing}`
  await printLine(io.stderr, `format: ${found.format.name}${packed} (${found.because})`)
  if (!key) for (const line of banner(file)) await printLine(io.stderr, line)
  const redactor = key && createRedactor(key.hash, new KnownValues())
  const bodies = new BodyDecoder()
  const job = { options, input, found, mapping, key, redactor, bodies }
  const lines = createConverter(job, createHash('sha256'))
  const output = openRecordingOutput({
    file,
    force: options.force === true,
    isRaw: !key,
    stdout: terminal.stdout,
    disk,
  })
  try {
    const stopped = await copyLines({ input, lines, output }, io)
    if (redactor) await output.lastPass(redactor)
    const { exchanges, isOurs } = lines.summary()
    const nothing = !stopped && exchanges === 0 && !isOurs
    let isKept = true
    if (stopped || nothing) isKept = await output.abort()
    else await output.close()
    const end = nothing ? 'nothing' : !stopped ? 'whole' : isKept ? 'stopped' : 'given up'
    await printImportReport({ converter: lines, input, found, file, options, end }, io)
    return stopped ? exitCode.interrupted : nothing ? exitCode.usage : exitCode.done
  } catch (error) {
    // What is left of it shall hold no secret either; the first error is reported.
    if (redactor) await output.lastPass(redactor).catch(() => undefined)
    await output.abort()
    if (!(error instanceof Problem)) throw error
    const { exchanges } = lines.summary()
    throw new Problem(
      `${error.message}. ${pluralise(exchanges, 'exchange')} had been read until then`,
      error.exit,
    )
  }
}
