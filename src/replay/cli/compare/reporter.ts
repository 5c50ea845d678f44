/** Interface of comparison reporters: called for each exchange, then with the whole report. */
import type { Reporter } from '../../../terminal/cli/reporters/reporter.ts'
import type { ComparisonReport, ComparedExchange } from './comparison-report.ts'

export type CompareReporter = Reporter<ComparedExchange, ComparisonReport>

export const defineCompareReporter = (reporter: CompareReporter): CompareReporter => reporter
