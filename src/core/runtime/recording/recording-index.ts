/**
 * Index of a recording of any size, without reading it into memory: one scan notes the offset of every exchange and
 * the data that lists and filters need; a line is parsed on demand. The file may still be growing.
 */
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Party } from '../../traffic/exchange.ts'
import { lowerBound } from '../../traffic/lower-bound.ts'
import type { HeaderLine, MarkLine, HttpLine } from '../../traffic/recording/format.ts'
import {
  type LineProblem,
  type RecordedLine,
  readRecordedLine,
} from '../../traffic/recording/reader.ts'
import {
  type RecordedExchange,
  recordedExchangeFromLine,
} from '../../traffic/recording/recorded-exchange.ts'
import { fileProblem } from '../files/file-problem.ts'
import { createEntityTable } from './entity-table.ts'
import { createIndexColumns } from './index-columns.ts'
import { partBase, createIndexParts } from './index-parts.ts'
import {
  type SearchableIndex,
  type CallRoute,
  createIndexSearch,
  type IndexFilter,
} from './index-search.ts'
import { createLineHead, createLineHeadReader, lineFlag } from './line-head.ts'
import { type PartFile, readBlob, listRecordingFiles } from './recording-files.ts'

/**
 * Builds the index of a recording: scans the files and extracts from every line what listing, filtering and reading it
 * later need.
 */
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
interface IndexBuilder extends SearchableIndex {
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

function createIndexBuilder(file: string, isFolder: boolean): IndexBuilder {
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

export type { IndexFilter } from './index-search.ts'

/** Index data of an exchange, available without reading it. */
export interface IndexedRow extends CallRoute {
  readonly seq: number
  /** Time of the recorded session, in milliseconds since 1970. */
  readonly startedAt: number
  /** On the wall clock. */
  readonly tookMs: number
  /** 0 when there was no reply. */
  readonly status: number
  /** Number of its order; equal for all exchanges of the order. */
  readonly entity: number | undefined
  /** Length of its line. */
  readonly bytes: number
  readonly failed: boolean
  /** It was in flight when the recording was written. */
  readonly open: boolean
  readonly faulty: boolean
}

export interface RecordingIndex {
  /** File or folder. */
  readonly file: string
  readonly header: HeaderLine
  /** Number of exchanges; positions are 0-based, in the order in which requests began. */
  readonly count: number
  /** Bytes of all lines, decompressed. */
  readonly bytes: number
  readonly marks: readonly IndexedMark[]
  /** The first hundred unreadable parts; the rest was read. */
  readonly problems: readonly LineProblem[]
  /** All that there was has been scanned; otherwise `refresh` goes on. */
  readonly isWhole: boolean
  /** Has an end line. Otherwise it is still being written, or was interrupted. */
  readonly closed: boolean
  /**
   * Reads one exchange. Throws a `RangeError` for an invalid position, and the file system's error when the file is
   * gone.
   */
  readonly at: (position: number) => Promise<RecordedExchange>
  /** Its line, as written in the file. */
  readonly line: (position: number) => Promise<HttpLine>
  readonly row: (position: number) => IndexedRow
  /** The first exchange that began at this time (ms since 1970) or later; `count` when there is none. */
  readonly seek: (time: number) => number
  /** The position of this sequence number, or where it would be inserted. */
  readonly positionOf: (seq: number) => number
  /** Matching positions, in order. Text is searched in the file itself, everything else in the index. */
  readonly filter: (filter: IndexFilter) => Promise<Uint32Array>
  /**
   * Scans what was not scanned yet, or was written since; returns the number of new exchanges. A long exchange that
   * ended late is inserted by its begin: keep sequence numbers, not positions. `onGrown` is called after each block.
   */
  readonly refresh: (onGrown?: () => void) => Promise<number>
  /** Ends a scan too. */
  readonly close: () => void
}

export interface IndexOptions {
  /** Stop where about so many exchanges are indexed. */
  readonly first?: number
}

export async function openRecordingIndex(
  path: string,
  { first = Number.POSITIVE_INFINITY }: IndexOptions = {},
): Promise<Result<RecordingIndex, string>> {
  const file = path.replace(/(?<=.)[/\\]+$/, '')
  const listed = listRecordingFiles(file)
  if (!listed.ok) return listed
  const { parts, missing, isFolder } = listed.value
  const filling = createIndexBuilder(file, isFolder)
  const index = createIndex(filling)
  try {
    await filling.scan(
      parts,
      () => filling.columns.size() >= first && filling.header() !== undefined,
    )
  } catch (error) {
    index.close()
    return err(fileProblem(`reading the recording ${file}`, error))
  }
  for (const number of missing)
    filling.addProblem({ line: 0, message: `segment ${number} is not there` })
  if (filling.header()) return ok(index)
  const [wrong] = filling.problems
  index.close()
  const where = wrong?.file === undefined ? '' : `${wrong.file}: `
  const because = wrong ? where + wrong.message : 'it is empty'
  return err(`reading the recording ${file}: it has no header: ${because}. Is it a recording?`)
}

function createIndex(filling: IndexBuilder): RecordingIndex {
  const { file, columns, parts, routes: places } = filling
  const search = createIndexSearch(filling)
  const count = (): number => columns.positions().length
  let isRunning: Promise<unknown> = Promise.resolve()
  let isClosed = false
  /** Cached result of `isRising` for an order. */
  let checked: { readonly order: Uint32Array; readonly isRising: boolean } | undefined

  function rowAt(position: number): number {
    const each = columns.positions()[position]
    if (each === undefined)
      throw new RangeError(`there is no exchange ${position}: the recording has ${count()}`)
    return each
  }

  async function lineAt(position: number): Promise<HttpLine> {
    const each = rowAt(position)
    const text = await parts.read(columns.offset[each] ?? 0, columns.length[each] ?? 0)
    const read = readRecordedLine(
      text
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trim(),
    )
    if (read.ok && (read.value.kind === 'exchange' || read.value.kind === 'open'))
      return read.value.line
    throw new Error(
      `exchange ${position} of ${file} cannot be read: ${read.ok ? 'it is none any more' : read.error}`,
    )
  }

  async function exchangeAt(position: number): Promise<RecordedExchange> {
    const read = await lineAt(position)
    return recordedExchangeFromLine(read, filling.t0(), (name) => {
      const blob = readBlob(file, name)
      return blob.ok ? blob.value : undefined
    })
  }

  function summaryOf(position: number): IndexedRow {
    const each = rowAt(position)
    const flags = columns.flags[each] ?? 0
    const entity = columns.entity[each] ?? 0
    const place = places[columns.place[each] ?? 0]
    if (!place) throw new Error('an exchange has no place')
    return {
      ...place,
      seq: columns.seq[each] ?? 0,
      startedAt: filling.t0() + (columns.began[each] ?? 0) / 1000,
      tookMs: columns.tookMs[each] ?? 0,
      status: columns.status[each] ?? 0,
      entity: entity === 0 ? undefined : entity - 1,
      bytes: columns.length[each] ?? 0,
      failed: (flags & lineFlag.failed) !== 0,
      open: (flags & lineFlag.open) !== 0,
      faulty: (flags & lineFlag.fault) !== 0,
    }
  }

  /** The first position whose column value is not less, for a sorted column. */
  function firstFrom(column: Float64Array | Uint32Array, minimum: number): number {
    const order = columns.positions()
    return lowerBound(order.length, (position) => (column[order[position] ?? 0] ?? 0) < minimum)
  }

  function isRising(order: Uint32Array): boolean {
    if (checked?.order === order) return checked.isRising
    let before = Number.NEGATIVE_INFINITY
    const rising = order.every((each) => {
      const isLater = (columns.began[each] ?? 0) >= before
      before = columns.began[each] ?? 0
      return isLater
    })
    checked = { order, isRising: rising }
    return rising
  }

  function seek(time: number): number {
    const minimum = (time - filling.t0()) * 1000
    const order = columns.positions()
    if (isRising(order)) return firstFrom(columns.began, minimum)
    // Times are unsorted after a clock change or in an import.
    const found = order.findIndex((each) => (columns.began[each] ?? 0) >= minimum)
    return found < 0 ? order.length : found
  }

  /** Serialises scans of the file. */
  function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = isRunning.then(work)
    isRunning = result.catch(() => undefined)
    return result
  }

  return {
    file,
    get header() {
      const header = filling.header()
      if (!header) throw new Error('the index was used before its header was read')
      return header
    },
    get count() {
      return count()
    },
    get bytes() {
      return filling.bytes()
    },
    marks: filling.marks,
    problems: filling.problems,
    get isWhole() {
      return filling.isWhole()
    },
    get closed() {
      return filling.closed()
    },
    at: exchangeAt,
    line: lineAt,
    row: summaryOf,
    seek,
    positionOf: (seq) => firstFrom(columns.seq, seq),
    filter: (filter) => inTurn(() => search(filter)),
    refresh: (onGrown) =>
      inTurn(async () => {
        const before = count()
        try {
          const listed = listRecordingFiles(file)
          if (!listed.ok) throw new Error(listed.error)
          await filling.scan(listed.value.parts, () => {
            onGrown?.()
            return false
          })
        } catch (error) {
          if (!isClosed) filling.addProblem({ line: 0, message: fileProblem('reading on', error) })
          throw error
        }
        return count() - before
      }),
    close() {
      isClosed = true
      parts.close()
    },
  }
}
