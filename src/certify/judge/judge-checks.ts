/** Judges a trace by the checks: a pure function, so that a verdict can be computed again from a recording. */
import { compact } from '../../core/base/compact.ts'
import type { CertificationCatalogue } from './catalogue.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import { endedEarly } from './procedure.ts'
import { type ViolatedRule, violatedRulesIn } from './broken-rules.ts'
import {
  levelOf,
  type AttestedClause,
  type Check,
  type Level,
  type Observation,
  type UncheckedClause,
} from '../../core/rules/checks/check.ts'
import type { Trace } from '../../core/rules/checks/trace.ts'

/** `attestation`: no traffic shows it, a person has to confirm it. */
export const checkOutcomes = ['passed', 'failed', 'warning', 'skipped', 'attestation'] as const
export type CheckOutcome = (typeof checkOutcomes)[number]

export interface CheckProblem {
  readonly text: string
  /** Numbers of the exchanges that show it. */
  readonly exchanges: readonly number[]
  readonly isNotice?: true
  /** How often it occurred; once when absent. */
  readonly times?: number
  /** Of a difference from a contract: the clauses that say something about the same. */
  readonly clauses?: readonly RelatedClause[]
}

/** A clause with its outcome in the same certification; absent where it is not checked. */
export interface RelatedClause {
  readonly clause: string
  readonly outcome?: CheckOutcome
}

export interface CheckResult {
  /** The first clause of the check; the id of a rule that stands beside the clauses. */
  readonly clause: string
  readonly clauses: readonly string[]
  readonly level: Level
  readonly outcome: CheckOutcome
  /** How often the clause came up. */
  readonly occasions: number
  /** Numbers of exchanges that show that it is kept. */
  readonly evidence: readonly number[]
  /** Different problems, each with its first occasion. */
  readonly problems: readonly CheckProblem[]
  /** Why it was skipped; the question that a person has to answer, or why no check shows it. */
  readonly why?: string
  readonly remedy?: string
  /** The sentence of a rule that is about no clause of the report. */
  readonly says?: string
  /** The clause whose result shows each of its problems already: one mistake, blamed there. */
  readonly under?: string
}

/** Exchanges that are named as evidence at most. */
const maxEvidence = 5
/** Different problems that are reported at most. */
const maxProblems = 10

const numbersOf = ({ exchanges }: Observation): readonly number[] => exchanges.map(({ seq }) => seq)

/** What tells problems apart: the place of a time that is wrong, and not its value, which is another one each time. */
const problemKey = (text: string): string =>
  text.includes('a date and a time')
    ? text.replaceAll(/"(?:[^"\\]|\\.)*"|\d{6,}|(?<=\/)\d+(?=\/)/g, '*')
    : text

function problemsOf(observations: readonly Observation[]): readonly CheckProblem[] {
  const found = new Map<string, CheckProblem>()
  for (const each of observations) {
    if (each.problem === undefined) continue
    const key = problemKey(each.problem)
    const known = found.get(key)
    if (known) found.set(key, { ...known, times: (known.times ?? 1) + 1 })
    else if (found.size < maxProblems)
      found.set(key, {
        text: each.problem,
        exchanges: numbersOf(each),
        ...compact({ isNotice: each.isNotice }),
      })
  }
  return [...found.values()]
}

/** Why a check has observed nothing. */
function whyNotObserved({ procedures, whyUnobserved }: Check, { skipped, form }: Trace): string {
  const reasons = procedures.flatMap((name) => {
    const why = skipped[name]
    return why === undefined ? [] : [`${name}: ${why}`]
  })
  if (reasons.length > 0) return reasons.join('; ')
  const beside = form ? `, or ${form.name} has no place for it` : ''
  return `${whyUnobserved ?? 'it did not come up in the traffic'}${beside}`
}

/** The service may only have had no time for what the check blames it for. */
const isCutOff = ({ procedures, assertion }: Check, { skipped }: Trace): boolean =>
  !assertion.isWhollyLive &&
  procedures.some((name) => Object.values<string | undefined>(endedEarly).includes(skipped[name]))

const missingCapability = (
  needs: readonly Capability[] = [],
  { capabilities }: Trace,
): Capability | undefined => needs.find((each) => !capabilities.includes(each))

/** A problem in the words of the wire. */
const inDialect = (each: Observation, { form }: Trace): Observation =>
  form && each.problem !== undefined
    ? {
        ...each,
        problem: form.problem(
          each.problem,
          each.exchanges.map(({ operation }) => operation),
        ),
      }
    : each

const isViolated = (level: Level, problems: readonly Pick<CheckProblem, 'isNotice'>[]): boolean =>
  level === 'MUST' && problems.some(({ isNotice }) => !isNotice)

export function judgeCheck(check: Check, trace: Trace): CheckResult {
  const { clauses, noticeRemedy } = check
  const level = levelOf(check)
  const about = { clause: clauses[0], clauses, level }
  const missing = missingCapability(check.needs, trace)
  if (missing !== undefined)
    return {
      ...about,
      outcome: 'skipped',
      occasions: 0,
      evidence: [],
      problems: [],
      why: `the service does not declare ${missing}`,
    }
  const all = [...check.assertion(trace)].map((each) => inDialect(each, trace))
  const observations = isCutOff(check, trace)
    ? all.filter(({ problem }) => problem === undefined)
    : all
  const problems = problemsOf(observations)
  const isFailed = isViolated(level, problems)
  const isNoticed = problems.every(({ isNotice }) => isNotice)
  const remedy = (isNoticed ? noticeRemedy : undefined) ?? check.remedy
  const outcome: CheckOutcome =
    observations.length === 0
      ? 'skipped'
      : isFailed
        ? 'failed'
        : problems.length > 0
          ? 'warning'
          : 'passed'
  return {
    ...about,
    outcome,
    occasions: observations.length,
    evidence: [
      ...new Set(observations.filter(({ problem }) => problem === undefined).flatMap(numbersOf)),
    ].slice(0, maxEvidence),
    problems,
    ...(outcome === 'skipped' ? { why: whyNotObserved(check, trace) } : {}),
    ...(problems.length > 0 ? { remedy } : {}),
  }
}

const attestationResult = (clauseOf: UncheckedClause | AttestedClause): CheckResult => ({
  clause: clauseOf.clause,
  clauses: [clauseOf.clause],
  level: levelOf({ clauses: [clauseOf.clause], ...clauseOf }),
  outcome: 'attestation',
  occasions: 0,
  evidence: [],
  problems: [],
  why: 'question' in clauseOf ? clauseOf.question : clauseOf.why,
})

/** The trace as a check sees it: without the wrong calls of procedures that it does not name. */
function createViews(
  trace: Trace,
  procedures: CertificationCatalogue['procedures'],
): (check: Pick<Check, 'procedures'>) => Trace {
  const misuses = procedures.flatMap(({ name, isMisuse }) => (isMisuse ? [name] : []))
  const views = new Map<string, Trace>()
  return (check) => {
    const hidden = misuses.filter((each) => !check.procedures.includes(each))
    const key = hidden.join(' ')
    const view = views.get(key) ?? trace.without(hidden)
    views.set(key, view)
    return view
  }
}

/** A clause is violated when rules say so, whatever its check has looked at. */
function withRules(result: CheckResult, broken: readonly ViolatedRule[]): CheckResult {
  if (broken.length === 0) return result
  const { why: _why, ...rest } = result
  const found = broken.flatMap(({ problems }) => problems)
  const isFailed = isViolated(result.level, found)
  return {
    remedy: broken.map(({ remedy }) => remedy).join(' '),
    ...rest,
    outcome: isFailed || result.outcome === 'failed' ? 'failed' : 'warning',
    occasions: broken.reduce((sum, { premises }) => sum + premises, result.occasions),
    problems: [...result.problems, ...found],
  }
}

/** A rule that is about no clause of the report stands beside them; it does not fail a selection of clauses. */
const ruleResult = ({ id, sentence }: ViolatedRule, isSelection: boolean): CheckResult => ({
  clause: id,
  clauses: [id],
  level: isSelection ? 'SHOULD' : 'MUST',
  outcome: 'passed',
  occasions: 0,
  evidence: [],
  problems: [],
  says: sentence,
})

/**
 * The same problem by its sentence and its exchanges, or by several exchanges alone: a pre-close and the read that
 * contradicts it are one mistake, while one manifest may have two.
 */
const sameProblem = ({ text, exchanges }: CheckProblem): readonly string[] => [
  `${text} ${exchanges.join()}`,
  ...(exchanges.length > 1 ? [exchanges.join()] : []),
]

/** Puts each result that shows nothing else under the first that is blamed, failures before warnings. */
function underFirst(results: readonly CheckResult[]): readonly CheckResult[] {
  const blamed: { readonly clause: string; readonly keys: ReadonlySet<string> }[] = []
  const under = new Map<string, string>()
  for (const outcome of ['failed', 'warning'] as const)
    for (const result of results.filter((each) => each.outcome === outcome)) {
      const { clause, problems } = result
      const keys = problems.map(sameProblem)
      const first = blamed.find((each) =>
        keys.every((ofProblem) => ofProblem.some((key) => each.keys.has(key))),
      )
      if (first) under.set(clause, first.clause)
      else blamed.push({ clause, keys: new Set(keys.flat()) })
    }
  return results.map((each) => ({ ...each, ...compact({ under: under.get(each.clause) }) }))
}

/**
 * The results of all checks, and of the clauses without one, for the role of the service, by clause; and those of rules
 * that failed and are about none of them.
 */
export function judgeTrace(
  trace: Trace,
  { checks, procedures, unchecked, isSelection = false }: CertificationCatalogue,
): readonly CheckResult[] {
  const viewOf = createViews(trace, procedures)
  const results = [
    ...checks
      .filter(({ roles }) => roles.includes(trace.role))
      .map((each) => judgeCheck(each, viewOf(each))),
    ...unchecked.filter(({ roles }) => roles.includes(trace.role)).map(attestationResult),
  ]
  const broken = violatedRulesIn(trace, viewOf({ procedures: [] }), results)
  const beside = broken
    .filter(({ clause, id }) => clause === id)
    .map((rule) => ruleResult(rule, isSelection))
  const judged = [...results, ...beside]
    .map((result) =>
      withRules(
        result,
        broken.filter(({ clause }) => result.clauses.includes(clause)),
      ),
    )
    .sort((a, b) => (a.clause < b.clause ? -1 : a.clause > b.clause ? 1 : 0))
  return underFirst(judged)
}
