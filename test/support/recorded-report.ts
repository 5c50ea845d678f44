/** The report of a recording, as `sparring report` draws it. */
import { readRecording } from '../../src/core/runtime/recording/read-recording.ts'
import { reportOfRecording } from '../../src/sparring/report/run-report.ts'
import type { SessionReport } from '../../src/terminal/page/session/report-content.ts'

export async function readRecordedReport(file: string): Promise<SessionReport> {
  const read = await readRecording(file)
  if (!read.ok) throw new Error(read.error)
  return reportOfRecording(read.value, { source: file }, 2000)
}
