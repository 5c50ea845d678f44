/** Imports JSON line logs, by a mapping of the user or the first preset that matches. */
import type { JSONValue } from 'json-p3'
import type { Result } from '../../core/protocol/result.ts'
import { createForeignExchange } from './foreign-exchange.ts'
import {
  defineFormat,
  type ImportedExchange,
  type Importer,
  type ImporterOptions,
} from './format.ts'
import { createLineQueue, type NumberedLine } from './line-queue.ts'
import { logPresets, parseLogMapping } from './log-presets.ts'
import { createLogRecordReader, type ParsedLogRecord, type LogRecordReader } from './log-record.ts'
import { createPairing } from './pairing.ts'
import { createProblemList } from './problem-list.ts'

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
  try {
    const value = JSON.parse(text) as JSONValue
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    // No JSON, or nested too deep for the parser.
    return undefined
  }
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
  const hasGivenUp = (): boolean => userReader?.ok === false || (!reader && tried > maxLinesTried)
  const pairing = createPairing<LocatedRecord, LocatedRecord>({
    join: (asked, answer) => importedOf(asked, answer, options.now),
    onUnmatchedResponse: ({ where }) =>
      problems.add(where, 'it is a response, and no request has its key'),
  })
  let unpaired = 0

  function take({ number, text }: NumberedLine): void {
    if (hasGivenUp() || text.trim() === '') return
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
