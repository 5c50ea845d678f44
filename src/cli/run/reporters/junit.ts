/** For machines that build: JUnit XML, a suite for each file and a case for each run. */
import type { RunReport } from '../report.ts'
import { failureText } from './pretty.ts'
import { defineReporter } from './reporter.ts'
import { attributes, xmlText } from './xml.ts'

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

function caseOf(run: RunReport): string {
  const name = run.repetition > 1 ? `${run.title} #${run.repetition}` : run.title
  const head = attributes({ name, classname: run.file, file: run.file, time: seconds(run.tookMs) })
  const failures = run.failures.map((failure) => {
    const type = failure.verdict?.id ?? failure.kind
    return `      <failure${attributes({ message: failure.because, type })}>${xmlText(failureText(failure, run.file))}</failure>`
  })
  const skipped =
    run.result === 'skipped' || run.result === 'stopped'
      ? [`      <skipped${attributes({ message: run.because ?? run.result })}/>`]
      : []
  const said = [`seed ${run.seed}`, `again: ${run.again}`, ...(run.output ?? [])].join('\n')
  const out = run.result === 'failed' ? [`      <system-out>${xmlText(said)}</system-out>`] : []
  const inside = [...failures, ...skipped, ...out]
  return inside.length === 0
    ? `    <testcase${head}/>`
    : [`    <testcase${head}>`, ...inside, '    </testcase>'].join('\n')
}

const counts = (runs: readonly RunReport[]) => ({
  tests: runs.length,
  failures: runs.filter(({ result }) => result === 'failed').length,
  skipped: runs.filter(({ result }) => result === 'skipped' || result === 'stopped').length,
  time: seconds(runs.reduce((sum, { tookMs }) => sum + tookMs, 0)),
})

export const junit = defineReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML',
  form: 'document',
  finish({ runs }) {
    const suites = Map.groupBy(runs, ({ file }) => file)
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites${attributes({ name: 'sparring', ...counts(runs) })}>`,
      ...[...suites].flatMap(([name, own]) => [
        `  <testsuite${attributes({ name, ...counts(own) })}>`,
        ...own.map(caseOf),
        '  </testsuite>',
      ]),
      '</testsuites>',
    ]
    return `${lines.join('\n')}\n`
  },
})
