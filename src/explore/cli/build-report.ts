/** The report of a campaign, from its state: what reporters format. */
import { buildVersion } from '../../core/runtime/version.ts'
import {
  type Bucket,
  type BucketDetails,
  byCertainty,
  countsAsFailure,
  type FileReplays,
  isReproducedByFile,
} from '../investigation/bucket.ts'
import { compact } from '../../core/base/compact.ts'
import { crashRule, type ReportedRule } from '../batch/crash.ts'
import type { BrokenRule } from '../schedules/broken-rule.ts'
import type { CampaignState } from '../campaign/campaign-state.ts'
import { bucketParagraph } from '../investigation/scenario-of-bucket.ts'
import { scheduleHash } from '../schedules/schedule.ts'
import { trimWorkload, type Workload } from '../workloads/workload.ts'
import { type Clauses, clausesOf } from '../../core/protocol/clause.ts'
import { clauseRule } from '../../core/rules/checks/catalogue.ts'
import { invariants } from '../../core/rules/invariants/catalogue.ts'
import { shellWord } from '../../terminal/cli/run/rerun-command.ts'
import type { KnownScenario } from './corpus.ts'
import type { ExploreReport } from './explore-report.ts'
import { type CampaignHeader, searchDimensions } from './record-schema.ts'

/** The files of a bucket. */
export interface KeptFiles {
  readonly file: string
  readonly replays: FileReplays
  readonly recording?: string
}

export interface ReportInput {
  readonly header: CampaignHeader
  readonly state: CampaignState
  readonly workloads: ReadonlyMap<string, Workload>
  readonly clauses: Clauses
  /** By id of the bucket. */
  readonly kept: ReadonlyMap<string, KeptFiles>
  readonly known: readonly KnownScenario[]
  readonly tookMs: number
}

/** What is said about a rule; a crash is none of the invariants. */
export const ruleDescription = (rule: string): ReportedRule | undefined =>
  rule === crashRule.id ? crashRule : (invariants.find(({ id }) => id === rule) ?? clauseRule(rule))

/** What is said about a rule that was broken: what its finding says first. */
export function brokenRuleDescription(broken: BrokenRule): ReportedRule | undefined {
  const known = ruleDescription(broken.rule)
  const clauses = [...(broken.clauses ?? []), ...(known?.clauses ?? [])]
  return (
    known && { ...known, clauses: [...new Set(clauses)], ...compact({ remedy: broken.remedy }) }
  )
}

const command = (words: readonly (string | number)[]): string =>
  words.map((word) => shellWord(String(word))).join(' ')

/** The details of a bucket besides its record. */
export function bucketDetails(
  bucket: Bucket,
  {
    header,
    workloads,
    clauses,
    kept,
  }: Pick<ReportInput, 'header' | 'workloads' | 'clauses' | 'kept'>,
): BucketDetails {
  const invariant = brokenRuleDescription(bucket.failure)
  const workload = workloads.get(bucket.schedule.workload)
  const files = kept.get(bucket.id)
  return {
    sentence: invariant?.sentence ?? '',
    remedy: invariant?.remedy ?? '',
    clauses: clausesOf(invariant?.clauses ?? [], clauses),
    paragraph: workload
      ? bucketParagraph(bucket, trimWorkload(workload, bucket.schedule.trim), invariant)
      : bucket.failure.because,
    again:
      files && isReproducedByFile(files.replays)
        ? command(['sparring', 'run', files.file, ...header.flags])
        : command([
            'sparring',
            'explore',
            '--seed',
            header.seed,
            ...header.flags,
            ...searchDimensions.flatMap((each) => (header[each] ? `--${each}` : [])),
          ]),
    ...files,
  }
}

export function buildReport(
  input: ReportInput,
): Omit<ExploreReport, 'halted' | 'interrupted' | 'merged'> {
  const { header, state, workloads, known, tookMs } = input
  const { subject, channel, seed, shard } = header
  return {
    version: buildVersion(),
    subject,
    channel,
    seed,
    ...(shard ? { shard: { part: shard.part, of: shard.of } } : {}),
    state,
    workloads,
    buckets: [...state.buckets.values()]
      .sort(byCertainty)
      .map((bucket) => ({ bucket, ...bucketDetails(bucket, input) })),
    passing: known
      .filter(({ schedule }) => state.known.get(scheduleHash(schedule))?.length === 0)
      .map(({ file }) => file),
    tookMs,
  }
}

/** Whether something is wrong with the service. */
export const hasFindings = (state: CampaignState): boolean =>
  state.steadyFailures.size > 0 ||
  state.crash() !== undefined ||
  [...state.buckets.values()].some(countsAsFailure)
