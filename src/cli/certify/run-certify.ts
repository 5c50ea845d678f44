/** Implements `sparring certify`: carries out procedures against a service, judges the recorded traffic, reports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeTrace } from '../../certification/judge-checks.ts'
import { isCertified } from '../../certification/report/report.ts'
import { createTrace } from '../../certification/trace.ts'
import { compact } from '../../compact.ts'
import { saveOutput } from '../../edge/files/output.ts'
import { readRecording } from '../../edge/recording/read-recording.ts'
import { packageVersion } from '../../edge/version.ts'
import { problem } from '../../problem.ts'
import {
  certificationSession,
  certifyPrepared,
  reportOfTrace,
  selectedCatalogue,
} from '../../session/certify-service.ts'
import { prepareSession } from '../../session/session.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type Io, printLine } from '../io.ts'
import { closeSession } from '../run/close-session.ts'
import { openReportWriters } from '../run/report-writers.ts'
import { createSubjectQueries } from '../run/subject-queries.ts'
import { listenForStop } from '../stop-signal.ts'
import { waitUntilSubjectAnswers } from '../subject-probe.ts'
import { createAskService } from './ask-service.ts'
import { bundleContent, storedTrace, traceOf } from './bundle-content.ts'
import { type CertificationPlan, planCertification } from './certification-plan.ts'
import type { CertifyFlags } from './certify-flags.ts'
import { packBundle } from './pack-bundle.ts'
import { printPlan } from './print-plan.ts'
import { certifyReporters } from './reporters/catalogue.ts'
import type { ReportedCertification } from './reporters/reporter.ts'
import { openTemporaryFolder } from './temporary-folder.ts'

const defaultWaitSeconds = 10

/** Reporters as in other verbs: --json claims stdout, also with reports to files. */
function openReports({ reporter = [], json, quiet }: CertifyFlags, io: Io) {
  const isJson = json === true && reporter.every((each) => each.includes('='))
  const wanted = isJson ? ['json', ...reporter] : reporter.length > 0 ? reporter : ['pretty']
  const style = { color: io.color, quiet: quiet === true }
  return openReportWriters(wanted, io, style, certifyReporters)
}

/** Opens the session in which the counterparts of the service are played, with its traffic in this file. */
const openSessionFor = ({ base, role, url }: CertificationPlan, recording: string) =>
  prepareSession(
    certificationSession(
      { ...base, clock: 'real', subject: { ...base.subject, url }, recording: { file: recording } },
      role,
    ),
  )

/** Says why nothing at all could be judged: then a green result would say nothing. */
function checkJudged({ report }: ReportedCertification): void {
  const { counts, results, service } = report
  if (counts.passed + counts.failed + counts.warning > 0) return
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
  using folder = openTemporaryFolder()
  const { role, url, configuration, clauses: only, capabilities } = plan
  const recording = join(folder.path, 'certify.rec.ndjson')
  const session = await openSessionFor(plan, recording)
  const queries = await createSubjectQueries({
    ...configuration,
    subject: { ...configuration.subject, url },
  })
  const service = { role, name: url, seed: configuration.seed }
  let certified
  try {
    await waitUntilSubjectAnswers(
      { ...configuration, subject: { ...configuration.subject, url } },
      flags['wait-for-subject'] ?? defaultWaitSeconds,
      io,
      stopping.signal,
    )
    await Promise.all([session.begin(), session.loadFaults()])
    certified = await certifyPrepared(session, service, {
      data: plan.data,
      ask: createAskService({
        io,
        setup: flags.setup,
        configuration,
        visit: queries.visit,
        signal: stopping.signal,
      }),
      onProgress: (progress) => void reports.writeRun(progress),
      signal: stopping.signal,
      ...compact({ clauses: only, capabilities }),
    })
  } finally {
    queries.close()
    await closeSession(session)
  }
  const read = await readRecording(recording)
  if (!read.ok) throw problem(`certifying ${url}`, read.error, 'Try again.')
  // Judged is what is shown: the redacted recording, from which anybody can compute the verdicts again.
  const trace = traceOf(storedTrace(certified.trace, only), read.value.exchanges)
  const { checks, attestations } = selectedCatalogue(only)
  const { startedAt, tookMs, leftovers, halted } = certified.report
  const report = await reportOfTrace(service, {
    trace,
    results: judgeTrace(createTrace(trace), checks, attestations),
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
    const content = bundleContent(reported, trace, only, readFileSync(recording))
    const version = packageVersion()
    const head = { version, role, startedAt: Date.parse(startedAt) }
    await saveOutput(flags.bundle, Buffer.from(await packBundle(content, head)), {
      replace: true,
      cwd: io.cwd,
    })
    await printLine(io.stderr, `sparring: bundle in ${flags.bundle}`)
  }
  await reports.writeReport(reported)
  if (stopping.reason() !== undefined) return exitCode.interrupted
  return isCertified(report) ? exitCode.done : exitCode.failed
}
