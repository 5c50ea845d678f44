/** JUnit XML for CI: a suite for each file and a case for each run. */
import { haltSuite, type JunitCase, junitDocument } from '../../reporters/junit-document.ts'
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

export const runJunitReporter = defineReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML',
  form: 'document',
  finish({ runs, halted }) {
    const suites = Map.groupBy(runs, ({ file }) => file)
    return junitDocument([
      ...Array.from(suites, ([name, own]) => ({ name, cases: own.map(caseOf) })),
      ...(halted === undefined ? [] : [haltSuite('every run could be played', halted)]),
    ])
  },
})
