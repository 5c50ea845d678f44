/** A reporter of comparisons: the same shape as one of runs, told of each exchange and of all of them at last. */
import type { Reporter } from '../../run/reporters/reporter.ts'
import type { Compared, ComparedExchange } from '../compared.ts'

export type CompareReporter = Reporter<ComparedExchange, Compared>

export const defineCompareReporter = (reporter: CompareReporter): CompareReporter => reporter
