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

/** An exchange with operation, parties and what else its URL says of it. */
interface ClassifiedExchange extends Omit<Exchange, 'seq'> {
  /** Who called whom is assumed. */
  readonly assumed: boolean
}

class ImportedLineBuilder {
  readonly #options: ImportedLineOptions
  readonly #via: string
  readonly #idOf: ReturnType<typeof createLineIds>
  readonly #lineFor: ReturnType<typeof createExchangeFormatter>

  constructor(options: ImportedLineOptions) {
    const { header, t0, format, redactor } = options
    this.#options = options
    this.#via = `import:${format}`
    this.#idOf = createLineIds(saltFromId(header._rec.id))
    this.#lineFor = createExchangeFormatter({
      header,
      t0,
      via: this.#via,
      ...compact({ redactor }),
    })
  }

  lineOf(imported: ImportedExchange, seq: number): ImportedLine {
    const { har, rec, text, warn = [] } = imported
    if (rec && har) return this.#restoredLine(har, text)
    const { assumed, ...exchange } = this.#classify(imported)
    const remarks = assumed ? [...warn, 'who called whom is assumed'] : warn
    return har
      ? this.#foreignLine(
          har,
          { ...exchange, assumed },
          { ...compact({ text }), warn: remarks },
          seq,
        )
      : this.#ownLine({ ...exchange, seq }, remarks)
  }

  #withoutKnown(line: string, redactions: readonly Redaction[]): ImportedLine {
    const { redactor } = this.#options
    if (!redactor) return { text: line, redactions }
    const { text, red } = replaceKnownInLine(line, redactor)
    return { text, redactions: [...redactions, ...red] }
  }

  /** An own line: unchanged unless something has to be redacted. */
  #restoredLine(entry: UnknownRecord, text: string | undefined): ImportedLine {
    const { redactor, decode } = this.#options
    const { _rec: rec, ...rest } = entry
    const plain = text?.startsWith('{"_rec":') ? text : JSON.stringify({ _rec: rec, ...rest })
    if (!redactor) return { text: plain, redactions: [] }
    const { value, red } = redactHarEntry(entry, redactor, decode)
    if (red.length === 0 && (value === entry || JSON.stringify(value) === JSON.stringify(entry)))
      return this.#withoutKnown(plain, red)
    const { _rec: redacted, ...others } = value
    const known = isUnknownRecord(redacted) ? redacted : {}
    const next = { ...known, red: mergeRedactions(known['red'], red) }
    return this.#withoutKnown(JSON.stringify({ _rec: next, ...others }), red)
  }

  /** Adds operation, parameters, order, events and parties. */
  #classify({ exchange }: ImportedExchange): ClassifiedExchange {
    const { method, url } = exchange.request
    const found = recogniseOperation(method, url)
    const { from, to, assumed } = this.#options.roleMapping.partiesOf(url, found)
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
  #errOf({ code, message }: NonNullable<Exchange['failure']>) {
    const clean = this.#options.redactor?.message(message, 'err.message').value ?? message
    const left = message.includes(code) && !clean.includes(code)
    return { phase: 'wait', code: left ? 'NO_REPLY' : code, message: clean }
  }

  /** The path parameters, redacted where the URL of the redacted entry is. */
  #cleanParams(
    { request, params = {} }: Omit<Exchange, 'seq'>,
    redacted: UnknownRecord | undefined,
  ): UrlParams {
    const { redactor } = this.#options
    const next = redacted?.['request']
    const url = isUnknownRecord(next) ? next['url'] : undefined
    if (!redactor || typeof url !== 'string') return params
    const urls = { was: request.url, is: url }
    return redactor.redactWith((walk) => redactParams(walk, params, urls)).value
  }

  /** A foreign HAR entry with `_rec` in front. */
  #foreignLine(
    entry: UnknownRecord,
    exchange: ClassifiedExchange,
    { text, warn: remarks }: Pick<ImportedExchange, 'text'> & { readonly warn: readonly string[] },
    seq: number,
  ): ImportedLine {
    const { redactor, decode, t0 } = this.#options
    const { _rec: _, ...bare } = entry
    const redacted = redactor && redactHarEntry(bare, redactor, decode)
    const red = redacted?.red ?? []
    const rec = {
      v: formatVersion,
      type: 'http',
      id: this.#idOf(exchange.startedAt, seq),
      seq,
      t: timesOf(exchange, t0),
      lt: seq,
      ...routeOf(exchange, this.#via),
      params: exchange.params && this.#cleanParams(exchange, redacted?.value),
      corr: subjectsOf(exchange, redactor),
      err: exchange.failure && this.#errOf(exchange.failure),
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
      ...this.#withoutKnown(`{"_rec":${own}${body === '{}' ? '}' : `,${body.slice(1)}`}`, red),
      ...compact({ operation: exchange.operation }),
    }
  }

  /** Not from HAR: written by the ordinary line writer, with the warnings inserted. */
  #ownLine(exchange: Exchange, remarks: readonly string[]): ImportedLine {
    const line = this.#lineFor(exchange).slice(0, -1)
    // Quotes inside JSON strings are escaped, so the first match is the end of `_rec`.
    const end = line.indexOf('},"startedDateTime":"')
    const warn = remarks.length > 0 ? `,"warn":${JSON.stringify(remarks)}` : ''
    const text = line.slice(0, end) + warn + line.slice(end)
    const { red } = (JSON.parse(text) as { _rec: { red?: readonly Redaction[] } })._rec
    return { text, redactions: red ?? [], ...compact({ operation: exchange.operation }) }
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
  /** What is wrong with the bodies that were decoded until now. */
  readonly bodyProblems?: () => readonly FormatProblem[]
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

const maxKeys = 200

function count(counts: Map<string, number>, key: string): void {
  if (counts.has(key) || counts.size < maxKeys) counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** `_rec` has to be the first member of a line. */
const recFirst = ({ _rec: rec, ...rest }: UnknownRecord): { readonly _rec: object } => ({
  _rec: isUnknownRecord(rec) ? rec : {},
  ...rest,
})

export class ImportConverter {
  readonly #options: ImportConverterOptions
  readonly #redacted = new Map<string, number>()
  readonly #operations = new Map<string, number>()
  readonly #remarks = new Map<string, number>()
  #problems: readonly FormatProblem[] = []
  #header: HeaderLine | undefined
  #isOurs = false
  #creator: ImportPreamble['creator']
  #lines: ImportedLineBuilder | undefined
  #exchanges = 0
  #seq = 0
  #first: number | undefined
  #last: number | undefined

  constructor(options: ImportConverterOptions) {
    this.#options = options
  }

  /** The complete lines that these bytes yield. */
  feed(bytes: Uint8Array): string {
    const { importer } = this.#options
    return importer.feed(bytes).map(this.#exchange).join('')
  }

  /**
   * The remaining lines and the end line; `sha256` of the source if it was unknown when the header was written, and what
   * was wrong with the source itself.
   */
  finish(sha256?: string, sourceProblems: readonly FormatProblem[] = []): string {
    const { importer, hash } = this.#options
    const result = importer.finish()
    this.#problems = [...sourceProblems, ...result.problems]
    let text = result.remaining.map(this.#exchange).join('')
    // A file without exchanges makes no recording, unless it is one of ours.
    if (!this.#header && importer.begun?.().header !== undefined) text += this.#begin(undefined)
    this.#creator ??= result.creator
    if (!this.#header) return text
    if (result.lines) return text + result.lines.map(this.#nonExchangeLine).join('')
    const { har, harBeside } = result
    const ended = JSON.parse(
      formatEndLine({
        salt: saltFromId(this.#header._rec.id),
        instant: this.#last ?? this.#options.now,
        seq: this.#seq,
        http: this.#exchanges,
        dropped: 0,
        sha256: hash.current(),
      }),
    ) as { readonly _rec: HttpLine['_rec'] }
    const source = sha256 === undefined ? {} : { source: { sha256 } }
    const around = this.#cleanArchive({ har, harBeside })
    return text + this.#emitLine({ _rec: { ...ended._rec, ...source, ...around } })
  }

  summary(): ImportSummary {
    return {
      exchanges: this.#exchanges,
      redacted: Object.fromEntries(this.#redacted),
      operations: Object.fromEntries(this.#operations),
      problems: [...this.#problems, ...(this.#options.bodyProblems?.() ?? [])],
      remarks: Object.fromEntries(this.#remarks),
      isOurs: this.#isOurs,
      ...compact({ creator: this.#creator, forgottenSecrets: this.#forgottenSecrets() }),
      ...compact(this.#last === undefined ? {} : { from: this.#first, to: this.#last }),
    }
  }

  #emit(text: string): string {
    this.#options.hash.update(text)
    return text
  }

  /** A line besides those of exchanges. */
  #emitLine(line: { readonly _rec: object }): string {
    const { redactor } = this.#options
    const text = JSON.stringify(line)
    return this.#emit(`${redactor ? replaceKnownInLine(text, redactor).text : text}\n`)
  }

  #cleanMembers(members: UnknownRecord): UnknownRecord {
    const { redactor } = this.#options
    if (!redactor) return members
    const { value, red } = redactHarLog(members, redactor)
    this.#countRedactions(red)
    return value
  }

  #countRedactions(red: readonly Redaction[]): void {
    for (const { c } of red) count(this.#redacted, c)
  }

  /** Keeps the header of an own recording, redacted if needed. */
  #ownHeader(ownHeaderLine: HeaderLine): HeaderLine {
    const { redaction } = ownHeaderLine._rec
    const { redactor, info } = this.#options
    const mode = redactor && redaction.mode === 'none' ? info.redaction : redaction
    // Overriding a member keeps its position: a header without changes stays byte-identical.
    const around = this.#cleanArchive(ownHeaderLine._rec)
    const next = { ...ownHeaderLine._rec, redaction: mode, ...around }
    return recFirst({ ...ownHeaderLine, _rec: next }) as unknown as HeaderLine
  }

  /** Redacts the members of an imported archive around its entries, where a line carries them. */
  #cleanArchive({ har, harBeside }: UnknownRecord): UnknownRecord {
    return {
      ...(isUnknownRecord(har) ? { har: this.#cleanMembers(har) } : {}),
      ...(isUnknownRecord(harBeside) ? { harBeside: this.#cleanMembers(harBeside) } : {}),
    }
  }

  #newHeader(begun: ImportPreamble, t0: number): HeaderLine {
    const { roleMapping, hosts, info, salt, now, redactor } = this.#options
    const subject = roleMapping.subject()
    const parties = [
      ...(subject ? [{ party: 'subject', role: subject }] : []),
      ...hosts
        .filter(({ role }) => role !== subject)
        .map(({ base, role }) => ({ party: 'partner', role, base })),
    ]
    const base = createHeaderLine({ info: { ...info, parties }, t0, salt, redactor })
    const source = { ...this.#options.source, ...compact({ creator: begun.creator }) }
    return {
      _rec: {
        ...base._rec,
        created: isoOf(Math.floor(now)),
        source,
        ...this.#cleanArchive({ ...begun }),
      },
    }
  }

  /** `t0` of the recording in whole ms since 1970; its other times are relative to it. */
  #t0Of(imported: ImportedExchange | undefined): number {
    if (!imported) return Math.floor(this.#options.now)
    const offset = imported.rec ? imported.rec.t.q0 / 1000 : 0
    return Math.floor(imported.exchange.startedAt - offset)
  }

  #begin(imported: ImportedExchange | undefined): string {
    const { importer, roleMapping, format, redactor, decode } = this.#options
    const begun = importer.begun?.() ?? {}
    this.#creator = begun.creator
    this.#isOurs = begun.header !== undefined
    if (imported && !imported.rec) roleMapping.inferSubject(imported.exchange.request)
    this.#header = begun.header
      ? this.#ownHeader(begun.header)
      : this.#newHeader(begun, this.#t0Of(imported))
    const t0 = parseIsoInstant(this.#header._rec.t0) ?? 0
    const header = this.#header
    this.#lines = new ImportedLineBuilder({ header, t0, format, roleMapping, redactor, decode })
    return this.#emitLine(header)
  }

  /** Non-exchange lines (marks, snapshots, requests in flight): kept, redacted. */
  readonly #nonExchangeLine = (line: unknown): string => {
    const { redactor } = this.#options
    if (!isUnknownRecord(line) || !isUnknownRecord(line['_rec'])) return ''
    const { _rec: rec } = line
    this.#seq = Math.max(this.#seq, typeof rec['seq'] === 'number' ? rec['seq'] : 0)
    if (rec['type'] === 'end') return this.#end(line)
    if (!redactor) return this.#emitLine(recFirst(line))
    const { value, red } = redactHarEntry(line, redactor, this.#options.decode)
    this.#countRedactions(red)
    return this.#emitLine(recFirst(value))
  }

  /** An own end line with counts and hash recomputed for the lines written here. */
  #end(line: UnknownRecord): string {
    const rec = isUnknownRecord(line['_rec']) ? line['_rec'] : {}
    const counts = isUnknownRecord(rec['counts']) ? rec['counts'] : {}
    const next = {
      ...rec,
      counts: { ...counts, http: this.#exchanges },
      sha256: this.#options.hash.current(),
      ...this.#cleanArchive(rec),
    }
    return this.#emitLine(recFirst({ ...line, _rec: next }))
  }

  readonly #exchange = (imported: ImportedExchange): string => {
    let text = this.#header ? '' : this.#begin(imported)
    for (const line of imported.before ?? []) text += this.#nonExchangeLine(line)
    const own = imported.rec?.seq
    this.#seq = own ?? this.#seq + 1
    const line = this.#lines?.lineOf(imported, this.#seq)
    if (!line) return text
    this.#exchanges++
    const { startedAt } = imported.exchange
    this.#first = Math.min(this.#first ?? startedAt, startedAt)
    this.#last = Math.max(this.#last ?? startedAt, startedAt)
    this.#countRedactions(line.redactions)
    for (const remark of imported.warn ?? []) count(this.#remarks, remark)
    count(this.#operations, line.operation ?? imported.exchange.operation ?? 'unknown')
    return text + this.#emit(`${line.text}\n`)
  }

  #forgottenSecrets(): number | undefined {
    const forgotten = this.#options.redactor?.known?.forgotten() ?? 0
    return forgotten > 0 ? forgotten : undefined
  }
}
