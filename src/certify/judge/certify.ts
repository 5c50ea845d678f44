/** Certifies a service in a session: carries out what the checks need, and judges the traffic. */
import type { Check } from '../../core/rules/checks/check.ts'
import type { CertificationCatalogue } from './catalogue.ts'
import { type CheckResult, judgeTrace } from './judge-checks.ts'
import type { Procedure } from './procedure.ts'
import { type ProcedureRunOptions, runProcedures } from './run-procedures.ts'
import { createTrace, type TraceData } from '../../core/rules/checks/trace.ts'
import { problem } from '../../core/base/problem.ts'
import { operations } from '../../core/protocol/catalogue.ts'
import { parseManifest } from '../../core/protocol/discovery/parse-manifest.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { Role } from '../../core/protocol/role.ts'

/** `an ordering-application`, `a crm`. */
export const aRole = (role: Role): string => `${role.startsWith('o') ? 'an' : 'a'} ${role}`

/** Capabilities that every service has. */
const always = ['discovery', 'auth'] as const satisfies readonly Capability[]

/** The capabilities that a role may have. */
export const capabilitiesOfRole = (role: Role): readonly Capability[] => [
  ...new Set(
    operations.flatMap(({ capability, hosts, callers }) =>
      hosts.includes(role) || callers.includes(role) ? [capability] : [],
    ),
  ),
]

/** The capabilities of a role that a manifest declares; all of them where it is unreadable. */
export function declaredCapabilities(manifest: unknown, role: Role): readonly Capability[] {
  const possible = capabilitiesOfRole(role)
  const parsed = parseManifest(manifest)
  if (!parsed.ok) return possible
  return possible.filter(
    (each) =>
      (always as readonly Capability[]).includes(each) ||
      Object.hasOwn(parsed.value.capabilities, each),
  )
}

/** Whether a clause is of a selection: by its beginning, `ORD`, `ORD-TRA` or `ORD-TRA-02`. Everything without one. */
export const isSelectedClause = (clause: string, only: readonly string[] = []): boolean =>
  only.length === 0 ||
  only.some((each) => clause === each.toUpperCase() || clause.startsWith(`${each.toUpperCase()}-`))

export const selectChecks = (
  checks: readonly Check[],
  only: readonly string[] = [],
): readonly Check[] =>
  checks.filter(({ clauses }) => clauses.some((each) => isSelectedClause(each, only)))

/** The beginnings of clauses that are checked, such as ORD-EVT: those of the same document and capability where there are any. */
function familiesNear(wrong: string, checks: readonly Check[]): readonly string[] {
  const all = checks.flatMap(({ clauses }) => clauses.map((id) => id.split('-')))
  const near = all.filter(([first]) => first === wrong.split('-')[0])
  const families = (near.length > 0 ? near : all).map(([first, second]) =>
    near.length > 0 ? `${first}-${second}` : (first ?? ''),
  )
  return [...new Set(families)].toSorted()
}

/**
 * Beginnings of clauses that select no check of this role, but of another.
 * @throws Problem where no role has one, or none of this role is left.
 */
export function foreignClauses(
  named: readonly string[],
  { role, checks, attempted }: { role: Role; checks: readonly Check[]; attempted: string },
): readonly string[] {
  const ofRole = checks.filter(({ roles }) => roles.includes(role))
  const foreign = named.filter((each) => selectChecks(ofRole, [each]).length === 0)
  const unknown = foreign.find((each) => selectChecks(checks, [each]).length === 0)
  const wrong = unknown ?? (foreign.length === named.length ? foreign[0] : undefined)
  if (wrong !== undefined)
    throw problem(
      attempted,
      `no clause that is checked for ${aRole(role)} begins with "${wrong}"`,
      `Those of ${familiesNear(wrong, ofRole).join(', ')} are.`,
    )
  return foreign
}

/** Of all procedures those that no check needs are left out. */
export interface CertificationOptions
  extends Omit<ProcedureRunOptions, 'procedures'>, CertificationCatalogue {}

export interface Certification {
  readonly trace: TraceData
  readonly results: readonly CheckResult[]
  /** What stays at the service. */
  readonly leftovers: readonly string[]
  readonly goneIn?: string | undefined
}

/** The procedures that checks for a role need, in their order. */
export function neededProcedures(
  checks: readonly Check[],
  all: readonly Procedure[],
  role: Procedure['roles'][number],
): readonly Procedure[] {
  const names = new Set(
    checks.flatMap((check) => (check.roles.includes(role) ? check.procedures : [])),
  )
  return all.filter(({ name, roles }) => names.has(name) && roles.includes(role))
}

export async function certifyInSession(options: CertificationOptions): Promise<Certification> {
  const { checks, role } = options
  const procedures = neededProcedures(checks, options.procedures, role)
  const { trace, leftovers, goneIn } = await runProcedures({
    ...options,
    procedures,
    clausesOf: (name) => [
      ...new Set(
        checks.flatMap((check) =>
          check.roles.includes(role) && check.procedures.includes(name) ? check.clauses : [],
        ),
      ),
    ],
  })
  const results = judgeTrace(createTrace(trace), options)
  return { trace, results, leftovers, goneIn }
}
