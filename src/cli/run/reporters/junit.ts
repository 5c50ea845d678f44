/** JUnit XML for CI: a suite for each file and a case for each run. */
import { isUndecided, type RunReport } from '../report.ts'
import { failureText } from './pretty.ts'
import { defineReporter } from './reporter.ts'
import { xmlAttributes, xmlText } from './xml.ts'

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

function caseOf(run: RunReport): string {
  const name = run.repetition > 1 ? `${run.title} #${run.repetition}` : run.title
  const head = xmlAttributes({
    name,
    classname: run.file,
    file: run.file,
    time: seconds(run.tookMs),
  })
  const failures = run.failures.map((failure) => {
    const type = failure.verdict?.id ?? failure.kind
    return `      <failure${xmlAttributes({ message: failure.because, type })}>${xmlText(failureText(failure, run.file))}</failure>`
  })
  const skipped = isUndecided(run)
    ? [`      <skipped${xmlAttributes({ message: run.because ?? run.result })}/>`]
    : []
  const output = [`seed ${run.seed}`, `again: ${run.again}`, ...(run.output ?? [])].join('\n')
  const systemOut =
    run.result === 'failed' ? [`      <system-out>${xmlText(output)}</system-out>`] : []
  const inside = [...failures, ...skipped, ...systemOut]
  return inside.length === 0
    ? `    <testcase${head}/>`
    : [`    <testcase${head}>`, ...inside, '    </testcase>'].join('\n')
}

const counts = (runs: readonly RunReport[]) => ({
  tests: runs.length,
  failures: runs.filter(({ result }) => result === 'failed').length,
  skipped: runs.filter(isUndecided).length,
  time: seconds(runs.reduce((sum, { tookMs }) => sum + tookMs, 0)),
})

/** A halt is a test case with an error: otherwise CI would see only the runs that passed before it. */
const haltLines = (halted: string): readonly string[] => [
  `  <testsuite${xmlAttributes({ name: 'sparring', tests: 1, failures: 0, errors: 1, skipped: 0, time: seconds(0) })}>`,
  `    <testcase${xmlAttributes({ name: 'every run could be played', classname: 'sparring' })}>`,
  `      <error${xmlAttributes({ message: halted })}/>`,
  '    </testcase>',
  '  </testsuite>',
]

export const runJunitReporter = defineReporter({
  name: 'junit',
  summary: 'for machines that build: JUnit XML',
  form: 'document',
  finish({ runs, halted }) {
    const suites = Map.groupBy(runs, ({ file }) => file)
    const played = counts(runs)
    const total = halted === undefined ? played : { ...played, tests: played.tests + 1, errors: 1 }
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<testsuites${xmlAttributes({ name: 'sparring', ...total })}>`,
      ...[...suites].flatMap(([name, own]) => [
        `  <testsuite${xmlAttributes({ name, ...counts(own) })}>`,
        ...own.map(caseOf),
        '  </testsuite>',
      ]),
      ...(halted === undefined ? [] : haltLines(halted)),
      '</testsuites>',
    ]
    return `${lines.join('\n')}\n`
  },
})
