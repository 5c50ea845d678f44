/** HTTP Archive 1.2 (HAR) and its dialects, as saved by browsers, proxies and test libraries. */
import {
  defineFormat,
  type Exporter,
  type ExporterOptions,
  type FormatProblem,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
  type ImportPreamble,
  type InterleavedLine,
} from './format.ts'
import type { HeaderLine, HttpLine } from '../../core/traffic/recording/format.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { endOfJsonContainer, minifyJson } from '../../core/traffic/json/json-string.ts'
import { compact } from '../../core/base/compact.ts'
import {
  instantFromValue,
  isRecordableInstant,
  parseIsoInstant,
  recordableDurationMs,
} from '../../core/traffic/date-time.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { parseHarFailure, parseHarReply, parseHarRequest } from '../../core/traffic/har-message.ts'
import { readRecordedLine } from '../../core/traffic/recording/reader.ts'
import { exchangeFromLine } from '../../core/traffic/recording/recorded-exchange.ts'
import { bytesToBase64, decodeUtf8 } from '../../core/traffic/redaction/base64.ts'
import { unknownParties } from './foreign-exchange.ts'
import {
  type ByteSpan,
  HarScanner,
  defaultHarScanLimits,
  type HarScanLimits,
} from './har-scanner.ts'
import { findJsonSyntaxError } from './json-syntax-error.ts'

/**
 * Streaming HAR importer: entries are emitted as soon as they are complete. Invalid entries are reported and skipped; a
 * truncated file yields every entry before the break. An archive exported from a recording restores its lines
 * unchanged.
 */
const phases = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'] as const
/** Phases until the request was sent, and until the response began. */
const phasesBeforeSent = phases.slice(0, 4)
const phasesBeforeReply = phases.slice(0, 5)

function sumOf(timings: UnknownRecord, names: readonly string[]): number {
  let sum = 0
  for (const name of names) {
    const value = timings[name]
    // -1 means not applicable.
    if (typeof value === 'number' && value > 0) sum += value
  }
  return sum
}

const nonNegative = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined

interface HarEntryOptions {
  /** In ms since 1970, for an entry without a valid `startedDateTime`. */
  readonly fallbackStartedAt: number
  readonly warn: (remark: string) => void
}

function exchangeFromHarEntry(
  entry: UnknownRecord,
  { fallbackStartedAt: otherwise, warn }: HarEntryOptions,
): Omit<Exchange, 'seq'> {
  const parsedStart = instantFromValue(entry['startedDateTime'])
  const startedAt =
    parsedStart !== undefined && isRecordableInstant(parsedStart) ? parsedStart : undefined
  if (startedAt === undefined) warn('it does not say when it began: the one before it is taken')
  const timings = isUnknownRecord(entry['timings']) ? entry['timings'] : undefined
  if (!timings) warn('it has no timings')
  const total = recordableDurationMs(
    nonNegative(entry['time']) ?? (timings ? sumOf(timings, phases) : 0),
  )
  const request = parseHarRequest(entry['request'], warn)
  if (request.url === '') warn('it has no URL')
  const reply = parseHarReply(entry['response'], warn)
  const sentMs = timings && Math.min(total, sumOf(timings, phasesBeforeSent))
  const repliedMs = timings && Math.min(total, sumOf(timings, phasesBeforeReply))
  return {
    startedAt: startedAt ?? otherwise,
    tookMs: total,
    ...(sentMs === undefined || sentMs === 0 ? {} : { sentMs }),
    ...(repliedMs === undefined || repliedMs === total || !reply ? {} : { repliedMs }),
    ...unknownParties,
    request,
    ...(reply ? { reply } : { failure: parseHarFailure(entry) }),
  }
}

const maxProblems = 100
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/** UTF-8 text; invalid bytes become U+FFFD. */
function textOf(bytes: Uint8Array): { readonly text: string; readonly isWhole: boolean } {
  try {
    return { text: strict.decode(bytes), isWhole: true }
  } catch {
    return { text: lenient.decode(bytes), isWhole: false }
  }
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length

interface OwnLines {
  readonly header: HeaderLine
  readonly t0: number
  /** Non-exchange lines, with the number of exchanges before each. */
  readonly lines: readonly { readonly after: number; readonly line: unknown }[]
  readonly notes: ReturnType<typeof notesIn>
}

/** The recording header and non-exchange lines in `log._rec` of our own exports. */
function parseOwnLines(value: unknown): OwnLines | undefined {
  if (!isUnknownRecord(value) || !isUnknownRecord(value['header'])) return undefined
  const read = readRecordedLine(JSON.stringify(value['header']))
  if (!read.ok || read.value.kind !== 'header') return undefined
  const lines = (Array.isArray(value['lines']) ? value['lines'] : []).flatMap((each: unknown) =>
    isUnknownRecord(each) && typeof each['after'] === 'number'
      ? [{ after: each['after'], line: each['line'] }]
      : [],
  )
  const header = value['header'] as HeaderLine
  const notes = notesIn(lines.map(({ line }) => line))
  return { header, t0: parseIsoInstant(read.value.line._rec.t0) ?? 0, lines, notes }
}

export class HarImporter implements Importer {
  readonly #attachment: ImporterOptions['attachment']
  readonly #problems: FormatProblem[] = []
  #ready: ImportedExchange[] = []
  #entries = 0
  #hasLog = false
  #isListPassed = false
  #lastStartedAt: number
  #own: OwnLines | undefined
  /** Index of the next line of `own.lines` to emit. */
  #nextLine = 0
  readonly #before: Record<string, unknown> = {}
  readonly #behind: Record<string, unknown> = {}
  readonly #documentBefore: Record<string, unknown> = {}
  readonly #documentBehind: Record<string, unknown> = {}
  readonly #scanner: HarScanner

  constructor({ now, attachment }: ImporterOptions, limits: HarScanLimits = defaultHarScanLimits) {
    this.#attachment = attachment
    this.#lastStartedAt = now
    this.#scanner = new HarScanner(
      {
        entry: (span) => this.#takeEntry(span),
        logMember: (name, span) => this.#takeLogMember(name, span),
        documentMember: (name, span) => {
          const read = this.#parseSpan(span, name)
          const members = this.#isListPassed ? this.#documentBehind : this.#documentBefore
          if (read) defineMember(members, name, read.value)
        },
        entriesStart: () => {
          this.#hasLog = true
          this.#isListPassed = true
        },
        skipped: (at, message, name) => {
          if (name === undefined) this.#entries++
          const what = name ?? 'an entry'
          this.#report({ where: `byte ${at}`, message: `${what}: ${message}; it was left out` })
        },
      },
      limits,
    )
  }

  begun(): ImportPreamble {
    const creator = creatorIn(this.#before['creator'])
    return {
      ...compact({ creator }),
      ...(this.#own
        ? { header: this.#own.header }
        : membersAround(this.#before, this.#documentBefore)),
    }
  }

  feed(bytes: Uint8Array): readonly ImportedExchange[] {
    this.#scanner.feed(bytes)
    return this.#take()
  }

  finish(): ReturnType<Importer['finish']> {
    const broken = this.#scanner.finish()
    if (broken) {
      const inside = broken.inside && findJsonSyntaxError(textOf(broken.inside.bytes).text)
      const at = broken.inside && inside ? broken.inside.at + inside.at : broken.at
      const within = broken.inside
        ? `, in entry ${this.#entries + 1}, which begins at byte ${broken.inside.at}`
        : ''
      this.#report({ where: `byte ${at}`, message: `${broken.message}${within}`, fatal: true })
    } else if (!this.#isListPassed)
      this.#report({
        where: this.#hasLog ? 'log' : 'the document',
        message: 'it has no log.entries, so it is no HTTP archive',
        fatal: true,
      })
    const rest = this.#own?.lines.slice(this.#nextLine).map(({ line }) => line) ?? []
    return {
      remaining: this.#take(),
      problems: this.#problems,
      ...(this.#own ? { lines: rest } : membersAround(this.#behind, this.#documentBehind)),
    }
  }

  #takeLogMember(name: string, span: ByteSpan): void {
    this.#hasLog = true
    const read = this.#parseSpan(span, `log.${name}`)
    if (!read) return
    const isFront = this.#entries === 0 && !this.#isListPassed
    const found = name === '_rec' && this.#entries === 0 ? parseOwnLines(read.value) : undefined
    if (found) this.#own = found
    else defineMember(isFront ? this.#before : this.#behind, name, read.value)
  }

  #report(problem: FormatProblem): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem)
  }

  #parseSpan({ bytes, at }: ByteSpan, what: string): { text: string; value: unknown } | undefined {
    const { text, isWhole } = textOf(bytes)
    const lossy = 'some of its bytes are no UTF-8: they are read as \uFFFD'
    if (!isWhole) this.#report({ where: what, message: lossy })
    try {
      return { text, value: JSON.parse(text) as unknown }
    } catch {
      const broken = findJsonSyntaxError(text)
      const from = at + byteLength(text.slice(0, broken?.at ?? 0))
      this.#report({
        where: `${what}, byte ${from}`,
        message: `it is no JSON: ${broken?.message ?? ''}`,
      })
      return undefined
    }
  }

  /** Non-exchange lines of the exported recording that precede this exchange. */
  #linesBefore(): readonly unknown[] {
    const lines: unknown[] = []
    let next = this.#own?.lines[this.#nextLine]
    while (next && next.after < this.#entries) {
      lines.push(next.line)
      next = this.#own?.lines[++this.#nextLine]
    }
    return lines
  }

  #takeOwn(entry: UnknownRecord, entryText: string): ImportedExchange | undefined {
    if (!isUnknownRecord(entry['_rec'])) return undefined
    const [members, text] = this.#withoutNote(entry, entryText, entry['_rec']['seq'])
    const read = readRecordedLine(text)
    if (!read.ok || read.value.kind !== 'exchange') return undefined
    const line = members as HttpLine
    const t0 =
      this.#own?.t0 ?? (instantFromValue(members['startedDateTime']) ?? 0) - line._rec.t.q0 / 1000
    const { seq: _, ...exchange } = exchangeFromLine(read.value.line, t0)
    return { exchange, har: members, rec: line._rec, text }
  }

  /** The entry without the comment that stands for a note of our recording, which is among its lines. */
  #withoutNote(entry: UnknownRecord, text: string, seq: unknown): readonly [UnknownRecord, string] {
    const note = this.#own?.notes.get(seq)
    const end = note === undefined ? '' : `${commentMember(note)}}`
    if (end === '' || !text.endsWith(end)) return [entry, text]
    const { comment: _, ...rest } = entry
    return [rest, `${text.slice(0, -end.length)}}`]
  }

  #takeForeign(entry: UnknownRecord, entryText: string): ImportedExchange {
    const warn = new Set<string>()
    const members = attachHarBodies(entry, this.#attachment, (remark) => warn.add(remark))
    const text = members === entry ? entryText : undefined
    const exchange = exchangeFromHarEntry(members, {
      fallbackStartedAt: this.#lastStartedAt,
      warn: (remark) => warn.add(remark),
    })
    if ('_rec' in members) warn.add('it has a _rec that is not ours: it was left out')
    this.#lastStartedAt = exchange.startedAt
    return {
      exchange,
      har: members,
      ...compact({ text }),
      ...(warn.size > 0 ? { warn: [...warn] } : {}),
    }
  }

  #takeEntry(span: ByteSpan): void {
    this.#entries++
    const read = this.#parseSpan(span, `entry ${this.#entries}`)
    if (!read) return
    if (!isUnknownRecord(read.value)) {
      this.#report({ where: `entry ${this.#entries}, byte ${span.at}`, message: 'it is no object' })
      return
    }
    const text = minifyJson(read.text)
    const taken = this.#takeOwn(read.value, text) ?? this.#takeForeign(read.value, text)
    const lines = this.#linesBefore()
    this.#ready.push(lines.length > 0 ? { ...taken, before: lines } : taken)
  }

  #take(): readonly ImportedExchange[] {
    const batch = this.#ready
    this.#ready = []
    return batch
  }
}

/** The members of a foreign archive on one side of its entries. */
const membersAround = (har: UnknownRecord, harBeside: UnknownRecord) => ({
  ...(Object.keys(har).length > 0 ? { har } : {}),
  ...(Object.keys(harBeside).length > 0 ? { harBeside } : {}),
})

/** Defines the member without invoking setters: its name may be `__proto__`. */
function defineMember(members: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(members, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function creatorIn(value: unknown): ImportPreamble['creator'] {
  if (!isUnknownRecord(value) || typeof value['name'] !== 'string') return undefined
  const { name, version } = value
  return { name, ...(typeof version === 'string' ? { version } : {}) }
}

/** The member with its text, or unchanged when it names no file or the file is not there. */
function withText(
  content: unknown,
  attachment: ImporterOptions['attachment'],
  warn: (remark: string) => void,
): unknown {
  if (!isUnknownRecord(content) || typeof content['_file'] !== 'string' || 'text' in content)
    return content
  const bytes = attachment?.(content['_file'])
  if (!bytes) {
    warn('a body is in a file, which was not read')
    return content
  }
  const text = decodeUtf8(bytes)
  return text === undefined
    ? { ...content, text: bytesToBase64(bytes), encoding: 'base64' }
    : { ...content, text }
}

/**
 * Puts bodies into a HAR entry that stand in files beside the archive, as Playwright writes them: `_file` names the
 * file in `response.content` and `request.postData`. The same object when no body was attached.
 */
function attachHarBodies(
  entry: UnknownRecord,
  attachment: ImporterOptions['attachment'],
  warn: (remark: string) => void,
): UnknownRecord {
  const { request, response } = entry
  const posted = isUnknownRecord(request) ? request['postData'] : undefined
  const content = isUnknownRecord(response) ? response['content'] : undefined
  const newPosted = withText(posted, attachment, warn)
  const newContent = withText(content, attachment, warn)
  if (newPosted === posted && newContent === content) return entry
  return {
    ...entry,
    ...(newPosted === posted ? {} : { request: { ...(request as object), postData: newPosted } }),
    ...(newContent === content
      ? {}
      : { response: { ...(response as object), content: newContent } }),
  }
}

const decoder = new TextDecoder()

export const harFormat = defineFormat({
  name: 'har',
  summary: 'HTTP Archive 1.2, of browsers, proxies and test libraries; ours comes back as it was',
  fileExtensions: ['.har'],
  recognises(beginning, file) {
    const text = decoder.decode(beginning)
    if (/^[\s\uFEFF]*\{\s*"log"\s*:\s*\{/.test(text)) return 1
    if (/^[\s\uFEFF]*\{/.test(text) && /"log"\s*:\s*\{/.test(text)) return 0.8
    return file.toLowerCase().endsWith('.har') ? 0.6 : 0
  },
  importer: (options) => new HarImporter(options),
  exporter: (options) => createHarExporter(options),
})

const recordingMember = '{"_rec":'

/** The entry without its `_rec`; all other tokens unchanged. */
function withoutRecordingMember(text: string): string {
  if (!text.startsWith(recordingMember)) {
    const { _rec: _, ...rest } = JSON.parse(text) as UnknownRecord
    return JSON.stringify(rest)
  }
  const end = endOfJsonContainer(text, recordingMember.length)
  return text[end] === ',' ? `{${text.slice(end + 1)}` : '{}'
}

/** Members as JSON without the braces. */
const membersJson = (members: unknown): string =>
  isUnknownRecord(members) ? JSON.stringify(members).slice(1, -1) : ''

const joinMembers = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(',')

/** HAR readers require `version` and `creator`. */
function logJson({ _rec: rec }: HeaderLine): string {
  if (rec.har) return membersJson(rec.har)
  const [name = 'sparring', version = ''] = rec.tool.split('/')
  return membersJson({ version: '1.2', creator: { name, version }, pages: [] })
}

/** Members of an imported archive behind its entries, kept in the end line of the recording. */
const membersBehind = (others: readonly InterleavedLine[], name: 'har' | 'harBeside'): string =>
  membersJson(
    others
      .map(({ line }) => (isUnknownRecord(line['_rec']) ? line['_rec'][name] : undefined))
      .findLast((members) => members !== undefined),
  )

/**
 * HAR exporter. The line of an exchange is a HAR entry already and is copied. Members of an imported archive around its
 * entries are restored, and the non-exchange lines of the recording go into `log._rec`, before the entries, so that a
 * streaming import can restore the recording.
 *
 *   { "log": { "version", "creator", "_rec": { "header", "lines": [{ "after", "line" }] }, "entries": [ … ] } }
 */
function createHarExporter({ plain = false }: ExporterOptions): Exporter {
  let isFirst = true
  let behind = ''
  let beside = ''
  let notes: ReadonlyMap<unknown, string> = new Map()
  return {
    begin(header, others) {
      notes = notesIn(others.map(({ line }) => line))
      behind = membersBehind(others, 'har')
      beside = membersBehind(others, 'harBeside')
      const ours = plain ? '' : `"_rec":${JSON.stringify({ header, lines: others })}`
      // An imported archive may have no members besides its entries.
      const before =
        header._rec.source && !header._rec.har && isForeignHar(header) ? '' : logJson(header)
      return `{${joinMembers(membersJson(header._rec.harBeside), '"log":{')}${joinMembers(before, ours, '"entries":[')}\n`
    },
    exchange({ seq }, { comment }, text) {
      const comma = isFirst ? '' : ',\n'
      isFirst = false
      const note = notes.get(seq)
      const noted =
        note && comment === undefined
          ? `${text.trimEnd().slice(0, -1)}${commentMember(note)}}`
          : text
      return comma + (plain ? withoutRecordingMember(noted) : noted)
    },
    end: () => `\n]${behind === '' ? '' : `,${behind}`}}${beside === '' ? '' : `,${beside}`}}\n`,
  }
}

/** The notes of a recording by the numbers of their exchanges: the last on each, none where it was taken away. */
const notesIn = (lines: readonly unknown[]): ReadonlyMap<unknown, string> =>
  new Map(
    lines.flatMap((line) => {
      const { type, of, text } =
        (isUnknownRecord(line) && isUnknownRecord(line['_rec']) && line['_rec']) || {}
      return type === 'mark' && of !== undefined && typeof text === 'string'
        ? [[of, text] as const]
        : []
    }),
  )

const commentMember = (note: string): string => `,"comment":${JSON.stringify(note)}`

const isForeignHar = ({ _rec: { source } }: HeaderLine): boolean => source?.kind === 'har'
