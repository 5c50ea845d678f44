/** JUnit XML for CI: a suite for each file and a case for each run. */
import { type JunitCase, junitDocument, type JunitSuite } from '../../reporters/junit-document.ts'
import { defineReporter } from './reporter.ts'
import { isUndecided, type RunReport } from '../report.ts'
import { failureText } from './pretty.ts'

function caseOf(run: RunReport): JunitCase {
  const { title, repetition, file, tookMs, failures, result, because, seed, again } = run
  return {
    name: repetition > 1 ? `${title} #${repetition}` : title,
    classname: file,
    file,
    tookMs,
    problems: [
      ...failures.map((failure) => ({
        kind: 'failure' as const,
        message: failure.because,
        type: failure.verdict?.id ?? failure.kind,
        text: failureText(failure, file),
      })),
      ...(isUndecided(run) ? [{ kind: 'skipped' as const, message: because ?? result }] : []),
    ],
    ...(result === 'failed'
      ? { output: [`seed ${seed}`, `again: ${again}`, ...(run.output ?? [])].join('\n') }
      : {}),
  }
}

/** A halt is a test case with an error: otherwise CI would see only the runs that passed before it. */
const haltSuite = (halted: string): JunitSuite => ({
  name: 'sparring',
  cases: [
    {
      name: 'every run could be played',
      classname: 'sparring',
      problems: [{ kind: 'error', message: halted }],
    },
  ],
})

export const runJunitReporter = defineReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML',
  form: 'document',
  finish({ runs, halted }) {
    const suites = Map.groupBy(runs, ({ file }) => file)
    return junitDocument([
      ...Array.from(suites, ([name, own]) => ({ name, cases: own.map(caseOf) })),
      ...(halted === undefined ? [] : [haltSuite(halted)]),
    ])
  },
})
