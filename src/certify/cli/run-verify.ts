/**
 * Implements `sparring certify verify`: the bytes of a bundle are as they were written, and its verdicts follow from
 * its recording.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleFiles, StatedReport, StoredTrace } from '../judge/bundle.ts'
import { judgeTrace } from '../judge/judge-checks.ts'
import { type CertificationReport, outcomeCountsText, verdictText } from '../report/report.ts'
import { createTrace } from '../../core/rules/checks/trace.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { RecordingContent } from '../../core/traffic/recording/content.ts'
import type { Contract } from '../../core/rules/contract/contract.ts'
import { fileProblem } from '../../core/runtime/files/file-problem.ts'
import { plainFileRefusal } from '../../core/runtime/files/text-file.ts'
import { readStoredContract, storeContracts } from '../../core/runtime/files/stored-contract.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { reportOfTrace, selectedCatalogue } from '../session/certify-service.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printJson, printLine } from '../../terminal/cli/io.ts'
import { derivedFiles, exchangesOfService, reportFile, traceOf } from './bundle-content.ts'
import type { VerifyFlags } from './certify-flags.ts'
import { type BundleContent, sha256, type UnpackedBundle, unpackBundle } from './pack-bundle.ts'
import { openTemporaryFolder } from '../../terminal/cli/temporary-folder.ts'

function readBundle(file: string, cwd: string): Uint8Array {
  const path = resolve(cwd, file)
  let wrong: string | undefined
  try {
    wrong = plainFileRefusal(statSync(path))
    if (wrong === undefined) return readFileSync(path)
  } catch (error) {
    throw new Problem(`${fileProblem(`reading the bundle ${file}`, error)}.`, 2)
  }
  throw problem(`reading the bundle ${file}`, wrong, 'Name a file that --bundle has written.')
}

function jsonOf(content: BundleContent, name: string): unknown {
  try {
    return JSON.parse(Buffer.from(content.get(name) ?? '').toString('utf8'))
  } catch {
    return undefined
  }
}

/** The contracts of a bundle; what is wrong where its documents are none. */
async function contractsOf(
  stored: NonNullable<StoredTrace['contracts']>,
  content: BundleContent,
): Promise<Result<readonly Contract[], string>> {
  try {
    return ok(await Promise.all(stored.map((each) => readStoredContract(each, content))))
  } catch (error) {
    if (error instanceof Problem) return err(error.message)
    throw error
  }
}

/** The report computed again, and its difference from the one in the bundle. */
async function recomputed({
  manifest,
  content,
}: UnpackedBundle): Promise<Result<CertificationReport, string>> {
  const stored = StoredTrace.safeParse(jsonOf(content, bundleFiles.trace))
  if (!stored.success) return err(`its ${bundleFiles.trace} is none`)
  const read = StatedReport.safeParse(jsonOf(content, bundleFiles.report))
  if (!read.success) return err(`its ${bundleFiles.report} is none`)
  const written = read.data
  if (Date.parse(written.startedAt) !== manifest.startedAt || written.role !== manifest.role)
    return err(`its ${bundleFiles.report} is of another certification than its manifest`)
  using folder = openTemporaryFolder('certify')
  const file = join(folder.path, bundleFiles.recording)
  writeFileSync(file, content.get(bundleFiles.recording) ?? '')
  const recording = await readRecording(file)
  if (!recording.ok) return recording
  const [broken] = recording.value.problems
  if (broken)
    return err(
      `its ${bundleFiles.recording} cannot be read whole: line ${broken.line}: ${broken.message}`,
    )
  const { role, only, contracts: storedContracts = [] } = stored.data
  const misfit = misfitOf(recording.value, { role, startedAt: manifest.startedAt })
  if (misfit !== undefined) return err(`its ${bundleFiles.recording} ${misfit}`)
  const contracts = await contractsOf(storedContracts, content)
  if (!contracts.ok) return contracts
  const trace = traceOf(stored.data, recording.value)
  const { service, seed, startedAt, tookMs, leftovers, halted } = written
  const report = await reportOfTrace(
    { role, name: service, seed },
    {
      trace,
      results: judgeTrace(createTrace(trace), selectedCatalogue(only, trace.speaks)),
      contracts: contracts.value,
      only,
      startedAt: Date.parse(startedAt),
      tookMs,
      leftovers,
      halted,
    },
  )
  const exchanges = new Map(trace.exchanges.map((each) => [each.seq, each]))
  const { content: documents } = storeContracts(contracts.value, bundleFiles.contracts)
  const expected: BundleContent = new Map([
    ...documents,
    [bundleFiles.report, reportFile(report)],
    ...derivedFiles({ report, exchanges, steps: trace.steps }),
  ])
  for (const [name, bytes] of expected) {
    const found = content.get(name)
    if (!found || sha256(found) !== sha256(bytes)) return err(differenceText(name, written, report))
  }
  const known = new Set([...expected.keys(), bundleFiles.trace, bundleFiles.recording])
  const foreign = [...content.keys()].find((name) => !known.has(name))
  if (foreign !== undefined) return err(`it has ${foreign}, which is no part of a certification`)
  return ok(report)
}

/** In how far a recording is not that of a certification of this role, begun at this instant. */
function misfitOf(
  { exchanges, header, closed }: RecordingContent,
  { role, startedAt }: { readonly role: Role; readonly startedAt: number },
): string | undefined {
  const ofService = exchangesOfService(exchanges)
  if (ofService.length === 0) return 'is empty: it has no exchange with the service'
  if (!closed) return 'is cut off: its last line is missing'
  const recorded = new Set(
    ofService.map(({ from, to }) => (from.party === 'subject' ? from : to).role),
  )
  if (recorded.size > 1 || !recorded.has(role))
    return `is of a service as ${[...recorded].join(' and ')}, not as ${role}`
  return Date.parse(header._rec.t0) === startedAt
    ? undefined
    : `begins at ${header._rec.t0}, and the certification is said to begin at ${new Date(startedAt).toISOString()}`
}

/** Names the first verdict that differs, where one does. */
function differenceText(
  name: string,
  written: Readonly<Record<string, unknown>>,
  report: CertificationReport,
): string {
  const results: readonly unknown[] = Array.isArray(written['results']) ? written['results'] : []
  const index = report.results.findIndex(
    (each, at) => JSON.stringify(each) !== JSON.stringify(results[at]),
  )
  const computed = report.results[index]
  if (JSON.stringify(report.contracts) !== JSON.stringify(written['contracts']))
    return `its contracts are not those that ${bundleFiles.report} names with their SHA-256`
  if (!computed) return `${name} is not what its recording and its report give`
  const stated: unknown = results[index]
  const outcome = isUnknownRecord(stated) ? String(stated['outcome']) : 'missing'
  return `${computed.clause} is ${outcome} in ${bundleFiles.report}, and its recording gives ${computed.outcome}`
}

export async function runVerify({ bundle, json }: VerifyFlags, io: Io): Promise<ExitCode> {
  const archive = readBundle(bundle, io.cwd)
  const unpacked = await unpackBundle(archive)
  const tell = async (why: string | undefined, report?: CertificationReport): Promise<ExitCode> => {
    const digest = sha256(archive)
    if (json)
      await printJson(io, {
        ok: why === undefined,
        bundle,
        sha256: digest,
        ...(why === undefined ? {} : { why }),
        ...(report ? { role: report.role, service: report.service, counts: report.counts } : {}),
      })
    else if (report)
      await printLine(
        io.stdout,
        `${bundle} is as it was written, and its verdicts follow from its recording\n` +
          `${report.role} at ${report.service}, ${report.startedAt}: ${verdictText(report)}, ${outcomeCountsText(report.counts)}\nsha256 ${digest}`,
      )
    else await printLine(io.stdout, `${bundle} does not verify: ${why}`)
    return why === undefined ? exitCode.done : exitCode.failed
  }
  if (!unpacked.ok) return tell(unpacked.error)
  const { product } = unpacked.value.manifest
  if (product.version !== packageVersion())
    throw problem(
      `verifying ${bundle}`,
      `it was written by sparring ${product.version}, and this is ${packageVersion()}, whose checks may differ`,
      `Verify it with npx sparring@${product.version} certify verify ${bundle}.`,
    )
  const report = await recomputed(unpacked.value)
  return report.ok ? tell(undefined, report.value) : tell(report.error)
}
