/** Interface of comparison reporters: called for each exchange, then with the whole report. */
import type { Reporter } from '../../run/reporters/reporter.ts'
import type { Compared, ComparedExchange } from '../compared.ts'

export type CompareReporter = Reporter<ComparedExchange, Compared>

export const defineCompareReporter = (reporter: CompareReporter): CompareReporter => reporter
