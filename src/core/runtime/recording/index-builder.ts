/**
 * Builds the index of a recording: scans the files and extracts from every line what listing, filtering and reading it
 * later need.
 */
import type { Party } from '../../traffic/exchange.ts'
import type { HeaderLine, MarkLine } from '../../traffic/recording/format.ts'
import {
  type LineProblem,
  type RecordedLine,
  readRecordedLine,
} from '../../traffic/recording/reader.ts'
import { createEntityTable } from './entity-table.ts'
import { createIndexColumns } from './index-columns.ts'
import { partBase, createIndexParts } from './index-parts.ts'
import type { SearchableIndex, CallRoute } from './index-search.ts'
import { createLineHead, createLineHeadReader, lineFlag } from './line-head.ts'
import type { PartFile } from './recording-files.ts'

export interface IndexedMark {
  readonly id: string
  /** Sequence number of the exchange that it follows. */
  readonly seq: number
  /** Milliseconds since 1970, if recorded. */
  readonly at: number | undefined
  readonly text: string
}

const maxProblems = 100

const isRoute = (value: unknown): value is { from: Party; to: Party; op: string | null } =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value

function parseRoute(text: string): CallRoute {
  const value: unknown = JSON.parse(`{${Buffer.from(text, 'latin1').toString('utf8')}}`)
  if (!isRoute(value)) throw new Error(`this is no place: ${text}`)
  const partyOf = ({ role, party }: Party): Party => ({
    role,
    party: party === 'subject' || party === 'sparring' ? party : 'partner',
  })
  return {
    from: partyOf(value.from),
    to: partyOf(value.to),
    operation: value.op ?? undefined,
  }
}

/** The index under construction, over repeated scans. */
export interface IndexBuilder extends SearchableIndex {
  readonly marks: readonly IndexedMark[]
  readonly problems: readonly LineProblem[]
  readonly header: () => HeaderLine | undefined
  /** Start time from the header, in milliseconds since 1970. */
  readonly t0: () => number
  readonly bytes: () => number
  readonly closed: () => boolean
  /** Scans what is new in the files, until it is enough; `isEnough` is asked after each block. */
  readonly scan: (files: readonly PartFile[], isEnough: () => boolean) => Promise<void>
  /** Everything that the last scan found has been scanned. */
  readonly isWhole: () => boolean
  readonly addProblem: (problem: LineProblem) => void
}

export function createIndexBuilder(file: string, isFolder: boolean): IndexBuilder {
  /** The file name of a problem, when the recording has several. */
  const placeOf = (name: string): { readonly file?: string } => (isFolder ? { file: name } : {})

  const columns = createIndexColumns()
  const entities = createEntityTable()
  const routeNumbers = new Map<string, number>()
  const routes: CallRoute[] = []
  const head = createLineHead()
  const readHead = createLineHeadReader(head)
  const parts = createIndexParts(file, ({ name }, message) =>
    addProblem({ line: 0, message, ...placeOf(name) }),
  )
  /** Rows of exchanges written while in flight, by sequence number. */
  const open = new Map<number, number>()
  const marks: IndexedMark[] = []
  const problems: LineProblem[] = []
  let header: HeaderLine | undefined
  let t0 = 0
  let bytes = 0
  let closed = false
  let isWhole = false
  /** Lines scanned of each file. */
  const lines = new Map<number, number>()

  function addProblem(problem: LineProblem): void {
    if (problems.length < maxProblems) problems.push(problem)
  }

  function routeNumber(text: string): number {
    const known = routeNumbers.get(text)
    if (known !== undefined) return known
    const number = routes.push(parseRoute(text)) - 1
    // Copy the key: a slice would keep the whole block in memory.
    routeNumbers.set(Buffer.from(text, 'latin1').toString('latin1'), number)
    return number
  }

  function addExchange(at: number, length: number): void {
    const { seq, flags } = head
    const earlier = open.size > 0 || (flags & lineFlag.open) !== 0 ? open.get(seq) : undefined
    // The line of a finished exchange replaces the one written while it was in flight.
    if (earlier !== undefined) {
      open.delete(seq)
      columns.hide(earlier)
    }
    const row = columns.add()
    if ((flags & lineFlag.open) !== 0) open.set(seq, row)
    columns.offset[row] = at
    columns.length[row] = length
    columns.began[row] = head.began
    columns.tookMs[row] = head.tookMs
    columns.seq[row] = seq
    columns.status[row] = head.status
    columns.place[row] = routeNumber(head.place)
    columns.entity[row] = head.order === '' ? 0 : entities.add(head.order) + 1
    columns.flags[row] = flags
  }

  function addOther(line: RecordedLine): void {
    if (line.kind === 'header') {
      if (!header) t0 = Date.parse(line.line._rec.t0)
      header ??= line.line
    } else if (line.kind === 'end') closed = line.line._rec.goesOn !== true
    else if (line.kind === 'other' && line.line._rec.type === 'mark') addMark(line.line as MarkLine)
  }

  function addMark({ _rec: { id, seq, t, text = '' } }: MarkLine): void {
    marks.push({ id, seq, at: t && t0 + t.q0 / 1000, text })
  }

  async function scanPart({ number: part, name }: PartFile, isEnough: () => boolean) {
    const base = partBase(part)
    const from = parts.scanned(part)
    let number = lines.get(part) ?? 0

    function take(block: Buffer, start: number, end: number, at: number): void {
      number++
      const read = readHead(block, start, end)
      if (read.kind === 'exchange') {
        closed = false
        addExchange(base + at, end - start)
      } else if (read.kind === 'other') {
        closed = false
        addOther(read.line)
      } else if (read.kind === 'wrong')
        addProblem({ line: number, message: read.message, ...placeOf(name) })
    }

    const end = await parts.scan(part, from, take, isEnough)
    for (const at of end.skipped)
      addProblem({
        line: 0,
        message: `a line is truncated, or too long (at byte ${at})`,
        ...placeOf(name),
      })
    // An editor may have dropped the last line feed; a line still being written has none yet.
    const isLine = end.rest.length > 0 && readRecordedLine(end.rest.toString('utf8').trim()).ok
    if (isLine) take(end.rest, 0, end.rest.length, end.at)
    const to = end.at + (isLine ? end.rest.length : 0)
    parts.setScanned(part, to)
    lines.set(part, number)
    bytes += to - from
  }

  return {
    file,
    columns,
    entities,
    routes,
    parts,
    marks,
    problems,
    header: () => header,
    t0: () => t0,
    bytes: () => bytes,
    closed: () => closed,
    scan: async (files, isEnough) => {
      isWhole = false
      for (const each of parts.update(files)) {
        await scanPart(each, isEnough)
        if (isEnough()) return
      }
      isWhole = true
    },
    isWhole: () => isWhole,
    addProblem,
  }
}
