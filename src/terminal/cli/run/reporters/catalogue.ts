/** Every reporter of `sparring run`. */
import { runGithubReporter } from './github.ts'
import { runHtmlReporter } from './html.ts'
import { runJsonReporter } from './json.ts'
import { runJunitReporter } from './junit.ts'
import { runPrettyReporter } from './pretty.ts'
import type { RunReporter } from './reporter.ts'
import { runSarifReporter } from './sarif.ts'
import { runTapReporter } from './tap.ts'

export const runReporters: readonly RunReporter[] = [
  runPrettyReporter,
  runJsonReporter,
  runJunitReporter,
  runTapReporter,
  runSarifReporter,
  runGithubReporter,
  runHtmlReporter,
]
