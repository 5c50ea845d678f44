/** Implements `sparring certify`: carries out procedures against a service, judges the recorded traffic, reports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CheckOutcome, judgeTrace } from '../judge/judge-checks.ts'
import { isCertified } from '../report/report.ts'
import { createTrace } from '../judge/trace.ts'
import { compact } from '../../core/base/compact.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { saveOutput } from '../../core/runtime/files/output.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import { contractRuleId } from '../../core/rules/invariants/verdict.ts'
import { problem } from '../../core/base/problem.ts'
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
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { closeSession } from '../../terminal/cli/run/close-session.ts'
import { openReportWriters } from '../../terminal/cli/run/report-writers.ts'
import { createSubjectQueries } from '../../terminal/service/subject-requests.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import { waitUntilSubjectAnswers } from '../../terminal/service/subject-answers.ts'
import { createAskService } from './ask-service.ts'
import { bundleContent } from './bundle-content.ts'
import { type CertificationPlan, planCertification } from './certification-plan.ts'
import type { CertifyFlags } from './certify-flags.ts'
import { isCertificationOnScreen, openCertificationDisplay } from './open-display.ts'
import { packBundle } from './pack-bundle.ts'
import { printPlan } from './print-plan.ts'
import { certifyReporters } from './reporters/catalogue.ts'
import type { ReportedCertification } from './reporters/result-lines.ts'
import { redactedTrace } from './redacted-trace.ts'
import { openTemporaryFolder } from '../../terminal/cli/temporary-folder.ts'

const defaultWaitSeconds = 10

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
  wait: (configuration: Configuration) => Promise<void>,
): Promise<PreparedSession> {
  const subject = { ...base.subject, url }
  const session = await prepareSession(
    // The recording is compared with the contracts, at the end.
    certificationSession(
      { ...base, clock: 'real', subject, recording: { file: recording }, contract: [] },
      role,
    ),
  )
  try {
    await wait({ ...configuration, subject: { ...configuration.subject, url } })
    await Promise.all([session.begin(), session.loadFaults()])
    return session
  } catch (error) {
    await closeSession(session)
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
  const session = await openSessionFor(plan, recording, (answering) =>
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
  let certified
  try {
    certified = await certifyPrepared(session, service, {
      data: plan.data,
      ask: createAskService({
        io,
        person: display.ask,
        setup: flags.setup,
        configuration,
        visit: queries.visit,
        signal: stopping.signal,
      }),
      onProgress(progress) {
        display.onProgress(progress)
        void reports.writeRun(progress)
      },
      signal: stopping.signal,
      ...compact({ clauses: only, capabilities }),
    })
  } finally {
    stop()
    queries.close()
    await closeSession(session)
  }
  const read = await readRecording(recording)
  if (!read.ok) throw problem(`certifying ${url}`, read.error, 'Try again.')
  // Judged is what is shown: the redacted recording, from which anybody can compute the verdicts again.
  const trace = redactedTrace(certified.trace, read.value.exchanges)
  const { startedAt, tookMs, leftovers, halted } = certified.report
  const contracts = await loadContracts(configuration, io.cwd)
  const report = await reportOfTrace(service, {
    trace,
    results: judgeTrace(createTrace(trace), selectedCatalogue(only, trace.speaks)),
    contracts,
    only,
    startedAt: Date.parse(startedAt),
    tookMs,
    leftovers,
    halted,
  })
  const exchanges = new Map(trace.exchanges.map((each) => [each.seq, each]))
  const reported: ReportedCertification = { report, exchanges, steps: trace.steps }
  if (stopping.reason() === undefined) checkJudged(reported)
  if (flags.bundle !== undefined) {
    const content = bundleContent({
      reported,
      trace,
      only,
      recording: readFileSync(recording),
      contracts,
    })
    const version = packageVersion()
    const head = { version, role, startedAt: Date.parse(startedAt) }
    await saveOutput(flags.bundle, Buffer.from(await packBundle(content, head)), {
      replace: true,
      cwd: io.cwd,
    })
  }
  await reports.writeReport(reported)
  await display.end(reported)
  if (flags.bundle !== undefined) await printLine(io.stderr, `sparring: bundle in ${flags.bundle}`)
  if (stopping.reason() !== undefined) return exitCode.interrupted
  return isCertified(report) ? exitCode.done : exitCode.failed
}
