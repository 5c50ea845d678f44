/**
 * A recording of any size, opened without reading it into memory: one pass over its bytes notes where every exchange
 * stands and the little that lists and filters need, and a line is parsed when somebody wants to see it. The file may
 * still be growing.
 */
import { no, ok, type Result } from '../../protocol/result.ts'
import { type RecordedExchange, recordedOf } from '../../traffic/recording/recorded-exchange.ts'
import type { HeaderLine, HttpLine } from '../../traffic/recording/format.ts'
import { type LineProblem, readLine } from '../../traffic/recording/reader.ts'
import { fileProblem } from '../files/file-problem.ts'
import { createFilling, type IndexedMark, type IndexFilling } from './index-fill.ts'
import type { IndexFilter, Place } from './index-filter.ts'
import { createSearch } from './index-search.ts'
import { flag } from './line-head.ts'
import { readBlob, recordingFiles } from './recording-files.ts'

export type { IndexedMark } from './index-fill.ts'
export type { IndexFilter } from './index-filter.ts'

/** What is known of an exchange without reading it. */
export interface IndexedRow extends Place {
  readonly seq: number
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly tookMs: number
  /** 0 when nobody answered. */
  readonly status: number
  /** A number for the order that it is about; the same for every exchange about it. */
  readonly entity: number | undefined
  /** Of its line. */
  readonly bytes: number
  readonly failed: boolean
  /** It was still under way when the recording was written. */
  readonly open: boolean
  readonly faulty: boolean
}

export interface RecordingIndex {
  /** The file or the folder. */
  readonly file: string
  readonly header: HeaderLine
  /** Exchanges; positions go from 0, in the order in which requests began. */
  readonly count: number
  /** Of all lines, unpacked. */
  readonly bytes: number
  readonly marks: readonly IndexedMark[]
  /** What could not be read, the first hundred; the rest was. */
  readonly problems: readonly LineProblem[]
  /** It ends as a recorder ends it. Without that it goes on, or was interrupted. */
  readonly closed: boolean
  /** Reads one exchange. Throws a `RangeError` for a position that there is not, and the file's own error when it is gone. */
  readonly at: (position: number) => Promise<RecordedExchange>
  /** Its line, as it stands in the file. */
  readonly line: (position: number) => Promise<HttpLine>
  readonly row: (position: number) => IndexedRow
  /** The first exchange that began then or later, in milliseconds since 1970; `count` when there is none. */
  readonly seek: (time: number) => number
  /** The exchange with this number, or the one that would stand behind it. */
  readonly positionOf: (seq: number) => number
  /** The positions that fit, in order. A text is looked for in the file itself, all else is known. */
  readonly filter: (filter: IndexFilter) => Promise<Uint32Array>
  /**
   * Reads what was written since; answers how many exchanges came. One that began before others and ended behind them
   * takes its place between them: hold on to numbers, not to positions.
   */
  readonly refresh: () => Promise<number>
  readonly close: () => void
}

export interface IndexOptions {
  /** Called once, when there is a first screen to show; the index goes on filling. */
  readonly onFirst?: (index: RecordingIndex) => void
}

const firstScreen = 1000

export async function openRecordingIndex(
  path: string,
  options: IndexOptions = {},
): Promise<Result<RecordingIndex, string>> {
  const file = path.replace(/(?<=.)[/\\]+$/, '')
  const listed = recordingFiles(file)
  if (!listed.ok) return listed
  const { parts, missing, isFolder } = listed.value
  const filling = createFilling(file, isFolder)
  const index = createIndex(filling)
  let { onFirst } = options
  try {
    await filling.scan(parts, () => {
      if (!onFirst || filling.columns.size() < firstScreen || !filling.header()) return
      const tell = onFirst
      onFirst = undefined
      tell(index)
    })
  } catch (error) {
    index.close()
    return no(fileProblem(`reading the recording ${file}`, error))
  }
  for (const number of missing)
    filling.complain({ line: 0, message: `segment ${number} is not there` })
  if (filling.header()) return ok(index)
  const [first] = filling.problems
  index.close()
  const where = first?.file === undefined ? '' : `${first.file}: `
  const because = first ? where + first.message : 'it is empty'
  return no(`reading the recording ${file}: it has no header: ${because}. Is it a recording?`)
}

function createIndex(filling: IndexFilling): RecordingIndex {
  const { file, columns, parts, places } = filling
  const search = createSearch(filling)
  const count = (): number => columns.positions().length
  let isRunning: Promise<unknown> = Promise.resolve()
  /** The order of which is known whether its times are in order too. */
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
    const read = readLine(
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
    return recordedOf(read, filling.t0(), (name) => {
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
      failed: (flags & flag.failed) !== 0,
      open: (flags & flag.open) !== 0,
      faulty: (flags & flag.fault) !== 0,
    }
  }

  /** The first position that is not before, in an order that the column is in. */
  function firstFrom(column: Float64Array | Uint32Array, least: number): number {
    const order = columns.positions()
    let low = 0
    let high = order.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((column[order[middle] ?? 0] ?? 0) < least) low = middle + 1
      else high = middle
    }
    return low
  }

  function isRising(order: Uint32Array): boolean {
    if (checked?.order === order) return checked.isRising
    let before = Number.NEGATIVE_INFINITY
    const isSo = order.every((each) => {
      const isLater = (columns.began[each] ?? 0) >= before
      before = columns.began[each] ?? 0
      return isLater
    })
    checked = { order, isRising: isSo }
    return isSo
  }

  function seek(time: number): number {
    const least = (time - filling.t0()) * 1000
    const order = columns.positions()
    if (isRising(order)) return firstFrom(columns.began, least)
    // A clock that was put back, or an import: times are in no order.
    const found = order.findIndex((each) => (columns.began[each] ?? 0) >= least)
    return found < 0 ? order.length : found
  }

  /** Passes over the file follow one another. */
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
    get closed() {
      return filling.closed()
    },
    at: exchangeAt,
    line: lineAt,
    row: summaryOf,
    seek,
    positionOf: (seq) => firstFrom(columns.seq, seq),
    filter: (given) => inTurn(() => search(given)),
    refresh: () =>
      inTurn(async () => {
        const listed = recordingFiles(file)
        if (!listed.ok) throw new Error(listed.error)
        const before = count()
        await filling.scan(listed.value.parts, () => undefined)
        return count() - before
      }),
    close: parts.close,
  }
}
