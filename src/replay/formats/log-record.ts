/** Parses a log record by a mapping into a whole exchange, or its request or response. */
import { compact } from '../../core/base/compact.ts'
import { compile, type JSONPathQuery, type JSONValue } from 'json-p3'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { type ExchangeReply, type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import {
  loggedBodyText,
  parseLoggedHeaders,
  parseLoggedTime,
  parseLoggedDuration,
  parseLoggedNumber,
  scalarText,
} from './log-values.ts'
import { type LogMapping, logPathFields } from './log-presets.ts'

type Field = (typeof logPathFields)[number]
type Paths = string | readonly string[] | undefined

/** The first value that one of the paths matches. */
type Find = (record: JSONValue) => unknown

export interface LogRecordReader {
  /** The records of a line. */
  readonly recordsIn: (line: JSONValue) => readonly JSONValue[]
  readonly parse: (record: JSONValue) => ParsedLogRecord
}

/** A parsed record; request and response may be separate records, paired by `key`. */
export interface ParsedLogRecord {
  readonly kind: 'both' | 'request' | 'response'
  readonly key: string | undefined
  readonly method: string | undefined
  readonly url: string | undefined
  readonly startedAt: number | undefined
  readonly tookMs: number | undefined
  readonly headers: HeaderPairs
  readonly body: string | undefined
  readonly reply: ExchangeReply | undefined
  readonly error: string | undefined
  readonly warn: readonly string[]
}

const listOf = (paths: Paths): readonly string[] =>
  paths === undefined ? [] : typeof paths === 'string' ? [paths] : paths

const findNothing: Find = () => undefined

function finderOf(paths: Paths): Find {
  const queries: readonly JSONPathQuery[] = listOf(paths).map((path) => compile(path))
  if (queries.length === 0) return findNothing
  return (record) => {
    for (const query of queries)
      for (const { value } of query.lazyQuery(record))
        if (value !== null && value !== '') return value
    return undefined
  }
}

function recordsIn(paths: Paths): (line: JSONValue) => readonly JSONValue[] {
  const queries = listOf(paths).map((path) => compile(path))
  if (queries.length === 0) return (line) => [line]
  return (line) => {
    for (const query of queries) {
      const found = query.query(line).values() as readonly JSONValue[]
      if (found.length > 0) return found
    }
    return []
  }
}

const requestLine = /^([A-Z]{2,20}) (\S+)/

/** Builds an absolute URL from the mapped parts. */
function urlOf(find: Readonly<Record<Field, Find>>, record: JSONValue, base: string | undefined) {
  const path =
    scalarText(find.url(record)) ??
    requestLine.exec(scalarText(find.requestLine(record)) ?? '')?.[2]
  if (path === undefined) return { url: undefined, warn: [] }
  const query = scalarText(find.query(record))
  const tail =
    query === undefined || path.includes('?') ? path : `${path}?${query.replace(/^\?/, '')}`
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(tail)) return { url: tail, warn: [] }
  const slashed = tail.startsWith('/') ? tail : `/${tail}`
  if (base !== undefined) return { url: base.replace(/\/+$/, '') + slashed, warn: [] }
  const host =
    scalarText(find.host(record)) ??
    headerValue(parseLoggedHeaders(find.requestHeaders(record)), 'host')
  const scheme = scalarText(find.scheme(record)) ?? 'http'
  return host === undefined
    ? { url: `${scheme}://unknown.invalid${slashed}`, warn: ['no host is named'] }
    : { url: `${scheme}://${host}${slashed}`, warn: [] }
}

type Named = Readonly<Record<string, Find>>

const namedFinders = (headers: LogMapping['requestHeader']): Named =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, paths]) => [name, finderOf(paths)]))

function namedHeaders(named: Named, record: JSONValue): HeaderPairs {
  return Object.entries(named).flatMap(([name, find]) => {
    const value = scalarText(find(record))
    return value === undefined || value === '-' ? [] : [[name, value] as const]
  })
}

export function createLogRecordReader(mapping: LogMapping): Result<LogRecordReader, string> {
  try {
    return ok(recordReader(mapping))
  } catch (error) {
    return err(`reading the mapping: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function recordReader(mapping: LogMapping): LogRecordReader {
  const find = Object.fromEntries(
    logPathFields.map((field) => [field, finderOf(mapping[field])]),
  ) as Readonly<Record<Field, Find>>
  const named = {
    request: namedFinders(mapping.requestHeader),
    response: namedFinders(mapping.responseHeader),
  }
  const { pair } = mapping
  const keyOf = finderOf(pair?.key)
  const kindOf = finderOf(pair?.kind)
  const kinds = { request: listOf(pair?.request), response: listOf(pair?.response) }

  function kindIn(record: JSONValue): ParsedLogRecord['kind'] {
    const text = scalarText(kindOf(record)) ?? ''
    if (kinds.request.includes(text)) return 'request'
    return kinds.response.includes(text) ? 'response' : 'both'
  }

  function replyIn(record: JSONValue): ExchangeReply | undefined {
    const status = parseLoggedNumber(find.status(record))
    if (status === undefined || status < 100 || status > 999) return undefined
    const body = loggedBodyText(find.responseBody(record))
    const headers = [
      ...parseLoggedHeaders(find.responseHeaders(record)),
      ...namedHeaders(named.response, record),
    ]
    return { status: Math.trunc(status), headers, ...compact({ body }) }
  }

  return {
    recordsIn: recordsIn(mapping.each),
    parse(record) {
      const at = parseLoggedTime(find.time(record), mapping.timeUnit)
      const end = parseLoggedTime(find.end(record), mapping.timeUnit)
      const tookMs =
        end !== undefined && at !== undefined
          ? end - at
          : parseLoggedDuration(find.took(record), mapping.tookUnit)
      const isEnd = mapping.timeIs === 'end'
      const text = scalarText(find.requestLine(record)) ?? ''
      const { url, warn } = urlOf(find, record, mapping.base)
      return {
        kind: kindIn(record),
        key: scalarText(keyOf(record)),
        method: (scalarText(find.method(record)) ?? requestLine.exec(text)?.[1])?.toUpperCase(),
        url,
        startedAt: at === undefined ? undefined : Math.max(0, at - (isEnd ? (tookMs ?? 0) : 0)),
        tookMs,
        headers: [
          ...parseLoggedHeaders(find.requestHeaders(record)),
          ...namedHeaders(named.request, record),
        ],
        body: loggedBodyText(find.requestBody(record)),
        reply: replyIn(record),
        error: scalarText(find.error(record)),
        warn,
      }
    },
  }
}
