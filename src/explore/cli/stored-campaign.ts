/** Reads the record file of a campaign, and holds the headers of several against each other. */
import { isDeepStrictEqual } from 'node:util'
import type { CampaignRecord } from '../campaign/campaign-record.ts'
import { createWorkload, type Workload } from '../workloads/workload.ts'
import { Problem, problem } from '../../core/base/problem.ts'
import { checkedRecord, readRecordLines } from '../../terminal/cli/shards/record-lines.ts'
import {
  type CampaignHeader,
  CampaignHeaderLine,
  CampaignRecordLine,
  searchDimensions,
} from './record-schema.ts'

export interface StoredCampaign {
  /** As it was named. */
  readonly file: string
  readonly header: CampaignHeader
  readonly records: readonly CampaignRecord[]
  /** Half a line at the end was left out: the writer was killed. */
  readonly isTorn: boolean
}

const rerun = 'Name a file that sparring explore --out wrote.'

const isHeader = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'campaign'

/** From a file or a URL. A resumed campaign has a header for each time: the last one counts. */
export async function readStoredCampaign(name: string, cwd: string): Promise<StoredCampaign> {
  const { file, values, isTorn } = await readRecordLines(name, cwd, rerun)
  let header: CampaignHeader | undefined
  const records: CampaignRecord[] = []
  for (const [index, value] of values.entries()) {
    const place = `${file}:${index + 1}`
    if (index === 0 || isHeader(value))
      header = checkedRecord(CampaignHeaderLine, value, place, rerun)
    else records.push(checkedRecord(CampaignRecordLine, value, place, rerun))
  }
  if (!header) throw problem(`reading ${file}`, 'it has no header of a campaign', rerun)
  return { file, header, records, isTorn }
}

/** As a header holds it. */
export const writtenWorkload = ({
  name,
  about,
  subjects,
  written,
  session,
}: Workload): CampaignHeader['workloads'][number] => ({
  name,
  about,
  subjects: [...subjects],
  ...written,
  session,
})

export function workloadsOfHeader({
  header,
  file,
}: Pick<StoredCampaign, 'header' | 'file'>): readonly Workload[] {
  return header.workloads.map((written) => {
    try {
      return createWorkload(written)
    } catch (error) {
      const wrong = error instanceof Error ? error.message : String(error)
      throw problem(`reading the workload "${written.name}" of ${file}`, wrong, rerun)
    }
  })
}

const comparedFields = [
  'version',
  'seed',
  'subject',
  'channel',
  'workloads',
  'groupSizes',
  ...searchDimensions,
] as const
type ComparedField = (typeof comparedFields)[number] | 'budget'

const textOf = (value: unknown): string => {
  if (!Array.isArray(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const names = value.map(({ name }: { readonly name: string }) => name)
  return names.join(', ')
}

/** In what two headers are not of one campaign, as a sentence; undefined when they are. */
export function headerDifference(
  one: Pick<StoredCampaign, 'file' | 'header'>,
  other: Pick<StoredCampaign, 'file' | 'header'>,
  more: readonly 'budget'[] = [],
): string | undefined {
  const fields: readonly ComparedField[] = [...comparedFields, ...more]
  // Through JSON: one may come from a file, and the other not.
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
  const field = fields.find(
    (each) => !isDeepStrictEqual(plain(one.header[each]), plain(other.header[each])),
  )
  if (field === undefined) return undefined
  const [here, there] = [textOf(one.header[field]), textOf(other.header[field])]
  return here === there
    ? `its ${field} are written differently in ${one.file} and ${other.file}`
    : `its ${field} is ${here} in ${one.file}, and ${there} in ${other.file}`
}

/** Throws a problem for files that are not the parts of one campaign. */
export function checkParts(parts: readonly StoredCampaign[]): void {
  const [first, ...others] = parts
  if (!first) return
  const merging = 'merging the parts of a campaign'
  const remedy = 'Merge what was run with the same seed, subject, channel, workloads and limits.'
  const visited = new Map<number, string>()
  for (const part of parts) {
    const wrong = others.includes(part) ? headerDifference(first, part, ['budget']) : undefined
    if (wrong !== undefined) throw problem(merging, wrong, remedy)
    const { shard = { part: 1, of: 1 } } = part.header
    if (shard.of !== (first.header.shard?.of ?? 1))
      throw problem(
        merging,
        `${part.file} is one of ${shard.of} parts, and ${first.file} one of ${first.header.shard?.of ?? 1}`,
        remedy,
      )
    const same = visited.get(shard.part)
    if (same !== undefined)
      throw new Problem(
        `${merging}: ${same} and ${part.file} are both part ${shard.part} of ${shard.of}. Name each part once.`,
        2,
      )
    visited.set(shard.part, part.file)
  }
}
