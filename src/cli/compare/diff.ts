/** What `sparring diff` does: reads both recordings, holds them against each other, tells what differs. */
import { resolve } from 'node:path'
import { readRecording } from '../../edge/recording/read-recording.ts'
import { version } from '../../edge/version.ts'
import { Problem } from '../../problem.ts'
import { ruleBook } from '../../traffic/difference/protocol-rules.ts'
import { compareRecordings } from '../../traffic/difference/side-by-side/compare-recordings.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { ExitCode } from '../exit-code.ts'
import { type Io, sayLine } from '../io.ts'
import { ofRecordings } from './compared.ts'
import { openReport, tellReport } from './report.ts'
import { userRules } from './rules.ts'
import type { DiffOptions } from './diff-flags.ts'

const mostProblems = 5

async function read(file: string, io: Io): Promise<RecordingContent> {
  const content = await readRecording(resolve(io.cwd, file))
  if (!content.ok) throw new Problem(content.error, 2)
  const { problems, closed, exchanges } = content.value
  for (const { line, message, file: segment } of problems.slice(0, mostProblems)) {
    // What has no line is wrong with the file: a segment that is not there, bytes that cannot be unpacked.
    const place = [
      file,
      ...(segment === undefined ? [] : [segment]),
      ...(line > 0 ? [`line ${line}`] : []),
    ]
    await sayLine(io.stderr, `sparring: ${place.join(', ')}: ${message}; it is left out`)
  }
  if (problems.length > mostProblems)
    await sayLine(
      io.stderr,
      `sparring: ${file}: and ${problems.length - mostProblems} problems more`,
    )
  if (!closed)
    await sayLine(
      io.stderr,
      `sparring: ${file} was interrupted: it is compared up to its ${exchanges.length} exchanges`,
    )
  return content.value
}

export async function diffRecordings(options: DiffOptions, io: Io): Promise<ExitCode> {
  const { a, b, rules: rulesFile } = options
  const rules = await userRules(a, rulesFile, io.cwd)
  const book = ruleBook(rules)
  const recorded = await read(a, io)
  const live = await read(b, io)
  const outlets = await openReport(options, io)
  const comparison = compareRecordings(recorded, live, book)
  return tellReport(ofRecordings(comparison, { left: a, right: b, version: version() }), outlets)
}
