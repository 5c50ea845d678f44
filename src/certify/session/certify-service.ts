/** Certifies a service in a session: reads its manifest, carries out the procedures, judges their traffic, reports. */
import { catalogueOf, type CertificationCatalogue } from '../judge/catalogue.ts'
import { CertificationData } from '../judge/certification-data.ts'
import {
  certifyInSession,
  declaredCapabilities,
  foreignClauses,
  isSelectedClause,
  neededProcedures,
  selectChecks,
} from '../judge/certify.ts'
import type { CheckResult } from '../judge/judge-checks.ts'
import type { ProcedureRunOptions } from '../judge/run-procedures.ts'
import { type CertificationReport, createReport } from '../report/report.ts'
import { createTrace, type Trace, type TraceData } from '../../core/rules/checks/trace.ts'
import { capabilitiesIn, lastManifest } from '../../core/rules/checks/transport/manifests.ts'
import { compact } from '../../core/base/compact.ts'
import type { Contract } from '../../core/rules/contract/contract.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import { checkSchema, schemaErrorsText } from '../../core/runtime/files/schema-errors.ts'
import { problem } from '../../core/base/problem.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import { type Role, roleNamed, roleNamesText, roles } from '../../core/protocol/role.ts'
import { shortValue } from '../../core/protocol/issue-text.ts'
import { abortableSleep } from '../../core/runtime/clock/clock.ts'
import type { CertifyOptions, CertifyRequest } from './certify-options.ts'
import type { ContractedTraffic } from './contract-result.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import { prepareSession } from '../../core/session/session.ts'
import type { PreparedSession } from '../../core/session/types.ts'

type CounterpartSettings = NonNullable<SessionOptions['counterparts']>

/** Settings of our counterparts by the role of the service, where nothing else is configured. */
const usual: Readonly<Record<Role, CounterpartSettings>> = {
  // What our Software Service declares that it takes.
  'ordering-application': { 'ordering-application': { channel: 'both' }, crm: { mode: 'hybrid' } },
  'software-service': { 'ordering-application': { channel: 'both' } },
  'delivery-platform': {},
  crm: { crm: { mode: 'hybrid' } },
}

/** What a procedure does itself they never do of their own accord, whatever is configured. */
const fixed: Readonly<Record<Role, CounterpartSettings>> = {
  'ordering-application': { 'software-service': { behaviour: 'passive' } },
  'software-service': { 'ordering-application': { behaviour: 'passive', deliveries: false } },
  'delivery-platform': {},
  crm: {},
}

/** How our counterparts behave while a service is certified. */
export const certificationCounterparts = (
  role: Role,
  configured: CounterpartSettings = {},
): CounterpartSettings =>
  Object.fromEntries(
    roles.map((each) => [
      each,
      { ...usual[role][each], ...configured[each], ...fixed[role][each] },
    ]),
  )

/** Protocol options: couriers of our platform ride fast, since no clause binds their pace. */
export const certificationConduct = { logistics: { pace: 600 } } as const

/** What is said of the service that is certified. */
export interface CertifiedService {
  readonly role: Role
  /** The service in reports: its URL. */
  readonly name: string
  readonly seed: number
}

/** The contracts with their result; nothing without any. */
async function contractsOf(contracts: readonly Contract[], traffic: ContractedTraffic) {
  if (contracts.length === 0) return undefined
  const { contractResult, reportedContract } = await import('./contract-result.ts')
  return {
    documents: contracts.map(reportedContract),
    result: await contractResult(contracts, traffic),
  }
}

/** A report, and what it was computed from. */
export interface CertifiedTraffic {
  readonly report: CertificationReport
  readonly trace: TraceData
}

const notAsked = async (): Promise<{ readonly why: string }> => ({
  why: 'it has to be done at the service, and no function ask is given',
})

/** What is selected, for a service of this generation of the protocol. */
export function selectedCatalogue(
  only: readonly string[] | undefined,
  speaks: TraceData['speaks'],
): CertificationCatalogue {
  const { checks, procedures, unchecked } = catalogueOf(speaks)
  return {
    checks: selectChecks(checks, only ?? []),
    procedures,
    unchecked: unchecked.filter(({ clause }) => isSelectedClause(clause, only ?? [])),
    isSelection: (only ?? []).length > 0,
  }
}

function checkedData(data: unknown): CertificationData {
  const checked = checkSchema(CertificationData, data, 'the data')
  if (checked.ok) return checked.value
  throw problem('reading the data of a service', schemaErrorsText(checked.error), '')
}

async function capabilitiesOf(
  session: PreparedSession,
  role: Role,
): Promise<readonly Capability[]> {
  const [as = role] = session.urls.keys()
  const { reply } = await session.callService({ as, operation: 'getManifest' })
  try {
    return declaredCapabilities(JSON.parse(reply?.body ?? ''), role)
  } catch {
    return declaredCapabilities(undefined, role)
  }
}

/** The capabilities by their names in the manifest; undefined where none was read. */
function declaredNames(trace: Trace): ReadonlySet<string> | undefined {
  const manifest = lastManifest(trace)
  return manifest === undefined
    ? undefined
    : new Set(capabilitiesIn(manifest).map(({ name }) => name))
}

/** The report of a trace: the results are computed from it alone. */
export async function reportOfTrace(
  { role, name, seed }: CertifiedService,
  parts: {
    readonly trace: TraceData
    readonly results: readonly CheckResult[]
    readonly contracts: readonly Contract[]
    readonly only: readonly string[] | undefined
    readonly startedAt: number
    readonly tookMs: number
    readonly leftovers: readonly string[]
    readonly halted?: string | undefined
  },
): Promise<CertificationReport> {
  const { trace, halted, contracts, ...rest } = parts
  const { results } = rest
  const selected = selectedCatalogue(parts.only, trace.speaks)
  return createReport({
    ...rest,
    trace,
    version: packageVersion(),
    service: name,
    seed,
    procedures: neededProcedures(selected.checks, selected.procedures, role),
    clauses: await loadClauses(),
    ...compact({
      halted,
      declared: declaredNames(createTrace(trace)),
      contracts: await contractsOf(contracts, { trace, service: name, results }),
    }),
  })
}

/** Certifies the service of a session that has begun. */
export async function certifyPrepared(
  session: PreparedSession,
  service: CertifiedService,
  request: CertifyRequest & Pick<ProcedureRunOptions, 'findEnd'>,
): Promise<CertifiedTraffic> {
  const { role, seed } = service
  const startedAt = session.clock.now()
  const began = performance.now()
  const { clauses: only, data = {}, ask = notAsked, signal, onProgress, findEnd } = request
  const { trace, results, leftovers, goneIn } = await certifyInSession({
    session,
    role,
    // Interrupted, it runs no procedure, and must not wait for a manifest.
    capabilities:
      request.capabilities ?? (signal?.aborted ? [] : await capabilitiesOf(session, role)),
    ...selectedCatalogue(only, session.speaks),
    data: checkedData(data),
    seed,
    ask,
    sleep: abortableSleep,
    signal: signal ?? new AbortController().signal,
    ...compact({ onProgress, findEnd }),
  })
  const tookMs = performance.now() - began
  const report = await reportOfTrace(service, {
    trace,
    results,
    contracts: session.contracts,
    only,
    startedAt,
    tookMs,
    leftovers,
    halted:
      goneIn === undefined
        ? signal?.aborted
          ? 'it was interrupted'
          : undefined
        : `your service went away in ${goneIn}. Look why in its output, start it, and certify it again.`,
  })
  return { report, trace }
}

/** Session options with the counterparts as a certification needs them. */
export function certificationSession(options: SessionOptions, role: Role): SessionOptions {
  const counterparts = certificationCounterparts(role, options.counterparts)
  const conduct = {
    ...certificationConduct,
    ...options.conduct,
    logistics: { ...certificationConduct.logistics, ...options.conduct?.logistics },
  }
  // Procedures change settings.
  return { ...options, judgesClauses: false, live: true, as: role, counterparts, conduct }
}

/** See `certify`. */
export async function certifyService(options: CertifyOptions): Promise<CertificationReport> {
  const { as: typed, request = {}, connect, ...rest } = options
  // Scripts have no types, and name roles as the command line does.
  const named: unknown = typed
  const as = roleNamed(String(named))
  if (as === undefined)
    throw problem(
      'certifying a service',
      `as is ${shortValue(named)}`,
      `Name one of ${roleNamesText}.`,
    )
  if (rest.subject === undefined && rest.handler === undefined && connect === undefined)
    throw problem(
      'certifying a service',
      'none is named',
      'Give its URL, or a function, as subject.',
    )
  const isInProcess = typeof rest.subject === 'function' || rest.handler !== undefined
  const clock = isInProcess ? ({ clock: 'virtual', automatic: false } as const) : {}
  const session = await prepareSession(certificationSession({ ...clock, ...rest }, as))
  // A service in this process learns at once that there is a clock.
  session.clock.now()
  const disconnect = connect?.(session)
  try {
    const { checks } = catalogueOf(session.speaks)
    foreignClauses(request.clauses ?? [], { role: as, checks, attempted: 'certifying a service' })
    await Promise.all([session.begin(), session.loadFaults()])
    const name = typeof rest.subject === 'string' ? rest.subject : 'in this process'
    const { report } = await certifyPrepared(
      session,
      { role: as, name, seed: rest.seed ?? 42 },
      request,
    )
    return report
  } finally {
    const stopped = disconnect?.()
    await session.advance(0)
    await stopped
    await session.close()
  }
}
