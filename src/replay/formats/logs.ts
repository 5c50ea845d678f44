/** Imports JSON line logs, by a mapping of the user or the first preset that matches. */
import { isJsonContainer, parseLosslessJson } from '../../core/traffic/json/lossless-json.ts'
import { parseJson } from '../../core/traffic/json/try-parse-json.ts'
import { joinUrl } from '../../core/base/join-url.ts'
import { compile, type JSONPathQuery, type JSONValue } from 'json-p3'
import { compact } from '../../core/base/compact.ts'
import { err, ok, type Result } from '../../core/protocol/result.ts'
import { type ExchangeReply, type HeaderPairs, headerValue } from '../../core/traffic/exchange.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createLineQueue, type NumberedLine } from './byte-queue.ts'
import { type LogMapping, logPathFields, logPresets, parseLogMapping } from './log-presets.ts'
import {
  loggedBodyText,
  parseLoggedHeaders,
  parseLoggedTime,
  parseLoggedDuration,
  parseLoggedNumber,
  scalarText,
} from './log-values.ts'
import { createPairing } from './pairing.ts'
import { createProblemList } from './problem-list.ts'

type Field = (typeof logPathFields)[number]
type Paths = string | readonly string[] | undefined

/** The first value that one of the paths matches. */
type Find = (record: JSONValue) => unknown

type LogRecordReader = ReturnType<typeof recordReader>

/** A parsed record; request and response may be separate records, paired by `key`. */
interface ParsedLogRecord {
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
  if (base !== undefined) return { url: joinUrl(base, slashed), warn: [] }
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

function createLogRecordReader(mapping: LogMapping): Result<LogRecordReader, string> {
  try {
    return ok(recordReader(mapping))
  } catch (error) {
    return err(`reading the mapping: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function recordReader(mapping: LogMapping) {
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
    /** The records of a line. */
    recordsIn: recordsIn(mapping.each),
    parse(record: JSONValue): ParsedLogRecord {
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

const maxRecordsPerLine = 100_000
/** Lines tried before preset detection gives up. */
const maxLinesTried = 1000

interface LocatedRecord {
  readonly half: ParsedLogRecord
  readonly where: string
}

/** Whether a record describes an exchange: it has a request and an outcome. */
const isExchange = ({ method, url, reply, error }: ParsedLogRecord): boolean =>
  method !== undefined && url !== undefined && (reply !== undefined || error !== undefined)

const presetReaders: () => readonly LogRecordReader[] = () =>
  Object.values(logPresets).flatMap((mapping) => {
    const reader = createLogRecordReader(mapping)
    return reader.ok ? [reader.value] : []
  })

function documentIn(text: string): JSONValue | undefined {
  const value = parseJson(text, parseLosslessJson)?.value
  return isJsonContainer(value) ? (value as JSONValue) : undefined
}

function importedOf(
  { half }: LocatedRecord,
  answer: LocatedRecord | undefined,
  now: number,
): ImportedExchange {
  const responseRecord = answer?.half
  const { method = 'GET', url = '', startedAt, headers, body } = half
  const reply = half.reply ?? responseRecord?.reply
  const error = half.error ?? responseRecord?.error
  const ended = responseRecord?.startedAt
  const elapsed = startedAt === undefined || ended === undefined ? undefined : ended - startedAt
  const warn = [
    ...half.warn,
    ...(startedAt === undefined ? ['clock inferred'] : []),
    ...(reply ? [] : ['no response']),
  ]
  return {
    exchange: createForeignExchange({
      startedAt: startedAt ?? now,
      tookMs: half.tookMs ?? responseRecord?.tookMs ?? elapsed,
      method,
      url,
      headers,
      body,
      reply,
      failure: reply || error === undefined ? undefined : { code: 'LOGGED', message: error },
    }),
    ...(warn.length > 0 ? { warn } : {}),
  }
}

function createImporter(options: ImporterOptions): Importer {
  const lines = createLineQueue()
  const problems = createProblemList()
  const userReader: Result<LogRecordReader, string> | undefined =
    options.mapping === undefined ? undefined : readerOf(options.mapping)
  const candidates = userReader ? [] : presetReaders()
  let reader = userReader?.ok ? userReader.value : undefined
  let tried = 0
  if (userReader && !userReader.ok) problems.add('the mapping', userReader.error, true)
  const isUnreadable = (): boolean => userReader?.ok === false || (!reader && tried > maxLinesTried)
  const pairing = createPairing<LocatedRecord, LocatedRecord>({
    join: (asked, answer) => importedOf(asked, answer, options.now),
    onUnmatchedResponse: ({ where }) =>
      problems.add(where, 'it is a response, and no request has its key'),
  })
  let unpaired = 0

  function take({ number, text }: NumberedLine): void {
    if (isUnreadable() || text.trim() === '') return
    const line = documentIn(text.replace(/^\uFEFF/, ''))
    if (line === undefined) {
      problems.add(`line ${number}`, 'it is no JSON document')
      return
    }
    reader ??= candidates.find((each) =>
      each.recordsIn(line).some((record) => isExchange(each.parse(record))),
    )
    if (!reader) tried++
    else
      for (const record of reader.recordsIn(line).slice(0, maxRecordsPerLine))
        takeRecord(reader.parse(record), `line ${number}`)
  }

  function takeRecord(half: ParsedLogRecord, where: string): void {
    const { kind, key, method, url } = half
    if (kind === 'response') {
      if (key === undefined) problems.add(where, 'it is a response without a key')
      else pairing.addResponse(key, { half, where })
      return
    }
    // Skip records that are no exchange.
    if (method === undefined || url === undefined) return
    if (kind === 'both' || key === undefined) {
      const own = `\u0000${++unpaired}`
      pairing.addRequest(own, { half, where })
      pairing.closeRequest(own)
    } else pairing.addRequest(key, { half, where })
  }

  return {
    feed(bytes) {
      for (const line of lines.feed(bytes)) take(line)
      return pairing.takeReady()
    },
    finish() {
      for (const line of lines.finish()) take(line)
      if (!userReader && !reader && tried > 0)
        problems.add(
          'the file',
          `none of the mappings that are known fits it (${Object.keys(logPresets).join(', ')}). ` +
            'Write one: a file that says by JSONPath where method, url, status and the rest stand',
          true,
        )
      return { remaining: pairing.finish(), problems: [...lines.problems(), ...problems.all()] }
    },
  }
}

function readerOf(input: unknown): Result<LogRecordReader, string> {
  const mapping = parseLogMapping(input)
  return mapping.ok ? createLogRecordReader(mapping.value) : mapping
}

export const logsFormat = defineFormat({
  name: 'logs',
  summary: `logs with a JSON document a line: ${Object.keys(logPresets).join(', ')}, others by a mapping`,
  fileExtensions: ['.ndjson', '.jsonl', '.log'],
  recognises: (beginning) => {
    const text = new TextDecoder('utf-8').decode(beginning)
    const first = text.split('\n')[0] ?? ''
    if (!first.trimStart().startsWith('{')) return 0
    const line = documentIn(first)
    // The first line may be longer than the beginning that is available.
    if (line === undefined) return text.includes('\n') ? 0 : 0.1
    if (typeof line === 'object' && line !== null && ('_rec' in line || 'log' in line)) return 0
    const fits = presetReaders().some((each) =>
      each.recordsIn(line).some((record) => isExchange(each.parse(record))),
    )
    return fits ? 0.8 : 0.3
  },
  importer: createImporter,
})
