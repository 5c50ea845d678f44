/** The sequence of a migration to V2, and what of it is left to do by the results of a certification (MIG-VER-04). */
import type { CheckResult } from '../../judge/judge-checks.ts'

export interface MigrationStep {
  readonly name: string
  readonly about: string
  /** The capability that it is about, by its name in a manifest; the menu is a module of Merchant. */
  readonly capability?: string
  /** Its clauses, by their beginnings; the longest beginning of all steps counts. */
  readonly clauses: readonly string[]
}

const capabilityStep = (
  title: string,
  clauses: readonly string[],
  modules = '',
): Required<MigrationStep> => {
  const name = title.toLowerCase()
  return { name, about: `the capability ${title}${modules}`, clauses, capability: name }
}

/** In the order that the documents recommend; every clause belongs to one. */
export const migrationSteps: readonly MigrationStep[] = [
  {
    name: 'authentication',
    about: 'the credential model and the scopes',
    clauses: ['AUT', 'MIG-VER-05'],
  },
  {
    name: 'discovery',
    about: 'the manifest, with the versions and capabilities that are supported',
    clauses: ['DIS', 'MIG-VER', 'MIG-UND', 'MIG-ACP'],
  },
  capabilityStep('Merchant', ['MIG-MER']),
  {
    name: 'menu',
    about: 'the menu as a module of Merchant',
    clauses: ['MIG-MNU'],
    capability: 'merchant',
  },
  capabilityStep('Orders', ['ORD', 'MIG-ORD']),
  capabilityStep('Logistics', ['LOG', 'MIG-LOG']),
  capabilityStep(
    'Customer',
    ['CUS', 'REV', 'LOY', 'MIG-CUS', 'MIG-TEN'],
    ', with Reviews and Loyalty',
  ),
  capabilityStep('Indoor', ['IND', 'MIG-IND']),
  {
    name: 'transport',
    about: 'what holds for every capability: transport, statuses, limits',
    clauses: ['TRN', 'LIM'],
  },
]

export type MigrationState = 'done' | 'to do' | 'not seen' | 'not declared'

/** A step, and how far the service has come in it. */
export interface MigrationProgress {
  readonly name: string
  readonly about: string
  /**
   * `to do` when a clause is not kept yet; the third when none of its clauses came up; the last of a capability that the
   * service does not have.
   */
  readonly state: MigrationState
  /** The first clauses of the results that are left to do. */
  readonly left: readonly string[]
  /** How many results show that a clause is kept. */
  readonly kept: number
  /** How many clauses did not come up, or have to be attested. */
  readonly unseen: number
}

/** The step of a clause. */
export function migrationStepOf(clause: string): MigrationStep | undefined {
  const fits = migrationSteps.flatMap((step) =>
    step.clauses
      .filter((beginning) => clause === beginning || clause.startsWith(`${beginning}-`))
      .map((beginning) => ({ step, length: beginning.length })),
  )
  return fits.toSorted((a, b) => b.length - a.length)[0]?.step
}

/** A result that asks for a change. */
const isLeft = ({ outcome }: Pick<CheckResult, 'outcome'>): boolean =>
  outcome === 'failed' || outcome === 'warning'

const isAbsent = (capability: string | undefined, declared?: ReadonlySet<string>): boolean =>
  capability !== undefined && declared !== undefined && !declared.has(capability)

/** How far a service has come towards V2: each step in order, by the results of a certification. */
export function migrationProgress(
  results: readonly Pick<CheckResult, 'clause' | 'outcome'>[],
  /** The capabilities that the manifest declares; undefined without a manifest. */
  declared?: ReadonlySet<string>,
): readonly MigrationProgress[] {
  const byStep = Map.groupBy(results, ({ clause }) => migrationStepOf(clause)?.name)
  return migrationSteps.map(({ name, about, capability }) => {
    const ofStep = byStep.get(name) ?? []
    const left = ofStep.filter(isLeft).map(({ clause }) => clause)
    const kept = ofStep.filter(({ outcome }) => outcome === 'passed').length
    return {
      name,
      about,
      state:
        left.length > 0
          ? 'to do'
          : isAbsent(capability, declared)
            ? 'not declared'
            : kept > 0
              ? 'done'
              : 'not seen',
      left,
      kept,
      unseen: ofStep.length - left.length - kept,
    }
  })
}
