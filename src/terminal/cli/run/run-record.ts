/** The records of a run of scenarios, one JSON object a line: the header, each run as it ended, and the end. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { compact } from '../../../core/base/compact.ts'
import { packageVersion } from '../../../core/runtime/version.ts'
import type { RunPlan } from './plan.ts'
import type { RunReport, ScenarioReport } from './report.ts'

/** A run as it is stored. What only comparisons of a group need is left out: a group is played by one process. */
type RecordedRun = Omit<RunReport, 'number' | 'total' | 'outcome'> & {
  readonly outcome?: Omit<NonNullable<RunReport['outcome']>, 'endings'>
}

const Count = z.int().min(0)
const Verdict = z.looseObject({
  id: z.string(),
  outcome: z.string(),
  findings: z.array(z.looseObject({ because: z.string() })),
})

const RecordedRunShape = z.looseObject({
  file: z.string(),
  title: z.string(),
  repetition: z.int().min(1),
  seed: Count,
  result: z.enum(['passed', 'failed', 'inconclusive', 'skipped']),
  because: z.exactOptional(z.string()),
  failures: z.array(
    z.looseObject({
      kind: z.enum(['step', 'expectation', 'invariant']),
      path: z.array(z.union([z.string(), z.number()])),
      because: z.string(),
      verdict: z.exactOptional(Verdict),
    }),
  ),
  tookMs: z.number(),
  again: z.string(),
  output: z.exactOptional(z.array(z.string())),
  unexercised: z.exactOptional(
    z.array(z.looseObject({ id: z.string(), isClaimed: z.boolean(), because: z.string() })),
  ),
  outcome: z.exactOptional(
    z.looseObject({
      run: z.looseObject({ title: z.string(), channel: z.string() }),
      verdicts: z.array(Verdict),
      advice: z.array(Verdict),
      steps: z.array(z.looseObject({ number: z.number(), result: z.string() })),
      orders: z.array(z.looseObject({ slot: z.string() })),
      journal: z.looseObject({ facts: z.number(), digest: z.string() }),
      tookMs: z.number(),
    }),
  ),
})

/** The version in the header is that of this program, so that what the shape leaves open is as it was written. */
const isRecordedRun = (value: unknown): value is RecordedRun =>
  RecordedRunShape.safeParse(value).success

/** Its version; a file of another one is not read. */
const runRecordFormat = 1

export const RunHeaderLine = z.looseObject({
  type: z.literal('run'),
  format: z.literal(runRecordFormat),
  /** Of Sparring. */
  version: z.string(),
  /** Of the titles of all runs, those of other shards included. */
  plan: z.string(),
  /** Runs of all shards. */
  total: Count,
  /** How often each scenario is run: `--repeat`. */
  rounds: z.int().min(1),
  /** Runs that flags left out, in all shards alike. */
  notSelected: z.array(z.object({ runs: Count, because: z.string() })).readonly(),
  shard: z.exactOptional(z.looseObject({ part: z.int().min(1), of: z.int().min(1) })),
})
export type RunHeader = z.infer<typeof RunHeaderLine>

export const RunRecordLine = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('result'),
    /** From 1, among the runs of all shards. */
    place: z.int().min(1),
    run: z.custom<RecordedRun>(isRecordedRun, 'it is no result of a run'),
  }),
  z.looseObject({
    type: z.literal('end'),
    reason: z.enum(['done', 'interrupted', 'halted']),
    tookMs: z.number(),
    /** Why runs were not played. */
    halted: z.exactOptional(z.string()),
  }),
])
export type RunRecord = z.infer<typeof RunRecordLine>

export const runHeaderOf = (
  { titles, shard, notSelected }: RunPlan,
  rounds: number,
): RunHeader => ({
  type: 'run',
  format: runRecordFormat,
  version: packageVersion(),
  plan: createHash('sha256').update(JSON.stringify(titles)).digest('hex').slice(0, 16),
  total: titles.length,
  rounds,
  notSelected,
  ...(shard ? { shard: { part: shard.part, of: shard.of } } : {}),
})

/** Undefined for a run without a result: it is played again. */
export function recordOfRun(place: number, run: RunReport): RunRecord | undefined {
  const { number: _number, total: _total, outcome, ...rest } = run
  if (run.result === 'stopped') return undefined
  if (!outcome) return { type: 'result', place, run: rest }
  const { endings: _endings, ...kept } = outcome
  return { type: 'result', place, run: { ...rest, outcome: kept } }
}

export function runOfRecord({ outcome, ...run }: RecordedRun, number: number, total: number) {
  const report: RunReport = {
    ...run,
    number,
    total,
    ...(outcome ? { outcome: { ...outcome, endings: new Map() } } : {}),
  }
  return report
}

export const endOfReport = ({ halted, interrupted, tookMs }: ScenarioReport): RunRecord => ({
  type: 'end',
  reason: interrupted ? 'interrupted' : halted === undefined ? 'done' : 'halted',
  tookMs,
  ...compact({ halted }),
})
