/** Certifies a service in a session: carries out what the checks need, and judges the traffic. */
import type { AttestedClause, Check, UncheckedClause } from './check.ts'
import { type CheckResult, judgeTrace } from './judge-checks.ts'
import type { Procedure } from './procedure.ts'
import { type ProcedureRunOptions, runProcedures } from './run-procedures.ts'
import { createTrace, type TraceData } from './trace.ts'

export interface CertificationOptions extends Omit<ProcedureRunOptions, 'procedures'> {
  readonly checks: readonly Check[]
  readonly unchecked: readonly (UncheckedClause | AttestedClause)[]
  /** All procedures; those that no check needs are left out. */
  readonly procedures: readonly Procedure[]
}

export interface Certification {
  readonly trace: TraceData
  readonly results: readonly CheckResult[]
  /** What stays at the service. */
  readonly leftovers: readonly string[]
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
  const { checks, unchecked, role } = options
  const procedures = neededProcedures(checks, options.procedures, role)
  const { trace, leftovers } = await runProcedures({
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
  const results = judgeTrace(createTrace(trace), {
    checks,
    procedures: options.procedures,
    unchecked,
  })
  return { trace, results, leftovers }
}
