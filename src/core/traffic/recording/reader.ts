/**
 * Incremental reader of recordings of any size: text chunks in, lines out. A broken line is reported with its number
 * and skipped; an incomplete last line, as a crash leaves it, is reported as `torn`.
 */
import { compact } from '../../base/compact.ts'
import { isUnknownRecord, type UnknownRecord } from '../../protocol/unknown-record.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { z } from 'zod'
import {
  EndLine,
  HeaderLine,
  HttpLine,
  lineTypes,
  MarkLine,
  StateLine,
  formatVersion,
} from './format.ts'

export type RecordedLine =
  | { readonly kind: 'header'; readonly line: HeaderLine }
  | { readonly kind: 'exchange'; readonly line: HttpLine }
  /** A request that was in flight when this was written; an `exchange` with the same id replaces it. */
  | { readonly kind: 'open'; readonly line: HttpLine }
  | { readonly kind: 'end'; readonly line: EndLine }
  | { readonly kind: 'other'; readonly line: MarkLine | StateLine }

/** Validates a line of one type. */
type LineParser = (value: unknown) => Result<RecordedLine, string>

const parserOf =
  <Kind extends RecordedLine['kind'], Line>(kind: Kind, schema: z.ZodType<Line>) =>
  (value: unknown): Result<{ readonly kind: Kind; readonly line: Line }, string> => {
    const { success, data, error } = schema.safeParse(value)
    if (success) return ok({ kind, line: data })
    const issue = error.issues[0]
    return err(`${issue?.path.join('.') || 'the line'} will not do: ${issue?.message}`)
  }

const lineParsers: Readonly<Record<(typeof lineTypes)[number], LineParser>> = {
  header: parserOf('header', HeaderLine),
  http: parserOf('exchange', HttpLine),
  open: parserOf('open', HttpLine),
  mark: parserOf('other', MarkLine),
  state: parserOf('other', StateLine),
  end: parserOf('end', EndLine),
}

const lineTypeOf = (type: unknown) => lineTypes.find((each) => each === type)

/** Parses one line without its line feed; the error says what is wrong with it. */
export function readRecordedLine(text: string, table?: Migrations): Result<RecordedLine, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return err('it is no JSON')
  }
  if (!isUnknownRecord(value) || !isUnknownRecord(value['_rec']))
    return err('it has no _rec, so it is no line of a recording')
  const line = migrateLine(value, table)
  if (!line.ok) return line
  const rec = line.value['_rec']
  const type = isUnknownRecord(rec) ? rec['type'] : undefined
  const known = lineTypeOf(type)
  return known === undefined
    ? err(`its type ${JSON.stringify(type)} is not known`)
    : lineParsers[known](line.value)
}

/** A hash whose value can be read between updates. */
export interface RollingHash {
  readonly update: (text: string) => void
  readonly current: () => string
}

export interface LineProblem {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
  /** The file of that line, in a recording of several files: `0002.rec.ndjson.zst`. */
  readonly file?: string
}

export interface ReadSummary {
  readonly header?: HeaderLine
  readonly exchanges: number
  /** The end line; without it, the recorder was interrupted. */
  readonly end?: EndLine
  /** Whether the hash of the end line matches; unknown without an end line or a hash. */
  readonly intact?: boolean
  /** Characters of an incomplete last line. */
  readonly torn: number
  /** The first 100. */
  readonly problems: readonly LineProblem[]
}

export interface RecordingReader {
  readonly feed: (text: string) => readonly RecordedLine[]
  /** Reads the text after the last line feed and returns the summary. */
  readonly finish: () => { readonly last: readonly RecordedLine[]; readonly summary: ReadSummary }
}

const maxProblems = 100

export function createRecordingReader(hash?: RollingHash): RecordingReader {
  let partialLine = ''
  let lineNumber = 0
  let exchanges = 0
  let header: HeaderLine | undefined
  let end: EndLine | undefined
  let intact: boolean | undefined
  const problems: LineProblem[] = []

  function reportProblem(message: string): void {
    if (problems.length < maxProblems) problems.push({ line: lineNumber, message })
  }

  function trackLine(read: RecordedLine): void {
    if (lineNumber === 1 && read.kind !== 'header') reportProblem('the first line is no header')
    // A recording that continues after an end line has another end.
    end = undefined
    intact = undefined
    if (read.kind === 'header') header ??= read.line
    else if (read.kind === 'exchange') exchanges++
    else if (read.kind === 'end') {
      end = read.line
      if (hash) intact = hash.current() === read.line._rec.sha256
    }
  }

  function readNext(text: string): readonly RecordedLine[] {
    lineNumber++
    const bare = text.endsWith('\r') ? text.slice(0, -1) : text
    if (bare.trim() === '') return []
    const read = readRecordedLine(lineNumber === 1 ? bare.replace(/^\uFEFF/, '') : bare)
    if (read.ok) trackLine(read.value)
    else reportProblem(read.error)
    return read.ok ? [read.value] : []
  }

  function feed(text: string): readonly RecordedLine[] {
    const lines: RecordedLine[] = []
    let from = 0
    for (let feedAt = text.indexOf('\n'); feedAt >= 0; feedAt = text.indexOf('\n', from)) {
      // Searches each chunk only once.
      const line = partialLine + text.slice(from, feedAt)
      partialLine = ''
      lines.push(...readNext(line))
      hash?.update(`${line}\n`)
      from = feedAt + 1
    }
    partialLine += text.slice(from)
    return lines
  }

  function finish() {
    let torn = 0
    let last: readonly RecordedLine[] = []
    // An editor may drop the last line feed; a crash leaves an incomplete line.
    if (partialLine.trim() !== '') {
      if (readRecordedLine(partialLine.trim()).ok) last = readNext(partialLine)
      else torn = partialLine.length
    }
    const summary: ReadSummary = {
      exchanges,
      torn,
      problems,
      ...compact({ header, end, intact }),
    }
    return { last, summary }
  }

  return { feed, finish }
}

/**
 * Migrations of old recording formats. Each breaking change adds a row that converts a line of that version to the
 * next; readers apply the rows in order, and nothing is written back. A row is never changed: the tests keep a
 * recording of every version, which must always give the same result.
 */
export interface Migrations {
  /** The version after all migrations. */
  readonly newest: number
  /** By version: converts a line of that version to the next. Pure; need not change `v` itself. */
  readonly from: Readonly<Record<number, (line: UnknownRecord) => UnknownRecord>>
}

/** Version 1 is the first. */
export const migrations: Migrations = { newest: formatVersion, from: {} }

const recOf = ({ _rec: rec }: UnknownRecord): UnknownRecord | undefined =>
  isUnknownRecord(rec) ? rec : undefined

/** Converts a line of any version to the newest; the error says why that is impossible. */
export function migrateLine(
  line: UnknownRecord,
  table: Migrations = migrations,
): Result<UnknownRecord, string> {
  let current = line
  for (;;) {
    const rec = recOf(current)
    const version = rec?.['v']
    if (rec === undefined || version === table.newest) return ok(current)
    if (typeof version !== 'number' || !Number.isInteger(version))
      return err(`its version ${JSON.stringify(version)} is no version of this format`)
    if (version > table.newest)
      return err(
        `it is of format version ${version}, and version ${table.newest} is the newest known here`,
      )
    const step = table.from[version]
    if (!step) return err(`it is of format version ${version}, which cannot be read any more`)
    const next = step(current)
    // Sets the version itself: each step increments it by one, so the loop terminates.
    current = { ...next, _rec: { ...recOf(next), v: version + 1 } }
  }
}
