/** Prints the result of an import, as text or JSON. */
import { compact } from '../../../core/base/compact.ts'
import { isoOf } from '../../../core/engine/instant.ts'
import type { ImportConverter, ImportSummary } from '../../formats/import-converter.ts'
import { rawWishOf } from '../../../terminal/cli/flags.ts'
import { type Io, printJson, printLine } from '../../../terminal/cli/io.ts'
import { escapeControls } from '../../../core/traffic/escape-controls.ts'
import { pluralise } from '../../../core/protocol/count-text.ts'
import { describeContent } from './describe-content.ts'
import type { DetectedFormat } from './detect-format.ts'
import type { ImportOptions } from './import-flags.ts'
import type { ImportSource } from './import-source.ts'

export interface ImportReport {
  readonly converter: Pick<ImportConverter, 'summary'>
  readonly input: Pick<ImportSource, 'beginning'>
  readonly found: DetectedFormat
  /** The recording. */
  readonly file: string
  readonly options: ImportOptions
  readonly end: ImportOutcome
}

/**
 * `whole`: complete. `stopped`: interrupted, partial recording kept. `given up`: interrupted, partial recording discarded
 * because it would have replaced a complete one. `nothing`: no exchange could be read, and nothing was written.
 */
export type ImportOutcome = 'whole' | 'stopped' | 'given up' | 'nothing'

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

export async function printImportReport(report: ImportReport, io: Io): Promise<void> {
  const { converter: lines, file, found, options, end } = report
  const summary = lines.summary()
  const why = incompleteMessage(report)
  if (options.json === true) {
    await printJson(io, {
      file: end === 'whole' || end === 'stopped' ? file : null,
      format: found.format.name,
      raw: rawWishOf(options).raw,
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
  if (!rawWishOf(options).raw)
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
