/** Interface of reporters of runs: called for each run, then with the whole report. */
import type { Reporter } from '../../reporters/reporter.ts'
import type { RunReport, ScenarioReport } from '../report.ts'

export type RunReporter = Reporter<RunReport, ScenarioReport>

export const defineReporter = (reporter: RunReporter): RunReporter => reporter
