/**
 * Reading a recording, line by line and whatever its size: text goes in as it comes, lines come out. A broken line is
 * told with its number and left out, the rest is read; a last line that broke off is what a crash leaves, and said so.
 */
import { isGroup } from '../../protocol/group.ts'
import { no, ok, type Result } from '../../protocol/result.ts'
import type { z } from 'zod'
import { EndLine, HeaderLine, HttpLine, lineTypes, MarkLine, OtherLine } from './format.ts'
import { migrated, type Migrations } from './migrations.ts'

export type RecordedLine =
  | { readonly kind: 'header'; readonly line: HeaderLine }
  | { readonly kind: 'exchange'; readonly line: HttpLine }
  /** A request that was still under way; the `exchange` with its id wins, when there is one. */
  | { readonly kind: 'open'; readonly line: HttpLine }
  | { readonly kind: 'end'; readonly line: EndLine }
  | { readonly kind: 'other'; readonly line: MarkLine | OtherLine }

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Result<z.infer<Schema>, string> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return ok(data)
  const issue = error.issues[0]
  return no(`${issue?.path.join('.') || 'the line'} will not do: ${issue?.message}`)
}

/** A line of one kind, or what is wrong with it. */
type Reading = (value: unknown) => Result<RecordedLine, string>

const readings: Readonly<Record<(typeof lineTypes)[number], Reading>> = {
  header: (value) => {
    const line = parsed(HeaderLine, value)
    return line.ok ? ok({ kind: 'header', line: line.value }) : line
  },
  http: (value) => {
    const line = parsed(HttpLine, value)
    return line.ok ? ok({ kind: 'exchange', line: line.value }) : line
  },
  open: (value) => {
    const line = parsed(HttpLine, value)
    return line.ok ? ok({ kind: 'open', line: line.value }) : line
  },
  mark: (value) => {
    const line = parsed(MarkLine, value)
    return line.ok ? ok({ kind: 'other', line: line.value }) : line
  },
  state: (value) => {
    const line = parsed(OtherLine, value)
    return line.ok ? ok({ kind: 'other', line: line.value }) : line
  },
  end: (value) => {
    const line = parsed(EndLine, value)
    return line.ok ? ok({ kind: 'end', line: line.value }) : line
  },
}

const typeOf = (type: unknown) => lineTypes.find((each) => each === type)

/** One line, without its line feed; the error says what is wrong with it. */
export function readLine(text: string, table?: Migrations): Result<RecordedLine, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return no('it is no JSON')
  }
  if (!isGroup(value) || !isGroup(value['_rec']))
    return no('it has no _rec, so it is no line of a recording')
  const line = migrated(value, table)
  if (!line.ok) return line
  const rec = line.value['_rec']
  const type = isGroup(rec) ? rec['type'] : undefined
  const known = typeOf(type)
  return known === undefined
    ? no(`its type ${JSON.stringify(type)} is not known`)
    : readings[known](line.value)
}

/** A hash that can be asked in between. */
export interface RollingHash {
  readonly update: (text: string) => void
  readonly current: () => string
}

export interface LineProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
  /** Where that line is, in a recording of several files: `0002.rec.ndjson.zst`. */
  readonly file?: string
}

export interface ReadingEnd {
  readonly header?: HeaderLine
  readonly exchanges: number
  /** The line that closes the recording; without it, the recorder was interrupted. */
  readonly end?: EndLine
  /** Whether every byte is what the recorder wrote; unknown without an end or without a hash. */
  readonly intact?: boolean
  /** Characters of a last line that broke off. */
  readonly torn: number
  /** The first hundred. */
  readonly problems: readonly LineProblem[]
}

export interface RecordingReader {
  readonly feed: (text: string) => readonly RecordedLine[]
  /** What follows the last line feed, and how the whole thing stands. */
  readonly finish: () => { readonly last: readonly RecordedLine[]; readonly summary: ReadingEnd }
}

const mostProblems = 100

export function createRecordingReader(hash?: RollingHash): RecordingReader {
  let rest = ''
  let number = 0
  let exchanges = 0
  let header: HeaderLine | undefined
  let end: EndLine | undefined
  let intact: boolean | undefined
  const problems: LineProblem[] = []

  function complain(message: string): void {
    if (problems.length < mostProblems) problems.push({ line: number, message })
  }

  function note(read: RecordedLine): void {
    if (number === 1 && read.kind !== 'header') complain('the first line is no header')
    // A recording that goes on after its end has another end.
    end = undefined
    intact = undefined
    if (read.kind === 'header') header ??= read.line
    else if (read.kind === 'exchange') exchanges++
    else if (read.kind === 'end') {
      end = read.line
      if (hash) intact = hash.current() === read.line._rec.sha256
    }
  }

  function take(text: string): readonly RecordedLine[] {
    number++
    const bare = text.endsWith('\r') ? text.slice(0, -1) : text
    if (bare.trim() === '') return []
    const read = readLine(number === 1 ? bare.replace(/^\uFEFF/, '') : bare)
    if (read.ok) note(read.value)
    else complain(read.error)
    return read.ok ? [read.value] : []
  }

  function feed(text: string): readonly RecordedLine[] {
    const lines: RecordedLine[] = []
    let from = 0
    for (let feedAt = text.indexOf('\n'); feedAt >= 0; feedAt = text.indexOf('\n', from)) {
      // What was looked through before is not looked through again.
      const line = rest + text.slice(from, feedAt)
      rest = ''
      lines.push(...take(line))
      hash?.update(`${line}\n`)
      from = feedAt + 1
    }
    rest += text.slice(from)
    return lines
  }

  function finish() {
    let torn = 0
    let last: readonly RecordedLine[] = []
    // An editor may have left the last line feed out; a crash leaves half a line.
    if (rest.trim() !== '') {
      if (readLine(rest.trim()).ok) last = take(rest)
      else torn = rest.length
    }
    const summary: ReadingEnd = {
      exchanges,
      torn,
      problems,
      ...(header ? { header } : {}),
      ...(end ? { end } : {}),
      ...(intact === undefined ? {} : { intact }),
    }
    return { last, summary }
  }

  return { feed, finish }
}
