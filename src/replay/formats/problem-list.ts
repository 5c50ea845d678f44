/** Bounded list of parse problems: a file of the wrong format has one in every line. */
import type { FormatProblem } from './format.ts'

export type ProblemList = ReturnType<typeof createProblemList>

const maxProblems = 100

export function createProblemList() {
  const problems: FormatProblem[] = []
  let dropped = 0
  /** Behind a fatal one nothing is read: the first is listed in any case. */
  let hasFatal = false
  return {
    add: (where: string, message: string, fatal: boolean = false) => {
      if (problems.length >= maxProblems && (!fatal || hasFatal)) dropped++
      else problems.push({ where, message, ...(fatal ? { fatal } : {}) })
      hasFatal ||= fatal
    },
    /** Those that are not listed too. */
    count: () => problems.length + dropped,
    all: (): readonly FormatProblem[] =>
      dropped === 0
        ? problems
        : [...problems, { where: 'behind it', message: `${dropped} more like these` }],
  }
}
