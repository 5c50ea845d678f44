/**
 * Reads a whole recording into memory: a file, compressed or not, or a folder of segments. Broken parts are reported
 * with their position and skipped. Size is limited; `recording-index.ts` opens a recording of any size.
 */
import { compact } from '../../base/compact.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import {
  recordedExchangeFromLine,
  type RecordedExchange,
} from '../../traffic/recording/recorded-exchange.ts'
import type { RecordingContent } from '../../traffic/recording/content.ts'
import type { HeaderLine, HttpLine, StateLine } from '../../traffic/recording/format.ts'
import type { SessionEnd } from '../../traffic/recording/session-end.ts'
import {
  createRecordingReader,
  type LineProblem,
  type RecordedLine,
  type RecordingReader,
} from '../../traffic/recording/reader.ts'
import { fileProblem } from '../files/file-problem.ts'
import { openLineSource } from './line-source.ts'
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
  const reading = createReader(file, limits)
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

function createReader(file: string, limits: ReadLimits) {
  const exchanges: RecordedExchange[] = []
  /** Lines written while an exchange was in flight, until its final line is found. */
  const open: HttpLine[] = []
  const problems: LineProblem[] = []
  let header: HeaderLine | undefined
  let sessionEnd: SessionEnd | undefined
  let t0 = 0
  let bytes = 0
  let closed = false

  function addProblem(problem: LineProblem): void {
    if (problems.length < maxProblems) problems.push(problem)
  }

  function count(more: number): void {
    bytes += more
    if (bytes > limits.bytes || exchanges.length + open.length > limits.exchanges)
      throw new TooLarge()
  }

  function take(lines: readonly RecordedLine[], place: { readonly file?: string }): void {
    for (const { kind, line } of lines) {
      closed = false
      if (kind === 'header') {
        if (!header) t0 = Date.parse(line._rec.t0)
        header ??= line
      } else if (kind === 'exchange') exchanges.push(exchangeOf(line, place))
      else if (kind === 'open') open.push(line)
      else if (kind === 'other' && line._rec.type === 'state')
        sessionEnd = sessionEndOf(line._rec) ?? sessionEnd
      else if (kind === 'end') closed = line._rec.goesOn !== true
    }
  }

  const exchangeOf = (line: HttpLine, place: { readonly file?: string }): RecordedExchange =>
    recordedExchangeFromLine(line, t0, (name) => {
      const blob = readBlob(file, name)
      if (blob.ok) {
        count(blob.value.length)
        return blob.value
      }
      addProblem({ line: 0, message: `of exchange ${line._rec.seq}, ${blob.error}`, ...place })
      return undefined
    })

  async function read({ file: from, name }: PartFile, isFolder: boolean): Promise<void> {
    const place = isFolder ? { file: name } : {}
    const reader = createRecordingReader()
    const source = await openLineSource(from, (message) =>
      addProblem({ line: 0, message, ...place }),
    )
    try {
      const end = await scanLines(source, 0, (block, start, stop) => {
        count(stop - start)
        take(reader.feed(`${block.toString('utf8', start, stop)}\n`), place)
      })
      for (const at of end.skipped)
        addProblem({
          line: 0,
          message: `the line at byte ${at} is truncated, or too long`,
          ...place,
        })
      finish(reader, end.rest.toString('utf8'), place)
    } finally {
      source.close()
    }
  }

  function finish(reader: RecordingReader, rest: string, place: { readonly file?: string }): void {
    take(reader.feed(rest), place)
    const { last, summary } = reader.finish()
    take(last, place)
    for (const problem of summary.problems) addProblem({ ...problem, ...place })
    if (summary.torn > 0) closed = false
  }

  /** Exchanges without a final line. */
  function unfinishedExchanges(): readonly RecordedExchange[] {
    if (open.length === 0) return []
    const over = new Set(exchanges.map(({ recordId }) => recordId))
    const last = new Map(open.map((line) => [line._rec.id, line]))
    return [...last.values()]
      .filter(({ _rec }) => !over.has(_rec.id))
      .map((line) => exchangeOf(line, {}))
  }

  function result(attempted: string): Result<RecordingContent, string> {
    if (!header) {
      const [first] = problems
      const because = first
        ? (first.file === undefined ? '' : `${first.file}: `) + first.message
        : 'it is empty'
      return err(`${attempted}: it has no header: ${because}. Is it a recording?`)
    }
    exchanges.push(...unfinishedExchanges())
    exchanges.sort((a, b) => a.seq - b.seq)
    return ok({ file, header, exchanges, problems, closed, ...compact({ end: sessionEnd }) })
  }

  return { read, complain: addProblem, result }
}
