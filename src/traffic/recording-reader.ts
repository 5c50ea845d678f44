/**
 * Reading a recording, line by line and whatever its size: text goes in as it comes, lines come out. A broken line is
 * told with its number and left out, the rest is read; a last line that broke off is what a crash leaves, and said so.
 */
import { no, ok, type Result } from '../protocol/result.ts'
import type { z } from 'zod'
import {
  EndLine,
  formatVersion,
  HeaderLine,
  HttpLine,
  lineTypes,
  OtherLine,
} from './recording-format.ts'

export type RecordedLine =
  | { readonly kind: 'header'; readonly line: HeaderLine }
  | { readonly kind: 'exchange'; readonly line: HttpLine }
  | { readonly kind: 'end'; readonly line: EndLine }
  | { readonly kind: 'other'; readonly line: OtherLine }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const knownTypes: ReadonlySet<unknown> = new Set(lineTypes)

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Result<z.infer<Schema>, string> {
  const { success, data, error } = schema.safeParse(value)
  if (success) return ok(data)
  const issue = error.issues[0]
  return no(`${issue?.path.join('.') || 'the line'} will not do: ${issue?.message}`)
}

function lineOf(value: unknown, type: unknown): Result<RecordedLine, string> {
  if (type === 'http') {
    const line = parsed(HttpLine, value)
    return line.ok ? ok({ kind: 'exchange', line: line.value }) : line
  }
  if (type === 'header') {
    const line = parsed(HeaderLine, value)
    return line.ok ? ok({ kind: 'header', line: line.value }) : line
  }
  if (type === 'end') {
    const line = parsed(EndLine, value)
    return line.ok ? ok({ kind: 'end', line: line.value }) : line
  }
  const line = parsed(OtherLine, value)
  return line.ok ? ok({ kind: 'other', line: line.value }) : line
}

/** One line, without its line feed; the error says what is wrong with it. */
export function readLine(text: string): Result<RecordedLine, string> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return no('it is no JSON')
  }
  if (!isObject(value) || !isObject(value['_rec']))
    return no('it has no _rec, so it is no line of a recording')
  const { v, type } = value['_rec']
  if (typeof v === 'number' && v > formatVersion)
    return no(`it is of format version ${v}, and version ${formatVersion} is the newest known here`)
  if (!knownTypes.has(type)) return no(`its type ${JSON.stringify(type)} is not known`)
  return lineOf(value, type)
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
    const all = rest + text
    for (let feedAt = all.indexOf('\n'); feedAt >= 0; feedAt = all.indexOf('\n', from)) {
      const line = all.slice(from, feedAt)
      lines.push(...take(line))
      hash?.update(`${line}\n`)
      from = feedAt + 1
    }
    rest = all.slice(from)
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
