/** Everything about a certification that is known before it begins; what cannot be meant is rejected here. */
import { resolve } from 'node:path'
import { CertificationData } from '../judge/certification-data.ts'
import { aRole, capabilitiesOfRole, foreignClauses, neededProcedures } from '../judge/certify.ts'
import { type CertificationCatalogue, catalogueOf } from '../judge/catalogue.ts'
import { v1Roles } from '../../core/rules/checks/migration/v1-authentication.ts'
import { selectedCatalogue } from '../session/certify-service.ts'
import { compact } from '../../core/base/compact.ts'
import type {
  Configuration,
  ConfigurationInput,
} from '../../core/session-api/configuration/schema.ts'
import { readDataFile } from '../../core/runtime/files/data-file.ts'
import { checkSchema, schemaErrorsText } from '../../core/runtime/files/schema-errors.ts'
import { problem } from '../../core/base/problem.ts'
import { findClosestName } from '../../core/protocol/closest-name.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { Role } from '../../core/protocol/role.ts'
import { isAllowedTarget } from '../../terminal/cli/allowed-target.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { readConfigurationAndFlags } from '../../terminal/cli/session-options.ts'
import type { CertifyFlags } from './certify-flags.ts'

export interface CertificationPlan {
  /** From flags and configuration file, without faults. */
  readonly base: ConfigurationInput
  readonly configuration: Configuration
  readonly role: Role
  readonly url: string
  /** Clauses by their beginnings; all when absent. */
  readonly clauses?: readonly string[]
  /** Those of `--profile`; the manifest says them when absent. */
  readonly capabilities?: readonly Capability[]
  readonly data: CertificationData
}

const attempted = 'certifying a service'

/** The checks of a plan, and the procedures that they need. */
export function plannedCatalogue({
  role,
  clauses,
  configuration,
}: CertificationPlan): CertificationCatalogue {
  const selected = selectedCatalogue(clauses, configuration.conduct.speaks)
  const checks = selected.checks.filter(({ roles }) => roles.includes(role))
  return { ...selected, checks, procedures: neededProcedures(checks, selected.procedures, role) }
}

const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

function capabilitiesNamed(text: string, role: Role): readonly Capability[] {
  const possible = capabilitiesOfRole(role)
  return [
    ...new Set([
      ...possible.filter((each) => each === 'discovery' || each === 'auth'),
      ...listOf(text).map((name) => {
        const found = possible.find((each) => each === name.toLowerCase())
        if (found !== undefined) return found
        const near = findClosestName(name, possible)
        throw problem(
          'reading --profile',
          `${aRole(role)} has no capability "${name}"`,
          near === undefined ? `It may have ${possible.join(', ')}.` : `Did you mean "${near}"?`,
        )
      }),
    ]),
  ]
}

/** Clauses of other roles are left out, as long as one is left. */
async function clausesNamed(
  text: string,
  role: Role,
  { checks }: CertificationCatalogue,
  { stderr }: Io,
): Promise<readonly string[]> {
  const named = listOf(text).map((each) => each.toUpperCase())
  const foreign = foreignClauses(named, { role, checks, attempted: 'reading --only' })
  for (const each of foreign)
    await printLine(
      stderr,
      `sparring: no clause of ${each} is checked for ${aRole(role)}: left out`,
    )
  return named.filter((each) => !foreign.includes(each))
}

async function dataOf(file: string | undefined, { cwd }: Io): Promise<CertificationData> {
  if (file === undefined) return CertificationData.parse({})
  const what = `reading ${file}`
  const { value, error, locationOf } = await readDataFile(
    file,
    resolve(cwd, file),
    'data of a service',
  )
  if (error)
    throw problem(
      what,
      `${error.message} (line ${error.place.line}, column ${error.place.column})`,
      'Correct it.',
    )
  const checked = checkSchema(CertificationData, value ?? {}, 'the data')
  if (checked.ok) return checked.value
  const located = checked.error.map((each) => {
    const place = locationOf(each.path, each.which)
    return place ? { ...each, wrong: `line ${place.line}: ${each.wrong}` } : each
  })
  throw problem(what, schemaErrorsText(located), '')
}

function targetOf({ url, 'allow-target': allowed }: CertifyFlags, configured?: string): string {
  const target = url ?? configured
  if (target === undefined)
    throw problem(
      attempted,
      'its URL is not given',
      'Write sparring certify http://127.0.0.1:3000.',
    )
  const parsed = URL.canParse(target) ? new URL(target) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw problem(attempted, `"${target}" is no URL`, 'Write it like http://127.0.0.1:3000.')
  if (isAllowedTarget(parsed, allowed)) return target
  throw problem(
    `certifying ${target}`,
    `${parsed.hostname} is not this machine, and its orders and data are changed`,
    `If that is meant, say --allow-target ${parsed.hostname}.`,
  )
}

export async function planCertification(flags: CertifyFlags, io: Io): Promise<CertificationPlan> {
  const { url: _url, profile, only, ...sessionFlags } = flags
  const resolved = await readConfigurationAndFlags(sessionFlags, io.cwd)
  const { faults: _faults, recording: _recording, ...base } = resolved.input
  const { configuration } = resolved
  const url = targetOf(flags, configuration.subject.url)
  const { role } = configuration.subject
  if (role === undefined)
    throw problem(
      `certifying ${url}`,
      'nothing says which role it plays',
      'Say it with --as software-service, ordering-application, delivery-platform or crm.',
    )
  const { speaks } = configuration.conduct
  if (speaks === 'v1' && !v1Roles.some((each) => each === role))
    throw problem(
      `certifying ${url}`,
      `V1 has no ${role}`,
      `It has an ordering-application and a software-service.`,
    )
  return {
    base,
    configuration,
    role,
    url,
    data: await dataOf(flags.data, io),
    ...compact({
      capabilities: profile === undefined ? undefined : capabilitiesNamed(profile, role),
      clauses:
        only === undefined ? undefined : await clausesNamed(only, role, catalogueOf(speaks), io),
    }),
  }
}
