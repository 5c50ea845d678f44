/** `--plan`: what a certification would do, what it needs, and which clauses it would show. */
import { neededProcedures } from '../judge/certify.ts'
import { capabilitiesOfRole } from '../judge/selection.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { fullRoleName } from '../../core/protocol/role.ts'
import { loadContracts } from '../../core/session/contracts.ts'
import { type Io, printJson, printLine } from '../../terminal/cli/io.ts'
import { type CertificationPlan, plannedCatalogue } from './certification-plan.ts'

interface PlannedProcedure {
  readonly name: string
  readonly about: string
  readonly needs: readonly string[]
  /** What has to be done at the service. */
  readonly wishes: readonly string[]
  readonly changes: string
  readonly clauses: readonly string[]
}

export function plannedProcedures(plan: CertificationPlan): readonly PlannedProcedure[] {
  const certified = plan.capabilities ?? capabilitiesOfRole(plan.role)
  const planned = plannedCatalogue(plan)
  const checks = planned.checks.filter(({ needs = [] }) =>
    needs.every((need) => certified.includes(need)),
  )
  return neededProcedures(checks, planned.procedures, plan.role)
    .filter(({ needs = [] }) => needs.every((need) => certified.includes(need)))
    .map(({ name, about, needs = [], actions = [], changes = 'nothing' }) => ({
      name,
      about,
      needs,
      wishes: actions,
      changes,
      clauses: checks.flatMap((each) => (each.procedures.includes(name) ? each.clauses : [])),
    }))
}

export async function printPlan(plan: CertificationPlan, isJson: boolean, io: Io): Promise<void> {
  const planned = plannedProcedures(plan)
  const loaded = await loadContracts(plan.configuration, io.cwd)
  const contracts = loaded.map(({ file, role }) => ({ file, role }))
  if (isJson)
    return printJson(io, {
      role: plan.role,
      service: plan.url,
      procedures: planned,
      ...(contracts.length > 0 ? { contracts } : {}),
    })
  const clauses = new Set(planned.flatMap((each) => each.clauses))
  await printLine(
    io.stdout,
    `certifying ${plan.url} as ${plan.role}: ${pluralise(planned.length, 'procedure')} for ${pluralise(clauses.size, 'clause')}`,
  )
  for (const { file, role } of contracts)
    await printLine(io.stdout, `compares the exchanges with ${file}: ${fullRoleName[role]}`)
  for (const each of planned) {
    await printLine(io.stdout, `\n${each.name}: ${each.about}`)
    if (each.wishes.length > 0)
      await printLine(io.stdout, `  needs at the service: ${each.wishes.join('; ')}`)
    await printLine(io.stdout, `  changes at the service: ${each.changes}`)
    await printLine(io.stdout, `  shows: ${[...new Set(each.clauses)].join(' ')}`)
  }
}
