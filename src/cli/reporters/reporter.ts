/**
 * A reporter formats runs as text: each run when it ends, and the whole report at the end. It is pure: report-writers.ts
 * writes the returned text to stdout or a file.
 */
import type { ScenarioReport, RunReport } from '../run/report.ts'

export interface Style {
  readonly color: boolean
  /** Failures only. */
  readonly quiet: boolean
}

/** `Run` is the report of one run, `Whole` of all of them. */
export interface Reporter<Run = RunReport, Whole = ScenarioReport> {
  /** As in `--reporter`. */
  readonly name: string
  /** One sentence: its readers. */
  readonly summary: string
  /** `lines` may be mixed with other output on stdout; a `document` may not. */
  readonly form: 'lines' | 'document'
  readonly begin?: () => string
  readonly ended?: (run: Run, style: Style) => string
  readonly finish?: (report: Whole, style: Style) => string
}

export const defineReporter = (reporter: Reporter): Reporter => reporter
