/**
 * A reporter: what was played as text of one form. It is told of each run as it ends, and of all of them at last; what it
 * answers is written where somebody wants it. It writes nothing itself, and asks nobody anything.
 */
import type { Report, RunReport } from '../report.ts'

export interface Style {
  readonly color: boolean
  /** Nothing but what failed. */
  readonly quiet: boolean
}

/** `Run` is what ends one by one, `Whole` what all of them come to. */
export interface Reporter<Run = RunReport, Whole = Report> {
  /** As in `--reporter`. */
  readonly name: string
  /** One sentence: who reads it. */
  readonly summary: string
  /** `lines` may stand beside others on one screen; a `document` is whole only by itself. */
  readonly form: 'lines' | 'document'
  readonly begin?: () => string
  readonly ended?: (run: Run, style: Style) => string
  readonly finish?: (report: Whole, style: Style) => string
}

export const defineReporter = (reporter: Reporter): Reporter => reporter
