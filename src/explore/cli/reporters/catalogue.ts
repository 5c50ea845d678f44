/** Every reporter of `sparring explore`. */
import type { ExploreReporter } from '../explore-report.ts'
import { exploreFindingReporters, exploreGithub } from './findings.ts'
import { exploreJson } from './json.ts'
import { explorePretty } from './pretty.ts'

const { junit, sarif } = exploreFindingReporters

export const exploreReporters: readonly ExploreReporter[] = [
  explorePretty,
  exploreJson,
  junit,
  sarif,
  exploreGithub,
]
