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
import { checkPlayed } from '../campaign/check-played.ts'
import { createBucketStore } from './bucket-store.ts'
import type { ExploreReport } from './explore-report.ts'
import { openExploreReports } from './open-reports.ts'
import {
  checkParts,
  readStoredCampaign,
  type StoredCampaign,
  workloadsOfHeader,
} from './stored-campaign.ts'
import { type Bucket, isBetter } from '../investigation/bucket.ts'
import { maxBucketsOfRule } from '../campaign/failures.ts'
import { triggersOf } from '../schedules/trigger.ts'

/** The kinds of faults of the first are among those of the second. */
function explainsBucket(one: Bucket, other: Bucket): boolean {
  const triggers = new Set(triggersOf(other.schedule))
  return triggersOf(one.schedule).every((each) => triggers.has(each))
}

const isCertain = ({ status }: Bucket): boolean => status === 'confirmed'

/**
 * Certain ones first, those that are still being shrunk after the others, then in the order in which one campaign would have
 * found them.
 */
const byDiscovery = (one: Bucket, other: Bucket): number =>
  Number(isCertain(other)) - Number(isCertain(one)) ||
  Number(one.unfinished ?? false) - Number(other.unfinished ?? false) ||
  (one.foundAt ?? -1) - (other.foundAt ?? -1) ||
  (one.id < other.id ? -1 : 1)

/** The better reproducer of two of one cause, with the failures of both. */
const joined = (one: Bucket, other: Bucket): Bucket => ({
  ...(one.id === other.id && isBetter(other, one) ? other : one),
  hits: one.hits + other.hits,
})

/**
 * The buckets of all parts of a campaign as one campaign would have them: what was found first
 * explains what was found later, of one rule only so many causes are distinguished, and what is not
 * certain gives way to what is.
 */
export function mergeBuckets(found: readonly Bucket[]): readonly Bucket[] {
  const merged = new Map<string, Bucket>()
  for (const bucket of found.toSorted(byDiscovery)) {
    const ofRule = [...merged.values()].filter(({ rule }) => rule === bucket.rule)
    const cause =
      merged.get(bucket.id) ??
      ofRule.find((each) => explainsBucket(each, bucket)) ??
      (ofRule.length >= maxBucketsOfRule || !isCertain(bucket) ? ofRule[0] : undefined)
    merged.set(cause?.id ?? bucket.id, cause ? joined(cause, bucket) : bucket)
  }
  return [...merged.values()]
}

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
  if (hasFindings(state)) return exitCode.failed
  checkPlayed(state, { workloads: workloads.size, isPart: false, channel: header.channel })
  return exitCode.done
}
