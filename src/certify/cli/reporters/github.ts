/** GitHub Actions workflow commands: an annotation for each violated clause. */
import { githubAnnotation } from '../../../terminal/cli/reporters/github-command.ts'
import { defineCertifyReporter } from './reporter.ts'
import { resultLines } from './result-lines.ts'

export const certifyGithub = defineCertifyReporter({
  name: 'github',
  summary: 'for GitHub: an annotation for each violated clause',
  form: 'lines',
  finish({ report, exchanges }) {
    const { results, halted } = report
    const annotations = results
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'warning')
      .map((result) =>
        githubAnnotation({
          level: result.outcome === 'failed' ? 'error' : 'warning',
          title: result.clauses.join(', '),
          text: resultLines(result, exchanges).join('\n'),
        }),
      )
    const halt =
      halted === undefined
        ? []
        : [githubAnnotation({ level: 'error', title: 'sparring', text: halted })]
    return [...annotations, ...halt].join('')
  },
})
