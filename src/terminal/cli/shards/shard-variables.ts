/** Which part of a whole this process does: by `--shard`, or by the variables of what distributes it. */
import { type Shard, parseShard } from './shard.ts'
import { problem } from '../../../core/base/problem.ts'
import type { Io } from '../io.ts'

interface ShardVariables {
  /** The number of this part … */
  readonly index: string
  /** … and of the first one. */
  readonly first: 0 | 1
  readonly total?: string
}

/**
 * Kubernetes (an indexed job), GitLab CI, CircleCI, Buildkite, Semaphore, Bitbucket Pipelines, Google Cloud Run jobs.
 */
const variables: readonly ShardVariables[] = [
  { index: 'JOB_COMPLETION_INDEX', first: 0, total: 'JOB_COMPLETIONS' },
  { index: 'CI_NODE_INDEX', first: 1, total: 'CI_NODE_TOTAL' },
  { index: 'CIRCLE_NODE_INDEX', first: 0, total: 'CIRCLE_NODE_TOTAL' },
  { index: 'BUILDKITE_PARALLEL_JOB', first: 0, total: 'BUILDKITE_PARALLEL_JOB_COUNT' },
  { index: 'SEMAPHORE_JOB_INDEX', first: 1, total: 'SEMAPHORE_JOB_COUNT' },
  { index: 'BITBUCKET_PARALLEL_STEP', first: 0, total: 'BITBUCKET_PARALLEL_STEP_COUNT' },
  { index: 'CLOUD_RUN_TASK_INDEX', first: 0, total: 'CLOUD_RUN_TASK_COUNT' },
]

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw problem(
    `reading ${name}`,
    `"${text}" is no number of a part`,
    'Say the part with --shard 1/8.',
  )
}

/** A part, and where its number comes from. */
export interface ChosenShard extends Shard {
  readonly from: string
}

export interface ShardFlags {
  /** `1/4`, or `auto` for the variables. */
  readonly shard?: string
  readonly shards?: number
}

/** Undefined for the whole. Throws a problem where the environment says nothing, and was to. */
export function chosenShard(
  { shard, shards }: ShardFlags,
  env: Io['env'],
): ChosenShard | undefined {
  const isAuto = shard === 'auto'
  const typed = parseShard(isAuto ? undefined : shard)
  if (typed) return typed.of === 1 ? undefined : { ...typed, from: '--shard' }
  for (const { index, first, total = '' } of variables) {
    const text = env[index]
    if (text === undefined || text === '') continue
    const ofText = env[total]
    const of =
      shards ?? (ofText === undefined || ofText === '' ? undefined : wholeNumber(total, ofText))
    if (of === undefined)
      throw problem(
        `reading ${index}`,
        'it has the number of this part, and nothing says of how many',
        `Say it with --shards, or set ${total}.`,
      )
    const part = wholeNumber(index, text) - first + 1
    if (part < 1 || part > of)
      throw problem(`reading ${index}`, `${text} is no part of ${of}`, 'Correct it, or --shards.')
    return of === 1 ? undefined : { part, of, from: index }
  }
  if (shards === 1 || (shards === undefined && !isAuto)) return undefined
  throw problem(
    `reading --shard${isAuto ? '' : 's'}`,
    'nothing says which of the parts this is',
    'Say it with --shard 1/8, or set JOB_COMPLETION_INDEX.',
  )
}
