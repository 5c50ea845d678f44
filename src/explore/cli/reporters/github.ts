/** GitHub Actions workflow commands: an annotation for each bucket, on its kept scenario. */
import {
  type GithubAnnotation,
  githubAnnotation,
} from '../../../terminal/cli/reporters/github-command.ts'
import type { ExploreReport } from '../explore-report.ts'
import { bucketLines } from './bucket-text.ts'
import { defineExploreReporter } from './reporter.ts'
import { ruleResults, steadyText } from './rule-results.ts'

function annotationsOf(report: ExploreReport): readonly GithubAnnotation[] {
  return ruleResults(report).flatMap(({ rule: { id }, steady, found, suspected }) => [
    ...(steady ? [{ level: 'error' as const, title: id, text: steadyText(steady) }] : []),
    ...[...found, ...suspected].map((reported) => ({
      level: reported.bucket.status === 'suspected' ? ('warning' as const) : ('error' as const),
      file: reported.file,
      title: `${id} ${reported.bucket.status}`,
      text: bucketLines(reported).join('\n'),
    })),
  ])
}

export const exploreGithub = defineExploreReporter({
  name: 'github',
  summary: 'for GitHub: an annotation for each bucket',
  form: 'lines',
  finish(report) {
    const { halted } = report
    const halt: readonly GithubAnnotation[] =
      halted === undefined ? [] : [{ level: 'error', title: 'sparring', text: halted }]
    return [...annotationsOf(report), ...halt].map(githubAnnotation).join('')
  },
})
