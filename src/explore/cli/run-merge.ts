/** Implements `sparring explore merge`: folds the records of all parts of a campaign, and reports them as one. */
import { workloadsByName } from '../workloads/workload.ts'
import { defaultFaultPhaseMs } from '../batch/session-runner.ts'
import { CampaignState } from '../campaign/campaign-state.ts'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { loadClauses } from '../../core/protocol/clause.ts'
import { compact } from '../../core/base/compact.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import { type Io, printLine } from '../../terminal/cli/io.ts'
import { collectParts } from '../../terminal/cli/shards/collect-parts.ts'
import { listenForStop } from '../../terminal/cli/stop-signal.ts'
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
  const merged = new CampaignState()
  const buckets = parts.flatMap(({ records }) => {
    const own = new CampaignState()
    for (const record of records) {
      own.apply(record)
      if (record.type !== 'bucket' && record.type !== 'hit') merged.apply(record)
    }
    return [...own.buckets.values()]
  })
  for (const bucket of mergeBuckets(buckets)) merged.apply({ type: 'bucket', bucket })
  return merged
}

/** What the parts do not hold of the whole, one sentence each. */
function incompleteNotes(parts: readonly StoredCampaign[]): readonly string[] {
  const of = parts[0]?.header.shard?.of ?? 1
  const missing = of - parts.length
  const open = parts.filter(({ records }) => {
    const last = records.at(-1)
    return last?.type !== 'end' || last.reason !== 'done'
  })
  return [
    ...(missing > 0 ? [`${missing} of ${of} parts are missing`] : []),
    ...open.map(({ file }) => `${file} has not ended: continue it with --resume, and merge again`),
  ]
}

export async function runMerge(options: MergeOptions, io: Io): Promise<ExitCode> {
  using stopping = listenForStop(io)
  const { parts, incomplete } = await collectParts(options, io, stopping.signal, readStoredCampaign)
  if (stopping.reason() !== undefined) return exitCode.interrupted
  checkParts(parts)
  const [first] = parts
  if (!first) return exitCode.usage
  const { shard: _part, ...header } = first.header
  const workloads = workloadsByName(workloadsOfHeader(first))
  const clauses = await loadClauses()
  using reports = await openExploreReports(options, io)
  const state = mergedState(parts)
  const notes = incompleteNotes(parts)
  if (options.quiet !== true)
    for (const note of notes) await printLine(io.stderr, `sparring: ${note}`)
  const bucketStore = createBucketStore({
    corpus: createCorpusWriter(options.corpus ?? '.', io.cwd),
    workloads,
    channel: header.channel,
    convergeMs: () => undefined,
    faultPhaseMs: () => defaultFaultPhaseMs,
  })
  if (options.corpus !== undefined)
    for (const bucket of state.buckets.values()) await bucketStore.keep(bucket)
  const report: ExploreReport = {
    ...buildReport({
      header,
      state,
      workloads,
      clauses,
      kept: bucketStore.kept,
      known: [],
      tookMs: Math.max(...parts.map(({ records }) => tookMsOf(records))),
    }),
    merged: parts.map(({ file }) => file),
    ...compact({ halted: incomplete ?? (notes.length > 0 ? notes.join('; ') : undefined) }),
  }
  await reports.writeReport(report)
  if (incomplete !== undefined)
    await printLine(io.stderr, `sparring: merging the parts of a campaign: ${incomplete}.`)
  if (report.halted !== undefined) return exitCode.unreachable
  return hasFindings(report.state) ? exitCode.failed : exitCode.done
}
