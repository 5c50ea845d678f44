/** The line on a request that does not meet what every partner requires: for the log, whether it was refused or not. */
import type { UnmetRequirement } from '../../protocol/partner-requirements/catalogue.ts'
import { withClauses } from './mistake.ts'

/** Problems that one line names. */
const maxNamed = 4

function namedProblems(unmet: readonly UnmetRequirement[]): string {
  const problems = unmet.map(({ problem }) => problem)
  const more = problems.length - maxNamed
  return more > 0
    ? `${problems.slice(0, maxNamed).join('; ')} and ${more} more`
    : problems.join('; ')
}

/** Advice where the request was taken, and the reason where it was refused. */
export function unmetRequirementsLine(
  unmet: readonly UnmetRequirement[],
  isRefused = false,
): string {
  const clauses = [...new Set(unmet.flatMap(({ requirement }) => requirement.clauses))]
  const otherwise = isRefused ? 'lenient takes it' : 'strict refuses it here too'
  return withClauses(
    `every partner refuses this: ${namedProblems(unmet)}. conduct.bodies: ${otherwise}`,
    { clauses },
  )
}
