/** Prints the result of an import, as text or JSON. */
import { isoOf } from '../../engine/instant.ts'
import type { ImportConverter, ImportSummary } from '../../traffic/formats/import-converter.ts'
import { type Io, printJson, printLine } from '../io.ts'
import { stripControlChars } from '../table.ts'
import { pluralise } from '../../traffic/pluralise.ts'
import type { ImportOptions } from './import-flags.ts'

export interface ImportReport {
  readonly converter: Pick<ImportConverter, 'summary'>
  readonly file: string
  readonly format: string
  readonly options: ImportOptions
  readonly end: ImportOutcome
}

/**
 * `whole`: complete. `stopped`: interrupted, partial recording kept. `given up`: interrupted, partial recording discarded
 * because it would have replaced a complete one. `nothing`: no readable content.
 */
export type ImportOutcome = 'whole' | 'stopped' | 'given up' | 'nothing'

/** Problems and operations listed individually; the rest are counted. */
const maxRows = 20

const countsText = (counts: Readonly<Record<string, number>>): string => {
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a)
  const more = rows.length - maxRows
  const listed = rows
    .slice(0, maxRows)
    .map(([name, number]) => `${number} ${stripControlChars(name)}`)
  return listed.join(', ') + (more > 0 ? `, and ${more} more kinds` : '')
}

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, each) => sum + each, 0)

async function printProblems({ problems }: ImportSummary, io: Io): Promise<void> {
  for (const { where, message, fatal } of problems.slice(0, maxRows)) {
    const end = fatal === true ? '; nothing behind it could be read' : ''
    await printLine(io.stderr, stripControlChars(`sparring: ${where}: ${message}${end}`))
  }
  const more = problems.length - maxRows
  if (more > 0) await printLine(io.stderr, `sparring: and ${more} more problems`)
}

function timeRange({ from, to }: ImportSummary): string {
  if (from === undefined || to === undefined) return ''
  return `  from ${isoOf(Math.floor(from))} to ${isoOf(Math.floor(to))}`
}

/** The message of an incomplete import. */
function incompleteMessage(
  end: ImportOutcome,
  { file, format, options }: ImportReport,
): string | undefined {
  if (end === 'stopped') return 'interrupted; what was read until then is whole'
  if (end === 'given up') return `interrupted; ${file} stays as it was`
  if (end === 'nothing')
    return `nothing in ${stripControlChars(options.file)} could be read as ${format}`
  return undefined
}

export async function printImportReport(report: ImportReport, io: Io): Promise<void> {
  const { converter: lines, file, format, options, end } = report
  const summary = lines.summary()
  if (options.json === true) {
    await printJson(io, {
      file: end === 'whole' || end === 'stopped' ? file : null,
      format,
      raw: options.raw === true,
      whole: end === 'whole' && !summary.problems.some(({ fatal }) => fatal),
      ...summary,
    })
    return
  }
  await printProblems(summary, io)
  const why = incompleteMessage(end, report)
  if (why !== undefined) await printLine(io.stderr, `sparring: ${why}`)
  if (end === 'nothing' || end === 'given up') return
  await printLine(
    io.stdout,
    `${file}  ${pluralise(summary.exchanges, 'exchange')}${timeRange(summary)}`,
  )
  if (summary.exchanges > 0)
    await printLine(io.stdout, `  operations  ${countsText(summary.operations)}`)
  if (options.raw !== true)
    await printLine(
      io.stdout,
      sumOf(summary.redacted) === 0
        ? '  redacted    nothing had to be'
        : `  redacted    ${countsText(summary.redacted)}`,
    )
  if (sumOf(summary.remarks) > 0)
    await printLine(io.stdout, `  assumed     ${countsText(summary.remarks)}`)
}
