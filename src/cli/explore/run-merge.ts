/** Implements `sparring explore merge`: folds the records of all parts of a campaign, and reports them as one. */
import { workloadsByName } from '../../exploration/workloads/workload.ts'
import { defaultFaultPhaseMs } from '../../exploration/batch/session-runner.ts'
import {
  type CampaignState,
  createCampaignState,
} from '../../exploration/campaign/campaign-state.ts'
import type { CampaignRecord } from '../../exploration/campaign/campaign-record.ts'
import { loadClauses } from '../../protocol/clause.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { type Io, printLine } from '../io.ts'
import { buildReport, hasFindings } from './build-report.ts'
import { createCorpusWriter } from './corpus.ts'
import type { MergeOptions } from './explore-flags.ts'
import { createBucketStore } from './bucket-store.ts'
import type { ExploreReport } from './explore-report.ts'
import { mergeBuckets } from './merge-buckets.ts'
import { openExploreReports } from './open-reports.ts'
import {
  checkParts,
  readStoredCampaign,
  type StoredCampaign,
  workloadsOfHeader,
} from './stored-campaign.ts'

/** How long a campaign took: its last end; a part that was resumed has several. */
const tookMsOf = (records: readonly CampaignRecord[]): number =>
  records.reduce((sum, record) => (record.type === 'end' ? sum + record.tookMs : sum), 0)

/** The state of all parts, whose buckets are those that one campaign would have. */
export function mergedState(parts: readonly StoredCampaign[]): CampaignState {
  const merged = createCampaignState()
  const buckets = parts.flatMap(({ records }) => {
    const own = createCampaignState()
    for (const record of records) {
      own.apply(record)
      if (record.type !== 'bucket' && record.type !== 'hit') merged.apply(record)
    }
    return [...own.buckets.values()]
  })
  for (const bucket of mergeBuckets(buckets)) merged.apply({ type: 'bucket', bucket })
  return merged
}

export async function runMerge(options: MergeOptions, io: Io): Promise<ExitCode> {
  const parts = await Promise.all(options.file.map((file) => readStoredCampaign(file, io.cwd)))
  checkParts(parts)
  const [first] = parts
  if (!first) return exitCode.usage
  const { shard: _part, ...header } = first.header
  const workloads = workloadsByName(workloadsOfHeader(first))
  const clauses = await loadClauses()
  using reports = await openExploreReports(options, io)
  const state = mergedState(parts)
  const missing = (first.header.shard?.of ?? 1) - parts.length
  if (missing > 0 && options.quiet !== true)
    await printLine(
      io.stderr,
      `sparring: ${missing} of ${first.header.shard?.of} parts are missing`,
    )
  const keeper = createBucketStore({
    corpus: createCorpusWriter(options.corpus ?? '.', io.cwd),
    workloads,
    channel: header.channel,
    convergeMs: () => undefined,
    faultPhaseMs: () => defaultFaultPhaseMs,
  })
  if (options.corpus !== undefined)
    for (const bucket of state.buckets.values()) await keeper.keep(bucket)
  const report: ExploreReport = {
    ...buildReport({
      header,
      state,
      workloads,
      clauses,
      kept: keeper.kept,
      known: [],
      tookMs: Math.max(...parts.map(({ records }) => tookMsOf(records))),
    }),
    merged: parts.map(({ file }) => file),
  }
  await reports.writeReport(report)
  return hasFindings(report.state) ? exitCode.failed : exitCode.done
}
