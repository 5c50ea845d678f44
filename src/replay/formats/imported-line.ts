/**
 * Builds the recording line of an imported exchange, redacted. A foreign HAR entry keeps its text, with `_rec` put in
 * front; an entry from an own export is restored unchanged.
 */
import { compact } from '../../core/base/compact.ts'
import type { OperationId } from '../../core/protocol/catalogue.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import {
  createExchangeFormatter,
  routeOf,
  subjectsOf,
  timesOf,
} from '../../core/traffic/recording/recording-lines.ts'
import { formatVersion, type HeaderLine } from '../../core/traffic/recording/format.ts'
import { createLineIds, saltFromId } from '../../core/traffic/recording/line-ids.ts'
import {
  mergeRedactions,
  replaceKnownInLine,
} from '../../core/traffic/recording/replace-known-in-line.ts'
import { orderAndEventsOf, recogniseOperation } from '../../core/traffic/recognise-operation.ts'
import { redactHarEntry } from '../../core/traffic/redaction/har-entry.ts'
import type { Redaction, Redactor } from '../../core/traffic/redaction/redactor.ts'
import { redactParams, type UrlParams } from '../../core/traffic/redaction/url.ts'
import type { RoleMapping } from './role-mapping.ts'
import type { ContentDecoder, ImportedExchange } from './format.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'

export interface ImportedLineOptions {
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

export interface ImportedLine {
  /** Without the line feed. */
  readonly text: string
  /** Redactions made by this import. */
  readonly redactions: readonly Redaction[]
  readonly operation?: OperationId
}

export function createImportedLineBuilder(
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
