/** Implements `sparring run merge`: reports the parts of one run as a whole. */
import { compact } from '../../core/base/compact.ts'
import { packageVersion } from '../../core/runtime/version.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import { pluralise } from '../../core/protocol/count-text.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { collectParts } from '../../terminal/cli/shards/collect-parts.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
import type { ScenarioReport } from '../../terminal/cli/run/report.ts'
import { exitCodeOf, unstableTitles } from '../../terminal/cli/run/report-result.ts'
import { openReportWriters, wantedReporters } from '../../terminal/cli/run/report-writers.ts'
import { runReporters } from '../../terminal/cli/run/reporters/catalogue.ts'
import type { RunMergeOptions } from '../../terminal/cli/run/run-flags.ts'
import { runOfRecord } from '../../terminal/cli/run/run-record.ts'
import {
  checkRunParts,
  readStoredRuns,
  type StoredRuns,
} from '../../terminal/cli/run/stored-runs.ts'

/** Why runs are missing, in a sentence; undefined when all are there. */
function missingReason(parts: readonly StoredRuns[], played: number): string | undefined {
  const [first] = parts
  if (!first) return undefined
  const { total, shard = { of: 1 } } = first.header
  const halted = parts.flatMap(({ ends, file }) => {
    const reason = ends.at(-1)?.halted
    return reason === undefined ? [] : [`${file}: ${reason}`]
  })
  const open = parts.filter(({ isWhole }) => !isWhole).map(({ file }) => file)
  if (played >= total && open.length === 0) return undefined
  const absent = shard.of - parts.length
  const why = [
    ...(absent > 0 ? [`${absent} of ${shard.of} parts are not there`] : []),
    ...(open.length > 0 ? [`not ended: ${open.join(', ')}`] : []),
    ...halted,
  ]
  return [`${total - played} of ${pluralise(total, 'run')} are missing`, ...why].join('; ')
}

export async function mergeRuns(options: RunMergeOptions, io: Io): Promise<ExitCode> {
  using stopping = listenForStop(io)
  const { parts, incomplete } = await collectParts(options, io, stopping.signal, readStoredRuns)
  if (stopping.reason() !== undefined) return exitCode.interrupted
  checkRunParts(parts)
  const { total = 0, rounds = 1, notSelected } = parts[0]?.header ?? {}
  const runs = parts
    .flatMap(({ results }) => [...results.values()])
    .toSorted((one, other) => one.place - other.place)
    .map(({ place, run }) => runOfRecord(run, place, total))
  const halted = incomplete ?? missingReason(parts, runs.length)
  const report: ScenarioReport = {
    version: packageVersion(),
    runs,
    tookMs: Math.max(...parts.map(({ ends }) => ends.reduce((sum, { tookMs }) => sum + tookMs, 0))),
    unstable: unstableTitles(runs, rounds),
    clauses: await loadClauses(),
    ...compact({
      notSelected,
      halted: halted === undefined ? undefined : `the parts: ${halted}.`,
    }),
  }
  const style = { color: io.color, quiet: options.quiet === true }
  using writers = await openReportWriters(wantedReporters(options), io, style, runReporters)
  for (const run of runs) await writers.writeRun(run)
  await writers.writeReport(report)
  if (halted !== undefined)
    await printLine(io.stderr, `sparring: merging the parts of a run: ${halted}.`)
  return exitCodeOf(report)
}
