/** The result of a certification's contracts: what in the traffic differs from them, as one more rule of its report. */
import type { CheckProblem, CheckResult, RelatedClause } from '../judge/judge-checks.ts'
import type { ReportedContract, ReportedResult } from '../report/report.ts'
import type { TraceData } from '../../core/rules/checks/trace.ts'
import { compact } from '../../core/base/compact.ts'
import type { Contract } from '../../core/rules/contract/contract.ts'
import type { ContractJudge } from '../../core/rules/contract/contract-judge.ts'
import { contractHashes } from '../../core/runtime/files/stored-contract.ts'
import { contractRuleId } from '../../core/rules/invariants/verdict.ts'
import { fullRoleName } from '../../core/protocol/role.ts'
import { bodyTranslator } from '../../core/protocol/translation/translator.ts'
import { documentForm } from '../../core/rules/checks/document-form.ts'
import { isOfItsParties } from '../../core/traffic/log.ts'
import { servicePaths } from '../../core/session/contracts.ts'

export interface ContractedTraffic {
  readonly trace: TraceData
  /** The service in reports: its URL. */
  readonly service: string
  /** The results of the clauses. */
  readonly results: readonly CheckResult[]
}

/** Exchanges that show that a contract is kept, at most. */
const maxEvidence = 5

type Difference = ReturnType<ContractJudge['differences']>[number]

/** The clauses that say something about the same, and those whose problems the same exchanges show. */
function relatedClauses(
  { clauses, exchanges }: Difference,
  results: readonly CheckResult[],
): readonly RelatedClause[] {
  const shown = new Set(exchanges)
  const violated = results.filter(({ problems }) =>
    problems.some((each) => each.exchanges.some((seq) => shown.has(seq))),
  )
  const all = new Set([...clauses, ...violated.map(({ clause }) => clause)])
  return [...all].map((clause) => {
    const outcome = results.find((each) => each.clauses.includes(clause))?.outcome
    return { clause, ...compact({ outcome }) }
  })
}

function problemOf(difference: Difference, results: readonly CheckResult[]): CheckProblem {
  const { text, exchanges, isAdvice, count } = difference
  const clauses = relatedClauses(difference, results)
  return {
    text,
    exchanges,
    ...(isAdvice ? { isNotice: true } : {}),
    ...(count > 1 ? { times: count } : {}),
    ...(clauses.length > 0 ? { clauses } : {}),
  }
}

export const reportedContract = (contract: Contract): ReportedContract => ({
  file: contract.file,
  role: contract.role,
  files: contractHashes(contract),
})

/** Compares the exchanges of a trace with the contracts. */
export async function contractResult(
  contracts: readonly Contract[],
  { trace, service, results }: ContractedTraffic,
): Promise<ReportedResult> {
  // Loaded only where there are any.
  const { ContractJudge } = await import('../../core/rules/contract/contract-judge.ts')
  const form = documentForm(trace.dialect)
  const judge = new ContractJudge({
    contracts,
    bases: servicePaths(service),
    hasService: true,
    translator: form && bodyTranslator(form.conduct),
    isProbe: ({ seq }) => trace.steps[seq] !== undefined,
    onBug(error) {
      throw error
    },
  })
  const exchanges = trace.exchanges.filter(isOfItsParties)
  for (const each of exchanges) judge.exchange(each, { began: each.startedAt })
  const { sentence, remedy, premises } = judge.verdict()
  const problems = judge.differences().map((each) => problemOf(each, results))
  const roles = new Set(contracts.map(({ role }) => role))
  const judged = exchanges.filter(({ to }) => roles.has(to.role)).map(({ seq }) => seq)
  return {
    clause: contractRuleId,
    clauses: [contractRuleId],
    level: 'MUST',
    outcome:
      premises === 0
        ? 'skipped'
        : problems.some(({ isNotice }) => !isNotice)
          ? 'failed'
          : problems.length > 0
            ? 'warning'
            : 'passed',
    occasions: premises,
    evidence: problems.length > 0 ? [] : judged.slice(0, maxEvidence),
    problems,
    says: `${sentence}.`,
    places: contracts.map(({ file, role }) => `${file}: ${fullRoleName[role]}`),
    ...(premises === 0 ? { why: 'no call was made to a host that the document describes' } : {}),
    ...(problems.length > 0 ? { remedy } : {}),
  }
}
