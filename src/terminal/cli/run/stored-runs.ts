/** Reads the record file of a run of scenarios, and holds the headers of several against each other. */
import { problem } from '../../../core/base/problem.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { checkedRecord, hasRecords, readRecordLines } from '../shards/record-lines.ts'
import { type RunPlan, unitOf } from './plan.ts'
import { type RunHeader, RunHeaderLine, type RunRecord, RunRecordLine } from './run-record.ts'

type ResultRecord = Extract<RunRecord, { readonly type: 'result' }>
type EndRecord = Extract<RunRecord, { readonly type: 'end' }>

export interface StoredRuns {
  /** As it was named. */
  readonly file: string
  readonly header: RunHeader
  /** By place; of a run that was played again the last result. */
  readonly results: ReadonlyMap<number, ResultRecord>
  /** One for each time that the shard was started and not killed. */
  readonly ends: readonly EndRecord[]
  /** Whether it was played to its end. */
  readonly isWhole: boolean
  /** Half a line at the end was left out: the writer was killed. */
  readonly isTorn: boolean
}

const remedy = 'Name a file that sparring run --out wrote.'

export async function readStoredRuns(name: string, cwd: string): Promise<StoredRuns> {
  const { file, values, isTorn } = await readRecordLines(name, cwd, remedy)
  let header: RunHeader | undefined
  const results = new Map<number, ResultRecord>()
  const ends: EndRecord[] = []
  let isWhole = false
  for (const [index, value] of values.entries()) {
    const place = `${file}:${index + 1}`
    const isHeader = isUnknownRecord(value) && value['type'] === 'run'
    if (index === 0 || isHeader) {
      header = checkedRecord(RunHeaderLine, value, place, remedy)
      isWhole = false
      continue
    }
    const record = checkedRecord(RunRecordLine, value, place, remedy)
    if (record.type === 'result') results.set(record.place, record)
    else ends.push(record)
    isWhole = record.type === 'end' && record.reason === 'done'
  }
  if (!header) throw problem(`reading ${file}`, 'it has no header of a run', remedy)
  return { file, header, results, ends, isWhole, isTorn }
}

type Named = Pick<StoredRuns, 'file' | 'header'>

/** In what two headers are not of one run, as a sentence; undefined when they are. */
function headerDifference(one: Named, other: Named): string | undefined {
  const field = (['version', 'total', 'rounds', 'plan'] as const).find(
    (each) => one.header[each] !== other.header[each],
  )
  if (field === undefined) return undefined
  if (field === 'plan') return `${one.file} and ${other.file} are of different scenarios`
  const name = { version: 'version of Sparring', total: 'number of runs', rounds: '--repeat' }[
    field
  ]
  return `the ${name} is ${one.header[field]} in ${one.file}, and ${other.header[field]} in ${other.file}`
}

const shardText = ({ shard }: RunHeader): string =>
  shard ? `part ${shard.part} of ${shard.of}` : 'the whole'

/** Throws a problem for files that are not the parts of one run. */
export function checkRunParts(parts: readonly StoredRuns[]): void {
  const attempted = 'merging the parts of a run'
  const [first] = parts
  const visited = new Map<number, string>()
  for (const part of parts) {
    const { file, header } = part
    const wrong =
      first &&
      (headerDifference(first, part) ??
        (first.header.shard?.of === header.shard?.of
          ? undefined
          : `${first.file} is ${shardText(first.header)}, and ${file} ${shardText(header)}`))
    if (wrong !== undefined)
      throw problem(attempted, wrong, 'Merge what was run with the same scenarios and flags.')
    const number = header.shard?.part ?? 1
    const same = visited.get(number)
    if (same !== undefined)
      throw problem(
        attempted,
        `${same} and ${file} are both ${shardText(header)}`,
        'Name each part once.',
      )
    visited.set(number, file)
  }
}

/**
 * The results that need not be played again, by place. A group is compared by one process, and so is played as a whole.
 */
export async function resumedResults(
  file: string,
  cwd: string,
  header: RunHeader,
  { runs }: RunPlan,
): Promise<ReadonlyMap<number, ResultRecord> | undefined> {
  if (!(await hasRecords(file, cwd))) return undefined
  const stored = await readStoredRuns(file, cwd)
  const attempted = `continuing ${file}`
  const other = 'Say what it was begun with, or begin another with --out.'
  const wrong = headerDifference(stored, { file: 'this command', header })
  if (wrong !== undefined) throw problem(attempted, wrong, other)
  if (shardText(stored.header) !== shardText(header))
    throw problem(
      attempted,
      `it is ${shardText(stored.header)}, and this command ${shardText(header)}`,
      other,
    )
  const groups = Map.groupBy(runs, ({ loaded, repetition }) => `${repetition} ${unitOf(loaded)}`)
  return new Map(
    [...groups.values()]
      .filter((group) => group.every(({ place }) => stored.results.has(place)))
      .flatMap((group) => group.map(({ place }) => place))
      .flatMap((place) => {
        const result = stored.results.get(place)
        return result ? [[place, result] as const] : []
      }),
  )
}
