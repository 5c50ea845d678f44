/** The lines of a record file, checked: the header of a campaign, and its records. */
import { z } from 'zod'
import { channelNames } from '../../core/session-api/configuration/schema.ts'
import { bucketStatuses } from '../investigation/bucket.ts'
import { campaignPhases, type CampaignRecord } from '../campaign/campaign-record.ts'
import { operations, type OperationId } from '../../core/protocol/catalogue.ts'
import { roles } from '../../core/protocol/role.ts'

const operationIds: ReadonlySet<unknown> = new Set(operations.map(({ id }) => id))

const Count = z.int().min(0)
const Counts = z.record(z.string(), Count)
const Ms = z.number()

const Match = z.looseObject({
  event: z.exactOptional(z.string()),
  operation: z.exactOptional(
    z.custom<OperationId>((value) => operationIds.has(value), 'there is no such operation'),
  ),
  trigger: z.exactOptional(z.string()),
  order: z.exactOptional(z.string()),
  channel: z.exactOptional(z.enum(['polling', 'webhook'])),
  nth: z.exactOptional(z.int()),
})

const Schedule = z.looseObject({
  workload: z.string(),
  trim: z.exactOptional(
    z.looseObject({
      steps: z.exactOptional(Count),
      orders: z.exactOptional(z.array(z.string())),
      faultPhaseMs: z.exactOptional(Ms),
    }),
  ),
  faults: z.array(
    z.looseObject({
      name: z.string(),
      match: Match,
      options: z.record(z.string(), z.unknown()),
      burst: z.exactOptional(z.union([z.int(), z.literal('outlast')])),
    }),
  ),
})

const Failure = z.looseObject({
  rule: z.string(),
  slot: z.exactOptional(z.string()),
  because: z.string(),
  evidence: z.array(z.looseObject({ seq: z.number(), at: z.number(), line: z.string() })),
  clauses: z.exactOptional(z.array(z.string())),
  remedy: z.exactOptional(z.string()),
  follows: z.exactOptional(z.string()),
  output: z.exactOptional(z.array(z.string())),
})

const Bucket = z.looseObject({
  id: z.string().regex(/^[\da-f]+$/),
  rule: z.string(),
  role: z.exactOptional(z.string()),
  status: z.enum(bucketStatuses),
  failed: Count,
  played: Count,
  schedule: Schedule,
  failure: Failure,
  alsoBroken: z.array(z.string()),
  trace: z.string(),
  foundAt: z.exactOptional(Count),
  runsToFind: Count,
  shrinkRuns: Count,
  hits: Count,
  unfinished: z.exactOptional(z.literal(true)),
  unshrunk: z.exactOptional(z.literal(true)),
})

const Pace = z.looseObject({
  pollMs: z.exactOptional(Ms),
  retryGapMs: z.exactOptional(Ms),
  attemptsMs: z.exactOptional(Ms),
  attempts: z.exactOptional(Count),
  reactionMs: z.exactOptional(Ms),
  reconcileMs: z.exactOptional(Ms),
  stepMs: z.exactOptional(Ms),
  answerMs: z.exactOptional(Ms),
})

const recordOf = <Type extends CampaignRecord['type'], Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
) => z.looseObject({ type: z.literal(type), ...shape })

export const CampaignRecordLine = z.discriminatedUnion('type', [
  recordOf('phase', { phase: z.enum(campaignPhases) }),
  recordOf('steady', {
    workload: z.string(),
    failures: z.array(Failure),
    leftOut: z.exactOptional(z.string()),
  }),
  recordOf('space', { classes: z.array(z.string()), workloads: z.array(z.string()) }),
  recordOf('batch', {
    schedules: Count,
    coverage: Counts,
    premises: Counts,
    advice: Counts,
    tookMs: Ms,
    pace: Pace,
    crash: z.exactOptional(Failure),
  }),
  recordOf('schedule', {
    index: Count,
    strategy: z.string(),
    hash: z.string(),
    workload: z.string(),
    faults: Count,
    exercised: z.array(z.string()),
    signature: z.string(),
    broken: z.array(z.string()),
    inconclusive: z.array(z.string()),
    cutShort: z.exactOptional(z.literal(true)),
  }),
  recordOf('hit', {
    bucket: z.string(),
    index: z.exactOptional(Count),
    replaces: z.exactOptional(z.string()),
  }),
  recordOf('bucket', { bucket: Bucket, replaces: z.exactOptional(z.string()) }),
  recordOf('unattributed', { rule: z.string() }),
  recordOf('known', { hash: z.string(), broken: z.array(z.string()) }),
  recordOf('end', { reason: z.enum(['done', 'interrupted']), tookMs: Ms }),
])

const Shard = z.looseObject({ part: z.int().min(1), of: z.int().min(1) })

/** Its version; a file of another one is not read. */
export const recordFormat = 1

/** What is searched only where it is asked for; each is a flag. */
export const searchDimensions = ['crashes', 'ghosts', 'evolution'] as const

export const CampaignHeaderLine = z.looseObject({
  type: z.literal('campaign'),
  format: z.literal(recordFormat),
  /** Of Sparring. */
  version: z.string(),
  seed: Count,
  subject: z.enum(roles),
  channel: z.enum(channelNames),
  /** As they are written; checked where they are made. */
  workloads: z.array(
    z.looseObject({ name: z.string(), about: z.string(), subjects: z.array(z.enum(roles)) }),
  ),
  budget: z.looseObject({
    maxRuns: z.exactOptional(Count),
    maxMs: z.exactOptional(Count),
    untilCovered: z.exactOptional(z.literal(true)),
  }),
  shard: z.exactOptional(Shard),
  crashes: z.exactOptional(z.literal(true)),
  ghosts: z.exactOptional(z.literal(true)),
  evolution: z.exactOptional(z.literal(true)),
  /** Of groups of neighbours: which schedule has which number depends on them. */
  groupSizes: z.exactOptional(
    z.looseObject({ first: z.int().min(1), groupsPerSize: z.int().min(1), max: z.int().min(1) }),
  ),
  /** Flags of a command that plays against the same subject. */
  flags: z.array(z.string()),
})

export type CampaignHeader = z.infer<typeof CampaignHeaderLine>
