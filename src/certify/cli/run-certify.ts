/** Implements `sparring certify`: carries out procedures against a service, judges the recorded traffic, reports. */
import { escapeControls } from '../../core/traffic/escape-controls.ts'
import { displayUrl } from '../../core/traffic/redaction/display.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFiles } from '../judge/bundle.ts'
import { type CheckOutcome, judgeTrace } from '../judge/judge-checks.ts'
import { isCertified } from '../report/report.ts'
import { createTrace, type TraceData, type TraceNote } from '../../core/rules/checks/trace.ts'
import { compact } from '../../core/base/compact.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { saveOutput } from '../../core/runtime/files/output.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import { contractRuleId } from '../../core/rules/invariants/verdict.ts'
import { problem, Problem } from '../../core/base/problem.ts'
import {
  certificationSession,
  certifyPrepared,
  reportOfTrace,
  selectedCatalogue,
} from '../session/certify-service.ts'
import { loadContracts } from '../../core/session/contracts.ts'
import { prepareSession } from '../../core/session/session.ts'
import type { PreparedSession } from '../../core/session/types.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, isCi, printJson, printLine } from '../../terminal/cli/io.ts'
import { sessionPorts } from '../../terminal/cli/losses.ts'
import { closeSession } from '../../terminal/cli/run/close-session.ts'
import { openReportWriters } from '../../terminal/cli/run/report-writers.ts'
import { createSubjectQueries, unreachableReason } from '../../terminal/service/subject-requests.ts'
import { watchForCrash } from '../../terminal/service/crash-watch.ts'
import { listenForStop, type StopSignal } from '../../terminal/cli/stop-signal.ts'
import { waitUntilSubjectAnswers } from '../../terminal/service/subject-answers.ts'
import { createAskService } from './ask-service.ts'
import { bundleContent, recordedPart } from './bundle-content.ts'
import {
  type CertificationPlan,
  planCertification,
  plannedCatalogue,
} from './certification-plan.ts'
import type { CertifyFlags } from './certify-flags.ts'
import { packBundle } from './pack-bundle.ts'
import { certifyReporters } from './reporters/catalogue.ts'
import { type ReportedCertification, resultLines } from './reporters/result-lines.ts'
import { openTemporaryFolder } from '../../terminal/cli/temporary-folder.ts'
import { bodyValue } from '../../core/rules/checks/assertion.ts'
import { loadRedactionKey } from '../../core/runtime/recording/redaction-key.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import { createRedactor } from '../../core/traffic/redaction/redactor.ts'
import { capabilitiesOfRole, neededProcedures } from '../judge/certify.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { fullRoleName } from '../../core/protocol/role.ts'
import type { ProcedureProgress } from '../judge/run-procedures.ts'
import { isStdoutClaimed } from '../../terminal/cli/run/claimed-stdout.ts'
import { canShowScreen, openScreenPorts } from '../../terminal/cli/session-output.ts'
import { type AskPerson, createLineQuestion } from './ask-person.ts'
import { certifyPretty } from './reporters/pretty.ts'

// Opens what shows a certification: a screen where there is a person at a terminal and stdout is
// not asked for, else lines.

/** Disposing of it gives the terminal back. */
interface CertificationDisplay extends AsyncDisposable {
  readonly onProgress: (progress: ProcedureProgress) => void
  /** An exchange with the service has ended. */
  readonly onExchange: () => void
  /** Absent where there is no person. */
  readonly ask: AskPerson | undefined
  /** All reports are written. Resolves when the operator has read how it ended. */
  readonly end: (reported: ReportedCertification) => Promise<void>
}

const isCertificationOnScreen = (flags: CertifyFlags, io: Io): boolean =>
  canShowScreen(flags, io) && !isStdoutClaimed(flags, io)

const nothing = (): void => undefined

const createLines = ({ quiet }: CertifyFlags, io: Io): CertificationDisplay => ({
  onProgress({ procedure, state, why }) {
    if (state === 'waits' && quiet !== true)
      void printLine(io.stderr, escapeControls(`${procedure} waits ${why}`))
  },
  onExchange: nothing,
  ask: io.isTTY && !isCi(io.env) ? createLineQuestion(io) : undefined,
  end: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
})

async function openScreen(
  flags: CertifyFlags,
  plan: CertificationPlan,
  stopping: StopSignal,
  io: Io,
): Promise<CertificationDisplay> {
  const { showCertification } = await import('../screen/show-certification.ts')
  const { ports, close } = await openScreenPorts(flags, stopping, io)
  const screen = showCertification({
    heading: {
      role: plan.role,
      service: displayUrl(plan.url),
      procedures: plannedCatalogue(plan).procedures,
    },
    ...ports,
  })
  /** One who does not wait for the end has the terminal back. */
  const closed = screen.closed.then(screen.close)
  return {
    onProgress: screen.onProgress,
    onExchange: screen.onExchange,
    ask: screen.ask,
    async end(reported) {
      const { report, exchanges } = reported
      screen.onEnd({ report, linesOf: (result) => resultLines(result, exchanges) })
      await closed
      const style = { color: io.color, quiet: false }
      await printLine(io.stdout, (certifyPretty.finish?.(reported, style) ?? '').trimEnd())
    },
    async [Symbol.asyncDispose]() {
      close()
      await screen.close()
      await closed
    },
  }
}

const openCertificationDisplay = async (
  flags: CertifyFlags,
  plan: CertificationPlan,
  stopping: StopSignal,
  io: Io,
): Promise<CertificationDisplay> =>
  isCertificationOnScreen(flags, io)
    ? openScreen(flags, plan, stopping, io)
    : createLines(flags, io)

/** `--plan`: what a certification would do, what it needs, and which clauses it would show. */
interface PlannedProcedure {
  readonly name: string
  readonly about: string
  readonly needs: readonly string[]
  /** What has to be done at the service. */
  readonly wishes: readonly string[]
  readonly changes: string
  readonly clauses: readonly string[]
}

function plannedProcedures(plan: CertificationPlan): readonly PlannedProcedure[] {
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

async function printPlan(plan: CertificationPlan, isJson: boolean, io: Io): Promise<void> {
  const planned = plannedProcedures(plan)
  const loaded = await loadContracts(plan.configuration, io.cwd)
  const contracts = loaded.map(({ file, role }) => ({ file, role }))
  if (isJson)
    return printJson(io, {
      role: plan.role,
      service: displayUrl(plan.url),
      procedures: planned,
      ...(contracts.length > 0 ? { contracts } : {}),
    })
  const clauses = new Set(planned.flatMap((each) => each.clauses))
  await printLine(
    io.stdout,
    `certifying ${displayUrl(plan.url)} as ${plan.role}: ${pluralise(planned.length, 'procedure')} for ${pluralise(clauses.size, 'clause')}`,
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

/**
 * A trace as its redacted recording shows it. Its notes hold e-mail addresses and telephone numbers: they have the
 * replacements of the recorded bodies, and are found in them.
 */
export function redactedTrace(trace: TraceData, recording: RecordingContent): TraceData {
  const key = loadRedactionKey()
  if (!key.ok) throw new Problem(key.error, exitCode.usage)
  const redactor = createRedactor(key.value.hash)
  function redactedText({ text, member }: TraceNote): string {
    if (member === undefined) return redactor.message(text, 'notes').value
    const body = JSON.stringify({ [member]: text })
    const { value } = redactor.body('request', body, 'application/json', 'http://host/')
    return String(bodyValue(JSON.parse(value), `/${member}`))
  }
  return {
    ...trace,
    notes: trace.notes.map((each) => ({ ...each, text: redactedText(each) })),
    ...recordedPart(recording, trace),
  }
}

const defaultWaitSeconds = 10

/** How long the last exchanges may take: the report is made from the whole recording. */
const wholeRecordingMs = 60_000

/** Reporters as in other verbs: --json claims stdout, also with reports to files. */
function openReports(flags: CertifyFlags, io: Io) {
  const { reporter = [], json, quiet } = flags
  const isJson = json === true && reporter.every((each) => each.includes('='))
  // On a screen the text for people follows when the operator has left it.
  const defaultReporters = isCertificationOnScreen(flags, io) ? [] : ['pretty']
  const wanted = isJson ? ['json', ...reporter] : reporter.length > 0 ? reporter : defaultReporters
  const style = { color: io.color, quiet: quiet === true }
  return openReportWriters(wanted, io, style, certifyReporters)
}

/**
 * Opens the session in which the counterparts of the service are played, with its traffic in this file, and begins it when the
 * service answers.
 */
async function openSessionFor(
  { base, role, url, configuration }: CertificationPlan,
  recording: string,
  io: Io,
  wait: (configuration: Configuration) => Promise<void>,
): Promise<PreparedSession> {
  const subject = { ...base.subject, url }
  const session = await prepareSession(
    // The recording is compared with the contracts, at the end.
    certificationSession(
      {
        ...base,
        clock: 'real',
        subject,
        recording: { file: recording },
        contract: [],
        ...sessionPorts(io),
      },
      role,
    ),
  )
  try {
    await wait({ ...configuration, subject: { ...configuration.subject, url } })
    await Promise.all([session.begin(), session.loadFaults()])
    return session
  } catch (error) {
    await closeSession(session, io)
    throw error
  }
}

/** Says why nothing at all could be judged: then a green result would say nothing. */
function checkJudged({ report }: ReportedCertification): void {
  const { results, service } = report
  const judged: readonly CheckOutcome[] = ['passed', 'failed', 'warning']
  if (results.some(({ clause, outcome }) => clause !== contractRuleId && judged.includes(outcome)))
    return
  throw problem(
    `certifying ${service}`,
    `no clause could be judged: ${results[0]?.why ?? 'nothing came up in the traffic'}`,
    'See sparring certify --plan for what is needed, and whether it accepts our credentials (subject.credentials).',
    exitCode.unreachable,
  )
}

export async function runCertify(flags: CertifyFlags, io: Io): Promise<ExitCode> {
  const plan = await planCertification(flags, io)
  if (flags.plan) {
    await printPlan(plan, flags.json === true, io)
    return exitCode.done
  }
  using stopping = listenForStop(io)
  using reports = await openReports(flags, io)
  using folder = openTemporaryFolder('certify')
  const { role, url, configuration, clauses: only, capabilities } = plan
  const recording = join(folder.path, 'certify.rec.ndjson')
  const waitSeconds = flags['wait-for-subject'] ?? defaultWaitSeconds
  const session = await openSessionFor(plan, recording, io, (answering) =>
    waitUntilSubjectAnswers(answering, waitSeconds, io, stopping.signal),
  )
  await using display = await openCertificationDisplay(flags, plan, stopping, io)
  const stop = session.onExchange(({ from, to }) => {
    if (from.party === 'subject' || to.party === 'subject') display.onExchange()
  })
  const queries = await createSubjectQueries({
    ...configuration,
    subject: { ...configuration.subject, url },
  })
  const service = { role, name: url, seed: configuration.seed }
  const ask = createAskService({
    io,
    person: display.ask,
    setup: flags.setup,
    configuration,
    visit: queries.visit,
    signal: stopping.signal,
  })
  /** One that was asked to restart is not gone. */
  let asked = 0
  const watch = watchForCrash({
    session,
    signal: stopping.signal,
    url,
    probe: async (each) => {
      const why = asked > 0 ? undefined : await unreachableReason(each, configuration)
      // One that takes its time is there.
      return why !== undefined && /^E[A-Z]+$/.test(why) ? why : undefined
    },
    timeoutMs: Math.max(waitSeconds, defaultWaitSeconds) * 1000,
  })
  let certified
  try {
    certified = await certifyPrepared(session, service, {
      data: plan.data,
      async ask(action) {
        asked++
        return ask(action).finally(() => asked--)
      },
      onProgress(progress) {
        display.onProgress(progress)
        if (progress.state !== 'waits') void reports.writeRun(progress)
      },
      signal: AbortSignal.any([stopping.signal, watch.ended]),
      findEnd: async () => (await watch.crash())?.because,
      ...compact({ clauses: only, capabilities }),
    })
  } finally {
    stop()
    watch[Symbol.dispose]()
    queries.close()
    await closeSession(session, io, stopping.reason() === undefined ? wholeRecordingMs : undefined)
  }
  const read = await readRecording(recording)
  if (!read.ok) throw problem(`certifying ${url}`, read.error, 'Try again.')
  // Judged is what is shown: the redacted recording, from which anybody can compute the verdicts again.
  const trace = redactedTrace(certified.trace, read.value)
  const { tookMs, leftovers, halted } = certified.report
  const startedAt = Date.parse(read.value.header._rec.t0)
  const contracts = await loadContracts(configuration, io.cwd)
  const report = await reportOfTrace(service, {
    trace,
    results: judgeTrace(createTrace(trace), selectedCatalogue(only, trace.speaks)),
    contracts,
    only,
    startedAt,
    tookMs,
    leftovers,
    halted,
  })
  const exchanges = new Map(trace.exchanges.map((each) => [each.seq, each]))
  const reported: ReportedCertification = { report, exchanges, steps: trace.steps }
  if (halted === undefined) checkJudged(reported)
  let bundled: string | undefined
  if (flags.bundle !== undefined) {
    const content = bundleContent({
      reported,
      trace,
      only,
      recording: readFileSync(recording),
      contracts,
    })
    const version = packageVersion()
    const head = { version, role, startedAt }
    bundled = `${flags.bundle}: ${[bundleFiles.manifest, ...content.keys()].join(', ')}`
    await saveOutput(flags.bundle, Buffer.from(await packBundle(content, head)), {
      replace: true,
      cwd: io.cwd,
    })
  }
  await reports.writeReport(reported)
  await display.end(reported)
  if (bundled !== undefined) await printLine(io.stderr, `sparring: bundle in ${bundled}`)
  if (stopping.reason() !== undefined) return exitCode.interrupted
  if (halted !== undefined) return exitCode.unreachable
  return isCertified(report) ? exitCode.done : exitCode.failed
}
