/**
 * Converts an imported file to recording lines: the header when the first exchange is available, one line per exchange,
 * an end line with counts and hash. Pure: the caller writes the returned text.
 */
import { compact } from '../../core/base/compact.ts'
import { isoOf } from '../../core/engine/instant.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { parseIsoInstant } from '../../core/traffic/date-time.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { orderAndEventsOf, recogniseOperation } from '../../core/traffic/recognise-operation.ts'
import {
  formatVersion,
  type HeaderLine,
  type HttpLine,
} from '../../core/traffic/recording/format.ts'
import { createLineIds, saltFromId } from '../../core/traffic/recording/line-ids.ts'
import type { RollingHash } from '../../core/traffic/recording/reader.ts'
import {
  createExchangeFormatter,
  routeOf,
  subjectsOf,
  timesOf,
  formatEndLine,
  createHeaderLine,
  type RecordingInfo,
} from '../../core/traffic/recording/recording-lines.ts'
import {
  mergeRedactions,
  replaceKnownInLine,
} from '../../core/traffic/recording/replace-known-in-line.ts'
import { redactHarEntry, redactHarLog } from '../../core/traffic/redaction/har-entry.ts'
import type { Redaction, Redactor } from '../../core/traffic/redaction/redactor.ts'
import { redactParams, type UrlParams } from '../../core/traffic/redaction/url.ts'
import type {
  ContentDecoder,
  ImportedExchange,
  ImportPreamble,
  FormatProblem,
  Importer,
} from './format.ts'
import type { RoleMapping } from './role-mapping.ts'

/**
 * Builds the recording line of an imported exchange, redacted. A foreign HAR entry keeps its text, with `_rec` put in
 * front; an entry from an own export is restored unchanged.
 */
interface ImportedLineOptions {
  readonly header: HeaderLine
  /** The header's t0, in ms since 1970. */
  readonly t0: number
  /** The name of the format. */
  readonly format: string
  readonly roleMapping: RoleMapping
  /** Absent for a raw recording. */
  readonly redactor?: Redactor | undefined
  readonly decode?: ContentDecoder | undefined
}

interface ImportedLine {
  /** Without the line feed. */
  readonly text: string
  /** Redactions made by this import. */
  readonly redactions: readonly Redaction[]
  readonly operation?: OperationId
}

function createImportedLineBuilder(
  options: ImportedLineOptions,
): (imported: ImportedExchange, seq: number) => ImportedLine {
  const { header, t0, format, roleMapping: casting, redactor, decode } = options
  const via = `import:${format}`
  const idOf = createLineIds(saltFromId(header._rec.id))
  const lineFor = createExchangeFormatter({ header, t0, via, ...compact({ redactor }) })

  function withoutKnown(line: string, redactions: readonly Redaction[]): ImportedLine {
    if (!redactor) return { text: line, redactions }
    const { text, red } = replaceKnownInLine(line, redactor)
    return { text, redactions: [...redactions, ...red] }
  }

  /** An own line: unchanged unless something has to be redacted. */
  function restoredLine(entry: UnknownRecord, text: string | undefined): ImportedLine {
    const { _rec: rec, ...rest } = entry
    const plain = text?.startsWith('{"_rec":') ? text : JSON.stringify({ _rec: rec, ...rest })
    if (!redactor) return { text: plain, redactions: [] }
    const { value, red } = redactHarEntry(entry, redactor, decode)
    if (red.length === 0 && (value === entry || JSON.stringify(value) === JSON.stringify(entry)))
      return withoutKnown(plain, red)
    const { _rec: redacted, ...others } = value
    const known = isUnknownRecord(redacted) ? redacted : {}
    const next = { ...known, red: mergeRedactions(known['red'], red) }
    return withoutKnown(JSON.stringify({ _rec: next, ...others }), red)
  }

  /** Adds operation, parameters, order, events and parties. */
  function classify(
    imported: ImportedExchange,
  ): Omit<Exchange, 'seq'> & { readonly assumed: boolean } {
    const { exchange } = imported
    const { method, url } = exchange.request
    const found = recogniseOperation(method, url)
    const { from, to, assumed } = casting.partiesOf(url, found)
    const identified = found
      ? {
          operation: found.row.id,
          ...(Object.keys(found.params).length > 0 ? { params: found.params } : {}),
          ...orderAndEventsOf(found, exchange),
        }
      : {}
    return { ...exchange, ...identified, from, to, assumed }
  }

  /** The failure. Its code was taken from the message: if redaction removed it there, it must not remain here. */
  function errOf({ code, message }: NonNullable<Exchange['failure']>) {
    const clean = redactor?.message(message, 'err.message').value ?? message
    const left = message.includes(code) && !clean.includes(code)
    return { phase: 'wait', code: left ? 'NO_REPLY' : code, message: clean }
  }

  /** The path parameters, redacted where the URL of the redacted entry is. */
  function cleanParams(
    { request, params = {} }: Omit<Exchange, 'seq'>,
    redacted: UnknownRecord | undefined,
  ): UrlParams {
    const next = redacted?.['request']
    const url = isUnknownRecord(next) ? next['url'] : undefined
    if (!redactor || typeof url !== 'string') return params
    const urls = { was: request.url, is: url }
    return redactor.redactWith((walk) => redactParams(walk, params, urls)).value
  }

  /** A foreign HAR entry with `_rec` in front. */
  function foreignLine(
    entry: UnknownRecord,
    exchange: ReturnType<typeof classify>,
    {
      text,
      warn: remarks,
    }: { readonly text: string | undefined; readonly warn: readonly string[] },
    seq: number,
  ): ImportedLine {
    const { _rec: _, ...bare } = entry
    const redacted = redactor && redactHarEntry(bare, redactor, decode)
    const red = redacted?.red ?? []
    const rec = {
      v: formatVersion,
      type: 'http',
      id: idOf(exchange.startedAt, seq),
      seq,
      t: timesOf(exchange, t0),
      lt: seq,
      ...routeOf(exchange, via),
      params: exchange.params && cleanParams(exchange, redacted?.value),
      corr: subjectsOf(exchange, redactor),
      err: exchange.failure && errOf(exchange.failure),
      red: red.length > 0 ? red : undefined,
      warn: remarks.length > 0 ? remarks : undefined,
    }
    const own = JSON.stringify(rec)
    const body = redacted
      ? JSON.stringify(redacted.value)
      : text !== undefined && !('_rec' in entry)
        ? text
        : JSON.stringify(bare)
    return {
      ...withoutKnown(`{"_rec":${own}${body === '{}' ? '}' : `,${body.slice(1)}`}`, red),
      ...compact({ operation: exchange.operation }),
    }
  }

  /** Not from HAR: written by the ordinary line writer, with the warnings inserted. */
  function ownLine(exchange: Exchange, remarks: readonly string[]): ImportedLine {
    const line = lineFor(exchange).slice(0, -1)
    // Quotes inside JSON strings are escaped, so the first match is the end of `_rec`.
    const end = line.indexOf('},"startedDateTime":"')
    const warn = remarks.length > 0 ? `,"warn":${JSON.stringify(remarks)}` : ''
    const text = line.slice(0, end) + warn + line.slice(end)
    const { red } = (JSON.parse(text) as { _rec: { red?: readonly Redaction[] } })._rec
    return {
      text,
      redactions: red ?? [],
      ...compact({ operation: exchange.operation }),
    }
  }

  return (imported, seq) => {
    const { har, rec, text, warn = [] } = imported
    if (rec && har) return restoredLine(har, text)
    const { assumed, ...exchange } = classify(imported)
    const remarks = assumed ? [...warn, 'who called whom is assumed'] : warn
    return har
      ? foreignLine(har, { ...exchange, assumed }, { text, warn: remarks }, seq)
      : ownLine({ ...exchange, seq }, remarks)
  }
}

type HeaderRec = HeaderLine['_rec']

export interface ImportConverterOptions extends Pick<
  ImportedLineOptions,
  'format' | 'roleMapping' | 'redactor' | 'decode'
> {
  readonly importer: Importer
  readonly info: Omit<RecordingInfo, 'parties'>
  readonly source: NonNullable<HeaderRec['source']>
  /** From `saltOf`. */
  readonly salt: string
  /** Time of the import, in ms since 1970. */
  readonly now: number
  readonly hosts: readonly {
    readonly base: string
    readonly role: HeaderRec['parties'][number]['role']
  }[]
  /** Running hash over all text returned. */
  readonly hash: RollingHash
}

export interface ImportSummary {
  readonly exchanges: number
  /** Redacted places by class. */
  readonly redacted: Readonly<Record<string, number>>
  readonly operations: Readonly<Record<string, number>>
  readonly problems: readonly FormatProblem[]
  /** Warnings, with the number of exchanges that have each. */
  readonly remarks: Readonly<Record<string, number>>
  readonly creator?: ImportPreamble['creator']
  /** The file was exported from a Sparring recording. */
  readonly isOurs: boolean
  /** Secrets that were too many to be looked for in all of the file: each was redacted in its own place. */
  readonly forgottenSecrets?: number
  readonly from?: number
  readonly to?: number
}

export type ImportConverter = ReturnType<typeof createImportConverter>

const maxKeys = 200

function count(counts: Map<string, number>, key: string): void {
  if (counts.has(key) || counts.size < maxKeys) counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** `_rec` has to be the first member of a line. */
const recFirst = ({ _rec: rec, ...rest }: UnknownRecord): { readonly _rec: object } => ({
  _rec: isUnknownRecord(rec) ? rec : {},
  ...rest,
})

export function createImportConverter(options: ImportConverterOptions) {
  const { importer, format, roleMapping: casting, redactor, hash, info } = options
  const redacted = new Map<string, number>()
  const operations = new Map<string, number>()
  const remarks = new Map<string, number>()
  let problems: readonly FormatProblem[] = []
  let header: HeaderLine | undefined
  let isOurs = false
  let creator: ImportPreamble['creator']
  let lineFor: ((imported: ImportedExchange, seq: number) => ImportedLine) | undefined
  let exchanges = 0
  let seq = 0
  let first: number | undefined
  let last: number | undefined

  function emit(text: string): string {
    hash.update(text)
    return text
  }

  /** A line besides those of exchanges. */
  function emitLine(line: { readonly _rec: object }): string {
    const text = JSON.stringify(line)
    return emit(`${redactor ? replaceKnownInLine(text, redactor).text : text}\n`)
  }

  function cleanMembers(members: UnknownRecord): UnknownRecord {
    if (!redactor) return members
    const { value, red } = redactHarLog(members, redactor)
    countRedactions(red)
    return value
  }

  function countRedactions(red: readonly Redaction[]): void {
    for (const { c } of red) count(redacted, c)
  }

  /** Keeps the header of an own recording, redacted if needed. */
  function ownHeader(ownHeaderLine: HeaderLine): HeaderLine {
    const { redaction } = ownHeaderLine._rec
    const mode = redactor && redaction.mode === 'none' ? info.redaction : redaction
    // Overriding a member keeps its position: a header without changes stays byte-identical.
    const next = { ...ownHeaderLine._rec, redaction: mode, ...cleanArchive(ownHeaderLine._rec) }
    return recFirst({ ...ownHeaderLine, _rec: next }) as unknown as HeaderLine
  }

  /** Redacts the members of an imported archive around its entries, where a line carries them. */
  function cleanArchive({ har, harBeside }: UnknownRecord): UnknownRecord {
    return {
      ...(isUnknownRecord(har) ? { har: cleanMembers(har) } : {}),
      ...(isUnknownRecord(harBeside) ? { harBeside: cleanMembers(harBeside) } : {}),
    }
  }

  function newHeader(begun: ImportPreamble, t0: number): HeaderLine {
    const subject = casting.subject()
    const parties = [
      ...(subject ? [{ party: 'subject', role: subject }] : []),
      ...options.hosts
        .filter(({ role }) => role !== subject)
        .map(({ base, role }) => ({ party: 'partner', role, base })),
    ]
    const base = createHeaderLine({ info: { ...info, parties }, t0, salt: options.salt })
    const source = { ...options.source, ...compact({ creator: begun.creator }) }
    return {
      _rec: {
        ...base._rec,
        created: isoOf(Math.floor(options.now)),
        source,
        ...cleanArchive({ ...begun }),
      },
    }
  }

  /** `t0` of the recording in whole ms since 1970; its other times are relative to it. */
  function t0Of(imported: ImportedExchange | undefined): number {
    if (!imported) return Math.floor(options.now)
    const offset = imported.rec ? imported.rec.t.q0 / 1000 : 0
    return Math.floor(imported.exchange.startedAt - offset)
  }

  function begin(imported: ImportedExchange | undefined): string {
    const begun = importer.begun?.() ?? {}
    creator = begun.creator
    isOurs = begun.header !== undefined
    if (imported && !imported.rec) casting.inferSubject(imported.exchange.request)
    header = begun.header ? ownHeader(begun.header) : newHeader(begun, t0Of(imported))
    const t0 = parseIsoInstant(header._rec.t0) ?? 0
    const { decode } = options
    lineFor = createImportedLineBuilder({
      header,
      t0,
      format,
      roleMapping: casting,
      redactor,
      decode,
    })
    return emitLine(header)
  }

  /** Non-exchange lines (marks, snapshots, requests in flight): kept, redacted. */
  function nonExchangeLine(line: unknown): string {
    if (!isUnknownRecord(line) || !isUnknownRecord(line['_rec'])) return ''
    const { _rec: rec } = line
    seq = Math.max(seq, typeof rec['seq'] === 'number' ? rec['seq'] : 0)
    if (rec['type'] === 'end') return end(line)
    if (!redactor) return emitLine(recFirst(line))
    const { value, red } = redactHarEntry(line, redactor, options.decode)
    countRedactions(red)
    return emitLine(recFirst(value))
  }

  /** An own end line with counts and hash recomputed for the lines written here. */
  function end(line: UnknownRecord): string {
    const rec = isUnknownRecord(line['_rec']) ? line['_rec'] : {}
    const counts = isUnknownRecord(rec['counts']) ? rec['counts'] : {}
    const next = {
      ...rec,
      counts: { ...counts, http: exchanges },
      sha256: hash.current(),
      ...cleanArchive(rec),
    }
    return emitLine(recFirst({ ...line, _rec: next }))
  }

  function exchange(imported: ImportedExchange): string {
    let text = header ? '' : begin(imported)
    for (const line of imported.before ?? []) text += nonExchangeLine(line)
    const own = imported.rec?.seq
    seq = own ?? seq + 1
    const line = lineFor?.(imported, seq)
    if (!line) return text
    exchanges++
    const { startedAt } = imported.exchange
    first = Math.min(first ?? startedAt, startedAt)
    last = Math.max(last ?? startedAt, startedAt)
    countRedactions(line.redactions)
    for (const remark of imported.warn ?? []) count(remarks, remark)
    count(operations, line.operation ?? imported.exchange.operation ?? 'unknown')
    return text + emit(`${line.text}\n`)
  }

  function finish(sha256?: string, sourceProblems: readonly FormatProblem[] = []): string {
    const result = importer.finish()
    problems = [...sourceProblems, ...result.problems]
    let text = result.remaining.map(exchange).join('')
    // A file without exchanges makes no recording, unless it is one of ours.
    if (!header && importer.begun?.().header !== undefined) text += begin(undefined)
    creator ??= result.creator
    if (!header) return text
    if (result.lines) return text + result.lines.map(nonExchangeLine).join('')
    const { har, harBeside } = result
    const ended = JSON.parse(
      formatEndLine({
        salt: saltFromId(header._rec.id),
        instant: last ?? options.now,
        seq,
        http: exchanges,
        dropped: 0,
        sha256: hash.current(),
      }),
    ) as { readonly _rec: HttpLine['_rec'] }
    const source = sha256 === undefined ? {} : { source: { sha256 } }
    return (
      text +
      emitLine({
        _rec: {
          ...ended._rec,
          ...source,
          ...cleanArchive({ har, harBeside }),
        },
      })
    )
  }

  function forgottenSecrets(): number | undefined {
    const forgotten = redactor?.known?.forgotten() ?? 0
    return forgotten > 0 ? forgotten : undefined
  }

  return {
    /** The complete lines that these bytes yield. */
    feed: (bytes: Uint8Array) => importer.feed(bytes).map(exchange).join(''),
    /**
     * The remaining lines and the end line; `sha256` of the source if it was unknown when the header was written, and what
     * was wrong with the source itself.
     */
    finish,
    summary: (): ImportSummary => ({
      exchanges,
      redacted: Object.fromEntries(redacted),
      operations: Object.fromEntries(operations),
      problems,
      remarks: Object.fromEntries(remarks),
      isOurs,
      ...compact({ creator, forgottenSecrets: forgottenSecrets() }),
      ...(first === undefined || last === undefined ? {} : { from: first, to: last }),
    }),
  }
}
