/**
 * Index of a recording of any size, without reading it into memory: one scan notes the offset of every exchange and
 * the data that lists and filters need; a line is parsed on demand. The file may still be growing.
 */
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Party } from '../../traffic/exchange.ts'
import { lowerBound } from '../../traffic/lower-bound.ts'
import type { HeaderLine, MarkLine, HttpLine, StateLine } from '../../traffic/recording/format.ts'
import { shownFailures } from '../../traffic/recording/session-end.ts'
import {
  type LineProblem,
  type RecordedLine,
  readRecordedLine,
} from '../../traffic/recording/reader.ts'
import {
  type RecordedExchange,
  noteOf,
  recordedExchangeFromLine,
  withNote,
} from '../../traffic/recording/recorded-exchange.ts'
import { fileProblem } from '../files/file-problem.ts'
import { createEntityTable } from './entity-table.ts'
import { createIndexColumns } from './index-columns.ts'
import { IndexParts, partBase } from './index-parts.ts'
import {
  type SearchableIndex,
  type CallRoute,
  createIndexSearch,
  type IndexFilter,
} from './index-search.ts'
import { createLineHead, LineHeadReader, lineFlag } from './line-head.ts'
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
/** Exchanges that are shown as failures of rules. */
const maxFailures = 1000

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
class IndexBuilder implements SearchableIndex {
  readonly file: string
  readonly #isFolder: boolean
  readonly columns = createIndexColumns()
  readonly entities = createEntityTable()
  readonly #routeNumbers = new Map<string, number>()
  readonly routes: CallRoute[] = []
  readonly #head = createLineHead()
  readonly #heads = new LineHeadReader(this.#head)
  readonly parts: IndexParts
  /** Rows of exchanges written while in flight, by sequence number. */
  readonly #open = new Map<number, number>()
  readonly marks: IndexedMark[] = []
  /** By the number of the exchange. */
  readonly notes = new Map<number, string>()
  /** Failed rules, by the number of an exchange that shows one. */
  readonly failures = new Map<number, string>()
  readonly problems: LineProblem[] = []
  #header: HeaderLine | undefined
  #t0 = 0
  #bytes = 0
  #closed = false
  #isWhole = false
  /** Lines scanned of each file. */
  readonly #lines = new Map<number, number>()

  constructor(file: string, isFolder: boolean) {
    this.file = file
    this.#isFolder = isFolder
    this.parts = new IndexParts(file, ({ name }, message) =>
      this.addProblem({ line: 0, message, ...this.#placeOf(name) }),
    )
  }

  readonly header = (): HeaderLine | undefined => this.#header
  /** Start time from the header, in milliseconds since 1970. */
  readonly t0 = (): number => this.#t0
  readonly bytes = (): number => this.#bytes
  readonly closed = (): boolean => this.#closed

  /** Scans what is new in the files, until it is enough; `isEnough` is asked after each block. */
  async scan(files: readonly PartFile[], isEnough: () => boolean): Promise<void> {
    this.#isWhole = false
    for (const each of this.parts.update(files)) {
      await this.#scanPart(each, isEnough)
      if (isEnough()) return
    }
    this.#isWhole = true
  }

  /** Everything that the last scan found has been scanned. */
  readonly isWhole = (): boolean => this.#isWhole

  addProblem(problem: LineProblem): void {
    if (this.problems.length < maxProblems) this.problems.push(problem)
  }

  /** The file name of a problem, when the recording has several. */
  #placeOf(name: string): { readonly file?: string } {
    return this.#isFolder ? { file: name } : {}
  }

  #routeNumber(text: string): number {
    const known = this.#routeNumbers.get(text)
    if (known !== undefined) return known
    const number = this.routes.push(parseRoute(text)) - 1
    // Copy the key: a slice would keep the whole block in memory.
    this.#routeNumbers.set(Buffer.from(text, 'latin1').toString('latin1'), number)
    return number
  }

  #addExchange(at: number, length: number): void {
    const { seq, flags } = this.#head
    const earlier =
      this.#open.size > 0 || (flags & lineFlag.open) !== 0 ? this.#open.get(seq) : undefined
    // The line of a finished exchange replaces the one written while it was in flight.
    if (earlier !== undefined) {
      this.#open.delete(seq)
      this.columns.hide(earlier)
    }
    const row = this.columns.add()
    if ((flags & lineFlag.open) !== 0) this.#open.set(seq, row)
    this.columns.offset[row] = at
    this.columns.length[row] = length
    this.columns.began[row] = this.#head.began
    this.columns.tookMs[row] = this.#head.tookMs
    this.columns.seq[row] = seq
    this.columns.status[row] = this.#head.status
    this.columns.place[row] = this.#routeNumber(this.#head.place)
    this.columns.entity[row] = this.#head.order === '' ? 0 : this.entities.add(this.#head.order) + 1
    this.columns.flags[row] = flags
  }

  #addOther(line: RecordedLine): void {
    if (line.kind === 'header') {
      if (!this.#header) this.#t0 = Date.parse(line.line._rec.t0)
      this.#header ??= line.line
    } else if (line.kind === 'end') this.#closed = line.line._rec.goesOn !== true
    else if (line.kind === 'other' && line.line._rec.type === 'mark')
      this.#addMark(line.line as MarkLine)
    else if (line.kind === 'other' && line.line._rec.type === 'state')
      this.#addFailures(line.line as StateLine)
  }

  #addFailures({ _rec: { verdicts = [] } }: StateLine): void {
    for (const [seq, text] of shownFailures(verdicts))
      if (this.failures.size < maxFailures && !this.failures.has(seq)) this.failures.set(seq, text)
  }

  #addMark(line: MarkLine): void {
    const { id, seq, t, text = '' } = line._rec
    const note = noteOf(line)
    if (note) this.notes.set(note.seq, note.note)
    else this.marks.push({ id, seq, at: t && this.#t0 + t.q0 / 1000, text })
  }

  async #scanPart({ number: part, name }: PartFile, isEnough: () => boolean) {
    const base = partBase(part)
    const from = this.parts.scanned(part)
    let number = this.#lines.get(part) ?? 0

    const take = (block: Buffer, start: number, end: number, at: number): void => {
      number++
      const read = this.#heads.read(block, start, end)
      if (read.kind === 'exchange') {
        this.#closed = false
        this.#addExchange(base + at, end - start)
      } else if (read.kind === 'other') {
        this.#closed = false
        this.#addOther(read.line)
      } else if (read.kind === 'wrong')
        this.addProblem({ line: number, message: read.message, ...this.#placeOf(name) })
    }

    const end = await this.parts.scan(part, from, take, isEnough)
    for (const at of end.skipped)
      this.addProblem({
        line: 0,
        message: `a line is truncated, or too long (at byte ${at})`,
        ...this.#placeOf(name),
      })
    // An editor may have dropped the last line feed; a line still being written has none yet.
    const isLine = end.rest.length > 0 && readRecordedLine(end.rest.toString('utf8').trim()).ok
    if (isLine) take(end.rest, 0, end.rest.length, end.at)
    const to = end.at + (isLine ? end.rest.length : 0)
    this.parts.setScanned(part, to)
    this.#lines.set(part, number)
    this.#bytes += to - from
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
  const filling = new IndexBuilder(file, isFolder)
  const index = new RecordingIndex(filling)
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

export class RecordingIndex {
  readonly #filling: IndexBuilder
  readonly file: IndexBuilder['file']
  readonly #columns: IndexBuilder['columns']
  readonly #parts: IndexBuilder['parts']
  readonly #places: IndexBuilder['routes']
  readonly #search: (filter: IndexFilter) => Promise<Uint32Array>
  #isRunning: Promise<unknown> = Promise.resolve()
  #isClosed = false
  /** Cached result of `isRising` for an order. */
  #checked: { readonly order: Uint32Array; readonly isRising: boolean } | undefined
  readonly marks: readonly IndexedMark[]
  /** Notes on exchanges, by their numbers; an empty one was taken away. */
  readonly notes: ReadonlyMap<number, string>
  /** Exchanges that show a failed rule, by their numbers. */
  readonly failures: ReadonlyMap<number, string>
  /** The first hundred unreadable parts; the rest was read. */
  readonly problems: readonly LineProblem[]

  constructor(filling: IndexBuilder) {
    this.#filling = filling
    const { file } = filling
    this.file = file
    this.#columns = filling.columns
    this.#parts = filling.parts
    this.#places = filling.routes
    this.#search = createIndexSearch(filling)
    this.marks = filling.marks
    this.notes = filling.notes
    this.failures = filling.failures
    this.problems = filling.problems
  }

  get header(): HeaderLine {
    const header = this.#filling.header()
    if (!header) throw new Error('the index was used before its header was read')
    return header
  }

  /** Number of exchanges; positions are 0-based, in the order in which requests began. */
  get count(): number {
    return this.#count()
  }

  /** Bytes of all lines, decompressed. */
  get bytes(): number {
    return this.#filling.bytes()
  }

  /** All that there was has been scanned; otherwise `refresh` goes on. */
  get isWhole(): boolean {
    return this.#filling.isWhole()
  }

  /** Has an end line. Otherwise it is still being written, or was interrupted. */
  get closed(): boolean {
    return this.#filling.closed()
  }

  /**
   * Reads one exchange. Throws a `RangeError` for an invalid position, and the file system's error when the file is
   * gone.
   */
  async at(position: number): Promise<RecordedExchange> {
    const read = await this.line(position)
    const exchange = recordedExchangeFromLine(read, this.#filling.t0(), (name) => {
      const blob = readBlob(this.file, name)
      return blob.ok ? blob.value : undefined
    })
    return withNote(exchange, this.notes.get(exchange.seq))
  }

  /** Its line, as written in the file. */
  async line(position: number): Promise<HttpLine> {
    const each = this.#rowAt(position)
    const text = await this.#parts.read(
      this.#columns.offset[each] ?? 0,
      this.#columns.length[each] ?? 0,
    )
    const read = readRecordedLine(
      text
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trim(),
    )
    if (read.ok && (read.value.kind === 'exchange' || read.value.kind === 'open'))
      return read.value.line
    throw new Error(
      `exchange ${position} of ${this.file} cannot be read: ${read.ok ? 'it is none any more' : read.error}`,
    )
  }

  row(position: number): IndexedRow {
    const each = this.#rowAt(position)
    const flags = this.#columns.flags[each] ?? 0
    const entity = this.#columns.entity[each] ?? 0
    const place = this.#places[this.#columns.place[each] ?? 0]
    if (!place) throw new Error('an exchange has no place')
    return {
      ...place,
      seq: this.#columns.seq[each] ?? 0,
      startedAt: this.#filling.t0() + (this.#columns.began[each] ?? 0) / 1000,
      tookMs: this.#columns.tookMs[each] ?? 0,
      status: this.#columns.status[each] ?? 0,
      entity: entity === 0 ? undefined : entity - 1,
      bytes: this.#columns.length[each] ?? 0,
      failed: (flags & lineFlag.failed) !== 0,
      open: (flags & lineFlag.open) !== 0,
      faulty: (flags & lineFlag.fault) !== 0,
    }
  }

  /** The first exchange that began at this time (ms since 1970) or later; `count` when there is none. */
  seek(time: number): number {
    const minimum = (time - this.#filling.t0()) * 1000
    const order = this.#columns.positions()
    if (this.#isRising(order)) return this.#firstFrom(this.#columns.began, minimum)
    // Times are unsorted after a clock change or in an import.
    const found = order.findIndex((each) => (this.#columns.began[each] ?? 0) >= minimum)
    return found < 0 ? order.length : found
  }

  /** The position of this sequence number, or where it would be inserted. */
  readonly positionOf = (seq: number): number => this.#firstFrom(this.#columns.seq, seq)

  /** Matching positions, in order. Text is searched in the file itself, everything else in the index. */
  filter(filter: IndexFilter): Promise<Uint32Array> {
    return this.#inTurn(() => this.#search(filter))
  }

  /**
   * Scans what was not scanned yet, or was written since; returns the number of new exchanges. A long exchange that
   * ended late is inserted by its begin: keep sequence numbers, not positions. `onGrown` is called after each block.
   */
  refresh(onGrown?: () => void): Promise<number> {
    return this.#inTurn(async () => {
      const before = this.#count()
      try {
        const listed = listRecordingFiles(this.file)
        if (!listed.ok) throw new Error(listed.error)
        await this.#filling.scan(listed.value.parts, () => {
          onGrown?.()
          return false
        })
      } catch (error) {
        if (!this.#isClosed)
          this.#filling.addProblem({ line: 0, message: fileProblem('reading on', error) })
        throw error
      }
      return this.#count() - before
    })
  }

  /** Ends a scan too. */
  close(): void {
    this.#isClosed = true
    this.#parts.close()
  }

  readonly #count = (): number => this.#columns.positions().length

  #rowAt(position: number): number {
    const each = this.#columns.positions()[position]
    if (each === undefined)
      throw new RangeError(`there is no exchange ${position}: the recording has ${this.#count()}`)
    return each
  }

  /** The first position whose column value is not less, for a sorted column. */
  #firstFrom(column: Float64Array | Uint32Array, minimum: number): number {
    const order = this.#columns.positions()
    return lowerBound(order.length, (position) => (column[order[position] ?? 0] ?? 0) < minimum)
  }

  #isRising(order: Uint32Array): boolean {
    if (this.#checked?.order === order) return this.#checked.isRising
    let before = Number.NEGATIVE_INFINITY
    const rising = order.every((each) => {
      const isLater = (this.#columns.began[each] ?? 0) >= before
      before = this.#columns.began[each] ?? 0
      return isLater
    })
    this.#checked = { order, isRising: rising }
    return rising
  }

  /** Serialises scans of the file. */
  #inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const result = this.#isRunning.then(work)
    this.#isRunning = result.catch(() => undefined)
    return result
  }
}
