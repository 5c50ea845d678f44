/** Runs `sparring report`: reads a recording, a file of another format or a session, and writes one HTML page. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { compact } from '../../core/base/compact.ts'
import { isStdout } from '../../core/runtime/files/output-place.ts'
import { openRemoteSession } from '../../core/runtime/control-client/remote-session.ts'
import { problem } from '../../core/base/problem.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { defaultPageExchanges, sessionPage } from '../../terminal/page/session/report-page.ts'
import type { SessionReport } from '../../terminal/page/session/report-content.ts'
import { chooseSession } from '../verbs/support/choose-session.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { outputModeFor, openTextOutput } from '../../replay/cli/formats/text-output.ts'
import { recordingNameOf } from '../../replay/cli/formats/import-options.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { reportUnreadLines } from '../../replay/cli/replay/recording-content.ts'
import { loadRecordedTraffic } from './load-recording.ts'
import { openReportRedactor, redactReport } from '../../terminal/cli/report/redact-report.ts'
import type { ReportOptions } from '../../terminal/cli/report/report-flags.ts'
import { reportOfRecording } from './report-of-recording.ts'
import { reportOfSession } from '../../terminal/cli/report/report-of-session.ts'

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
