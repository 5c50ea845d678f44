/** Every reporter of `sparring explore`. */
import { exploreGithub } from './github.ts'
import { exploreJson } from './json.ts'
import { exploreJunit } from './junit.ts'
import { explorePretty } from './pretty.ts'
import type { ExploreReporter } from './reporter.ts'
import { exploreSarif } from './sarif.ts'

export const exploreReporters: readonly ExploreReporter[] = [
  explorePretty,
  exploreJson,
  exploreJunit,
  exploreSarif,
  exploreGithub,
]
