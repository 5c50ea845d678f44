/**
 * What to try next: which rules a service has not shown to keep, and which kinds of failures it has never met. The kinds
 * are rows of failure-kinds.json, each with a story, a mistake that it catches, the rule, and what a right service does.
 */
import type { Verdict } from './invariants/verdict.ts'
import { operations } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import rows from './failure-kinds.json' with { type: 'json' }

export interface IntegrationFailure {
  readonly group: string
  readonly kind: string
  /** The scenario that provokes it. */
  readonly scenario: string
  /** The defect of the demo that shows it. */
  readonly defect: string
  readonly rule: string
  /** A fault that provokes it in a session that runs. */
  readonly fault: string
  /** What a right service does. */
  readonly right: string
}

export const integrationFailures: readonly IntegrationFailure[] = rows

/** A rule that applies to the service, and what it lacks in this session. */
interface JudgedRule {
  readonly id: string
  readonly isExercised: boolean
  readonly needs?: readonly string[] | undefined
}

export interface Suggestions {
  readonly exercised: readonly string[]
  readonly notExercised: readonly string[]
  /** Settings without which rules cannot be exercised, with those rules. */
  readonly needs: Readonly<Record<string, readonly string[]>>
  readonly met: readonly string[]
  readonly notMet: readonly string[]
  readonly next: readonly IntegrationFailure[]
}

const nameOf = (fault: string): string => fault.split(':', 1)[0] ?? fault

/** Faults whose options say what is met; of the others any does. */
const countsByOption: ReadonlySet<string> = new Set(['odd-order', 'evolve', 'crash', 'ghost'])

/** At most so many suggestions; each is another fault, and none ends the process, which not every session can. */
const maxSuggestions = 5

/** What a session has shown of each rule. */
export const judgedRules = (
  verdicts: readonly Pick<Verdict, 'id' | 'premises' | 'needs'>[],
): readonly JudgedRule[] =>
  verdicts.map(({ id, premises, needs }) => ({ id, isExercised: premises > 0, needs }))

/** The faults that have fired in a session, as they were written. */
export const firedFaults = (
  faults: readonly { readonly text: string; readonly fired: number }[],
): readonly string[] => faults.flatMap(({ text, fired }) => (fired > 0 ? [text] : []))

/** Whether a fault acts on what a service of this role calls or gets: events of orders go to the Software Service. */
function actsOnRole(fault: string, role: Role): boolean {
  const [, named] = /operation=(\w+)/.exec(fault) ?? []
  if (named === undefined) return role === 'software-service' || !fault.includes('event=')
  return operations.some(({ id, callers }) => id === named && callers.includes(role))
}

/** From the rules of a session, the faults that have fired in it, and the role of the service. */
export function suggest(
  rules: readonly JudgedRule[],
  fired: readonly string[],
  role: Role = 'software-service',
): Suggestions {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const known = integrationFailures.filter(
    ({ rule, fault }) => byId.has(rule) && actsOnRole(fault, role),
  )
  const isMet = ({ fault, rule }: IntegrationFailure): boolean =>
    fired.includes(fault) ||
    (!countsByOption.has(nameOf(fault)) &&
      byId.get(rule)?.isExercised === true &&
      fired.some((each) => nameOf(each) === nameOf(fault)))
  const open = known.filter((kind) => !isMet(kind))
  const rank = ({ rule }: IntegrationFailure): number => {
    const { isExercised, needs } = byId.get(rule) ?? { isExercised: true }
    return isExercised ? 1 : needs ? 2 : 0
  }
  const next: IntegrationFailure[] = []
  const isNew = ({ fault }: IntegrationFailure): boolean =>
    !next.some((each) => nameOf(each.fault) === nameOf(fault))
  for (const kind of open.toSorted((one, other) => rank(one) - rank(other)))
    if (next.length < maxSuggestions && isNew(kind) && nameOf(kind.fault) !== 'crash')
      next.push(kind)
  const idsOf = (isExercised: boolean): readonly string[] =>
    rules.filter((rule) => rule.isExercised === isExercised).map(({ id }) => id)
  const lacking = Map.groupBy(
    rules.filter(({ isExercised, needs }) => !isExercised && needs !== undefined),
    ({ needs = [] }) => needs.join(' or '),
  )
  return {
    exercised: idsOf(true),
    notExercised: idsOf(false),
    needs: Object.fromEntries([...lacking].map(([need, all]) => [need, all.map(({ id }) => id)])),
    met: known.filter(isMet).map(({ kind }) => kind),
    notMet: open.map(({ kind }) => kind),
    next,
  }
}
