/** Every reporter of `sparring run`. */
import type { RunReporter } from '../report.ts'
import { runFindingReporters, runGithubReporter } from './findings.ts'
import { runHtmlReporter } from './html.ts'
import { runJsonReporter } from './json.ts'
import { runPrettyReporter } from './pretty.ts'
import { runTapReporter } from './tap.ts'

const { junit, sarif } = runFindingReporters

export const runReporters: readonly RunReporter[] = [
  runPrettyReporter,
  runJsonReporter,
  junit,
  runTapReporter,
  sarif,
  runGithubReporter,
  runHtmlReporter,
]
