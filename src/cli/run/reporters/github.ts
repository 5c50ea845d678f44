/** GitHub Actions workflow commands: annotations on the lines of the scenario. */
import type { RunReport } from '../report.ts'
import { failureText } from './pretty.ts'
import { defineReporter } from './reporter.ts'

const message = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string): string =>
  message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function annotations(run: RunReport): readonly string[] {
  const failed = run.failures.map((failure) => {
    const { place, verdict, kind } = failure
    const parts = [
      `file=${property(run.file)}`,
      ...(place ? [`line=${place.line}`, `col=${place.column}`] : []),
      `title=${property(`${run.title}: ${verdict?.id ?? kind}`)}`,
    ]
    const text = `${failureText(failure, run.file)}\nseed ${run.seed}\nagain: ${run.again}`
    return `::error ${parts.join(',')}::${message(text)}`
  })
  const advice = (run.outcome?.advice ?? []).map(
    ({ id, findings }) =>
      `::notice file=${property(run.file)},title=${property(`${run.title}: ${id}`)}::${message(findings[0]?.because ?? '')}`,
  )
  const doubt =
    run.result === 'inconclusive'
      ? [
          `::warning file=${property(run.file)},title=${property(`${run.title}: inconclusive`)}::${message(run.because ?? '')}`,
        ]
      : []
  return [...failed, ...doubt, ...advice]
}

export const runGithubReporter = defineReporter({
  name: 'github',
  summary: 'for GitHub: annotations beside the lines of the scenario',
  form: 'lines',
  ended: (run) =>
    annotations(run)
      .map((line) => `${line}\n`)
      .join(''),
  finish: ({ halted }) =>
    halted === undefined ? '' : `::error title=sparring::${message(halted)}\n`,
})
