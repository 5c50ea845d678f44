/**
 * Reads a whole recording into memory: a file, compressed or not, or a folder of segments. Broken parts are reported
 * with their position and skipped. Size is limited; `recording-index.ts` opens a recording of any size.
 */
import { compact } from '../../base/compact.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import {
  noteOf,
  recordedExchangeFromLine,
  type RecordedExchange,
  withNote,
} from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { HeaderLine, HttpLine, MarkLine, StateLine } from '../../traffic/recording/format.ts'
import type { SessionEnd } from '../../traffic/recording/session-end.ts'
import {
  createRecordingReader,
  type LineProblem,
  type RecordedLine,
  type RecordingReader,
} from '../../traffic/recording/reader.ts'
import { fileProblem } from '../files/file-problem.ts'
import { defaultExpansionLimits, openLineSource } from './line-source.ts'
import { type PartFile, readBlob, listRecordingFiles } from './recording-files.ts'
import { scanLines } from './scan-lines.ts'

export interface ReadLimits {
  readonly exchanges: number
  /** Of lines and bodies, decompressed. */
  readonly bytes: number
}

/** Default limits. */
export const readLimits: ReadLimits = { exchanges: 200_000, bytes: 512 * 1024 * 1024 }

/** Thrown during a scan, and reported as an error message. */
class TooLarge extends Error {}

const maxProblems = 100

export async function readRecording(
  path: string,
  limits: ReadLimits = readLimits,
): Promise<Result<RecordingContent, string>> {
  const file = path.replace(/(?<=.)[/\\]+$/, '')
  const attempted = `reading the recording ${file}`
  const listed = listRecordingFiles(file)
  if (!listed.ok) return listed
  const { parts, isFolder, missing } = listed.value
  const reading = new RecordingReading(file, limits)
  for (const number of missing)
    reading.complain({ line: 0, message: `segment ${number} is not there` })
  try {
    for (const part of parts) await reading.read(part, isFolder)
  } catch (error) {
    if (error instanceof TooLarge)
      return err(
        `${attempted} whole: it has more than ${limits.exchanges} exchanges or ` +
          `${Math.round(limits.bytes / 1024 ** 2)} MiB. Cut it: sparring export ${file} --only "seq>=1 seq<=${limits.exchanges}" -o part.rec.ndjson`,
      )
    return err(fileProblem(attempted, error))
  }
  return reading.result(attempted)
}

/** What a session wrote at its end; recordings of former versions have its verdicts alone. */
const sessionEndOf = ({ verdicts, faults, orders }: StateLine['_rec']): SessionEnd | undefined =>
  (verdicts ?? faults ?? orders) && {
    verdicts: verdicts ?? [],
    faults: faults ?? [],
    orders: orders ?? [],
  }

/** Of several sessions in one recording a rule is as the gravest verdict says: what has failed once has failed. */
function joinEnds(
  before: SessionEnd | undefined,
  after: SessionEnd | undefined,
): SessionEnd | undefined {
  if (!before || !after) return after ?? before
  const verdicts = new Map(before.verdicts.map((verdict) => [verdict.id, verdict]))
  for (const verdict of after.verdicts)
    if (verdicts.get(verdict.id)?.outcome !== 'failed') verdicts.set(verdict.id, verdict)
  return {
    verdicts: [...verdicts.values()],
    faults: [...before.faults, ...after.faults],
    orders: [...before.orders, ...after.orders],
  }
}

class RecordingReading {
  readonly #file: string
  readonly #limits: ReadLimits
  readonly #exchanges: RecordedExchange[] = []
  /** Lines written while an exchange was in flight, until its final line is found. */
  readonly #open: HttpLine[] = []
  readonly #problems: LineProblem[] = []
  #header: HeaderLine | undefined
  #sessionEnd: SessionEnd | undefined
  /** By the number of the exchange. */
  readonly #notes = new Map<number, string>()
  #t0 = 0
  #bytes = 0
  #closed = false

  constructor(file: string, limits: ReadLimits) {
    this.#file = file
    this.#limits = limits
  }

  async read({ file: from, name }: PartFile, isFolder: boolean): Promise<void> {
    const place = isFolder ? { file: name } : {}
    const reader = createRecordingReader()
    const source = await openLineSource(
      from,
      (message) => this.complain({ line: 0, message, ...place }),
      [],
      // No more than is read is unpacked; what is beyond it shows that it is too large.
      {
        ...defaultExpansionLimits,
        maxBytes: this.#limits.bytes + defaultExpansionLimits.freeBytes,
      },
    )
    try {
      const end = await scanLines(source, 0, (block, start, stop) => {
        this.#count(stop - start)
        this.#take(reader.feed(`${block.toString('utf8', start, stop)}\n`), place)
      })
      for (const at of end.skipped)
        this.complain({
          line: 0,
          message: `the line at byte ${at} is truncated, or too long`,
          ...place,
        })
      this.#finish(reader, end.rest.toString('utf8'), place)
    } finally {
      source.close()
    }
  }

  complain(problem: LineProblem): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem)
  }

  result(attempted: string): Result<RecordingContent, string> {
    if (!this.#header) {
      const [first] = this.#problems
      const because = first
        ? (first.file === undefined ? '' : `${first.file}: `) + first.message
        : 'it is empty'
      return err(`${attempted}: it has no header: ${because}. Is it a recording?`)
    }
    this.#exchanges.push(...this.#unfinishedExchanges())
    this.#exchanges.sort((a, b) => a.seq - b.seq)
    return ok({
      file: this.#file,
      header: this.#header,
      exchanges: this.#exchanges.map((each) => withNote(each, this.#notes.get(each.seq))),
      problems: this.#problems,
      closed: this.#closed,
      ...compact({ end: this.#sessionEnd }),
    })
  }

  #count(more: number): void {
    this.#bytes += more
    if (
      this.#bytes > this.#limits.bytes ||
      this.#exchanges.length + this.#open.length > this.#limits.exchanges
    )
      throw new TooLarge()
  }

  #take(lines: readonly RecordedLine[], place: { readonly file?: string }): void {
    for (const { kind, line } of lines) {
      this.#closed = false
      if (kind === 'header') {
        if (!this.#header) this.#t0 = Date.parse(line._rec.t0)
        this.#header ??= line
      } else if (kind === 'exchange') this.#exchanges.push(this.#exchangeOf(line, place))
      else if (kind === 'open') this.#open.push(line)
      else if (kind === 'other' && line._rec.type === 'state')
        this.#sessionEnd = joinEnds(this.#sessionEnd, sessionEndOf(line._rec))
      else if (kind === 'other' && line._rec.type === 'mark') {
        const note = noteOf(line as MarkLine)
        if (note) this.#notes.set(note.seq, note.note)
      } else if (kind === 'end') this.#closed = line._rec.goesOn !== true
    }
  }

  #exchangeOf(line: HttpLine, place: { readonly file?: string }): RecordedExchange {
    return recordedExchangeFromLine(line, this.#t0, (name) => {
      const blob = readBlob(this.#file, name)
      if (blob.ok) {
        this.#count(blob.value.length)
        return blob.value
      }
      this.complain({ line: 0, message: `of exchange ${line._rec.seq}, ${blob.error}`, ...place })
      return undefined
    })
  }

  #finish(reader: RecordingReader, rest: string, place: { readonly file?: string }): void {
    this.#take(reader.feed(rest), place)
    const { last, summary } = reader.finish()
    this.#take(last, place)
    for (const problem of summary.problems) this.complain({ ...problem, ...place })
    if (summary.torn > 0) this.#closed = false
  }

  /** Exchanges without a final line. */
  #unfinishedExchanges(): readonly RecordedExchange[] {
    if (this.#open.length === 0) return []
    const over = new Set(this.#exchanges.map(({ recordId }) => recordId))
    const last = new Map(this.#open.map((line) => [line._rec.id, line]))
    return [...last.values()]
      .filter(({ _rec }) => !over.has(_rec.id))
      .map((line) => this.#exchangeOf(line, {}))
  }
}
