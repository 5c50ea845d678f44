/**
 * A mistake that a service may make, as a row of a catalogue: what shows it, and the one line that names it and its remedy.
 * The first row of a catalogue that has a line for a case is taken.
 */
import type { UnmetRequirement } from '../../protocol/partner-requirements/catalogue.ts'

export interface Mistake<Case> {
  readonly name: string
  /** The clauses that it goes against, where there are any. */
  readonly clauses?: readonly string[]
  /** The line for this case; undefined when this mistake was not made. */
  readonly lineFor: (of: Case) => string | undefined
}

/** A line with the clauses of its mistake. */
export const withClauses = (
  line: string,
  { clauses = [] }: Pick<Mistake<never>, 'clauses'>,
): string => (clauses.length === 0 ? line : `${line} (${clauses.join(', ')})`)

/** The line of the first mistake of a catalogue that was made; undefined for none. */
export function diagnose<Case>(mistakes: readonly Mistake<Case>[], of: Case): string | undefined {
  for (const mistake of mistakes) {
    const line = mistake.lineFor(of)
    if (line !== undefined) return withClauses(line, mistake)
  }
  return undefined
}

/** A list for a sentence: the first ones, and how many more there are. */
export function firstFew(names: readonly string[], max = 5): string {
  const more = names.length - max
  return more > 0 ? `${names.slice(0, max).join(', ')} and ${more} more` : names.join(', ')
}

/** Problems that the line on unmet requirements names. */
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
