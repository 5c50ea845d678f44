/** Runs `sparring diff`: reads two recordings, compares them and writes the report. */
import { buildVersion } from '../../../core/runtime/version.ts'
import { createRuleBook } from '../../difference/protocol-rules.ts'
import { compareRecordings } from '../../difference/compare-recordings.ts'
import type { RecordingContent } from '../../../core/traffic/recording/content.ts'
import type { ExitCode } from '../../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../../terminal/cli/io.ts'
import { readRecordingContent } from '../replay/recording-content.ts'
import { reportOfRecordings } from './comparison-report.ts'
import { openComparisonReport, writeComparisonReport } from './write-report.ts'
import { loadUserRules } from './rules.ts'
import type { DiffOptions } from './diff-flags.ts'

const maxProblems = 5

async function read(file: string, io: Io): Promise<RecordingContent> {
  const content = await readRecordingContent(file, io.cwd)
  const { problems, closed, exchanges } = content
  for (const { line, message, file: segment } of problems.slice(0, maxProblems)) {
    // Line 0: the problem is the file itself, such as a missing segment or data that cannot be decompressed.
    const place = [
      file,
      ...(segment === undefined ? [] : [segment]),
      ...(line > 0 ? [`line ${line}`] : []),
    ]
    await printLine(io.stderr, `sparring: ${place.join(', ')}: ${message}; it is left out`)
  }
  if (problems.length > maxProblems)
    await printLine(
      io.stderr,
      `sparring: ${file}: and ${problems.length - maxProblems} problems more`,
    )
  if (!closed)
    await printLine(
      io.stderr,
      `sparring: ${file} was interrupted: it is compared up to its ${exchanges.length} exchanges`,
    )
  return content
}

export async function diffRecordings(options: DiffOptions, io: Io): Promise<ExitCode> {
  const { a, b, rules: rulesFile } = options
  const rules = await loadUserRules(a, rulesFile, io.cwd)
  const book = createRuleBook(rules)
  const recorded = await read(a, io)
  const live = await read(b, io)
  using reportWriters = await openComparisonReport(options, io)
  const comparison = compareRecordings(recorded, live, book)
  return await writeComparisonReport(
    reportOfRecordings(comparison, { left: a, right: b, version: buildVersion() }),
    reportWriters,
  )
}
