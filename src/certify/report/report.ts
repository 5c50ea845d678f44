/**
 * The report of a certification, as data: what was done, the result of every clause, and what stays at the service. All
 * other forms are made from it.
 */
import { displayText } from '../../core/traffic/redaction/display.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { Clauses } from '../../core/protocol/clause.ts'
import { type MigrationProgress, migrationProgress } from '../procedures/migration/steps.ts'
import {
  type CheckOutcome,
  checkOutcomes,
  type CheckProblem,
  type CheckResult,
  type RelatedClause,
} from '../judge/judge-checks.ts'
import type { Procedure } from '../judge/procedure.ts'
import type { TraceData } from '../../core/rules/checks/trace.ts'

/** A result with what its clause says. */
export interface ReportedResult extends CheckResult {
  /** The sentence of the first clause. */
  readonly says: string
  /** Where it stands: `2 Orders and Indoor: Endpoints`. */
  readonly places: readonly string[]
}

export interface ReportedProcedure {
  readonly name: string
  readonly about: string
  /** Why it was not carried out, or not to its end. */
  readonly skipped?: string
}

/** A contract that the traffic was compared with: an OpenAPI document of the user. */
export interface ReportedContract {
  /** The name of the document. */
  readonly file: string
  /** The role whose host it describes. */
  readonly role: Role
  /** The document and the files that it refers to, with the SHA-256 of each in hexadecimal. */
  readonly files: readonly { readonly name: string; readonly sha256: string }[]
}

export interface CertificationReport {
  /** Version of this form. */
  readonly form: 1
  readonly product: { readonly name: 'sparring'; readonly version: string }
  readonly role: Role
  /** The generation of the protocol in which it was met. */
  readonly speaks: TraceData['speaks']
  /** The service, as it was named. */
  readonly service: string
  readonly capabilities: readonly Capability[]
  readonly seed: number
  /** ISO 8601. */
  readonly startedAt: string
  readonly tookMs: number
  readonly procedures: readonly ReportedProcedure[]
  /** That of the contracts comes last; its clause is `CONTRACT`. */
  readonly results: readonly ReportedResult[]
  readonly contracts?: readonly ReportedContract[]
  readonly counts: Readonly<Record<CheckOutcome, number>>
  /** What is left to do for V2, step by step in the order of a migration. */
  readonly migration: readonly MigrationProgress[]
  /** What stays at the service, in sentences. */
  readonly leftovers: readonly string[]
  /** It ended before its time: why. */
  readonly halted?: string
}

export interface ReportParts {
  readonly version: string
  readonly service: string
  readonly seed: number
  readonly startedAt: number
  readonly tookMs: number
  readonly trace: Pick<TraceData, 'role' | 'speaks' | 'capabilities' | 'skipped'>
  /** The capabilities that the manifest declares; absent without a manifest. */
  readonly declared?: ReadonlySet<string>
  readonly procedures: readonly Procedure[]
  readonly results: readonly CheckResult[]
  readonly contracts?: {
    readonly documents: readonly ReportedContract[]
    readonly result: ReportedResult
  }
  readonly leftovers: readonly string[]
  readonly clauses: Clauses
  readonly halted?: string
}

export const countOutcomes = (
  results: readonly Pick<CheckResult, 'outcome'>[],
): Readonly<Record<CheckOutcome, number>> => {
  const counts = Object.fromEntries(checkOutcomes.map((outcome) => [outcome, 0])) as Record<
    CheckOutcome,
    number
  >
  for (const { outcome } of results) counts[outcome]++
  return counts
}

/** The area of a clause: `ORD` of `ORD-TRA-02`. */
export const areaOf = ({ clause }: Pick<CheckResult, 'clause'>): string =>
  clause.split('-', 1)[0] ?? ''

/** The results of each area, in the order of the areas. */
export function resultsByArea<Result extends Pick<CheckResult, 'clause'>>(
  results: readonly Result[],
): ReadonlyMap<string, readonly Result[]> {
  return Map.groupBy(results, areaOf)
}

function withClause(result: CheckResult, clauses: Clauses): ReportedResult {
  const clause = clauses.get(result.clause)
  return {
    ...result,
    says: clause?.says ?? result.says ?? '',
    places: clause?.sources.map(({ document, chapter }) => `${document}: ${chapter}`) ?? [],
  }
}

export function createReport(parts: ReportParts): CertificationReport {
  const { trace, clauses, contracts } = parts
  const results = [
    ...parts.results.map((each) => withClause(each, clauses)),
    ...(contracts ? [contracts.result] : []),
  ]
  return {
    form: 1,
    product: { name: 'sparring', version: parts.version },
    role: trace.role,
    speaks: trace.speaks,
    service: displayText(parts.service),
    capabilities: trace.capabilities,
    seed: parts.seed,
    startedAt: new Date(parts.startedAt).toISOString(),
    tookMs: Math.round(parts.tookMs),
    procedures: parts.procedures.map(({ name, about }) => {
      const skipped = trace.skipped[name]
      return { name, about, ...(skipped === undefined ? {} : { skipped }) }
    }),
    results,
    ...(contracts ? { contracts: contracts.documents } : {}),
    counts: countOutcomes(results),
    migration: migrationProgress(results, parts.declared),
    leftovers: parts.leftovers,
    ...(parts.halted === undefined ? {} : { halted: parts.halted }),
  }
}

/**
 * Whether the service keeps to the protocol, and to the contracts, as far as was observed: no clause of a MUST is violated.
 */
export const isCertified = ({ counts }: Pick<CertificationReport, 'counts'>): boolean =>
  counts.failed === 0

/** Outcomes as text, without those that did not occur: `12 passed, 1 failed`. */
export const outcomeCountsText = (counts: CertificationReport['counts']): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) =>
      outcome === 'attestation'
        ? `${count} to attest`
        : `${count} ${outcome}${outcome === 'warning' && count > 1 ? 's' : ''}`,
    )
    .join(', ')

/** Whether the service is certified, in words: only for clauses that came up. */
export const verdictText = (report: Pick<CertificationReport, 'counts' | 'halted'>): string =>
  `${report.halted === undefined ? '' : 'incomplete, '}${isCertified(report) ? 'certified as far as seen' : 'not certified'}`

/** In the order of attention: what failed first. */
const attention: readonly CheckOutcome[] = ['failed', 'warning', 'attestation', 'skipped', 'passed']

export const byAttention = (results: readonly ReportedResult[]): readonly ReportedResult[] =>
  attention.flatMap((outcome) => results.filter((each) => each.outcome === outcome))

/** The exchanges of a problem: first the one that went wrong, which is the last of them, then those that led to it. */
export const wrongFirst = ({ exchanges }: Pick<CheckProblem, 'exchanges'>): readonly number[] => [
  ...exchanges.slice(-1),
  ...exchanges.slice(0, -1),
]

/** `ORD-OPS-02 passed`, or that it is not checked. */
export const relatedClauseText = ({ clause, outcome }: RelatedClause): string =>
  `${clause} ${outcome === 'attestation' ? 'to attest' : (outcome ?? 'not checked')}`
