/** GitHub Actions workflow commands: annotations on the lines of the scenario. */
import { githubAnnotation } from '../../reporters/github-command.ts'
import type { RunReport } from '../report.ts'
import { failureText } from './pretty.ts'
import { defineReporter } from './reporter.ts'

function annotations({ file, title, seed, again, ...run }: RunReport): readonly string[] {
  const failed = run.failures.map((failure) => {
    const { place, verdict, kind } = failure
    return githubAnnotation({
      level: 'error',
      file,
      place,
      title: `${title}: ${verdict?.id ?? kind}`,
      text: `${failureText(failure, file)}\nseed ${seed}\nagain: ${again}`,
    })
  })
  const advice = (run.outcome?.advice ?? []).map(({ id, findings }) =>
    githubAnnotation({
      level: 'notice',
      file,
      title: `${title}: ${id}`,
      text: findings[0]?.because ?? '',
    }),
  )
  const doubt =
    run.result === 'inconclusive'
      ? [
          githubAnnotation({
            level: 'warning',
            file,
            title: `${title}: inconclusive`,
            text: run.because ?? '',
          }),
        ]
      : []
  return [...failed, ...doubt, ...advice]
}

export const runGithubReporter = defineReporter({
  name: 'github',
  summary: 'for GitHub: annotations beside the lines of the scenario',
  form: 'lines',
  ended: (run) => annotations(run).join(''),
  finish: ({ halted }) =>
    halted === undefined
      ? ''
      : githubAnnotation({ level: 'error', title: 'sparring', text: halted }),
})
