/**
 * Imports Sparring recordings: redacts raw ones, normalizes the JSON of lines, skips and reports broken lines. There is
 * no exporter here: a recording is exported by copying its lines.
 */
import { parseIsoInstant } from '../../core/traffic/date-time.ts'
import { exchangeFromLine } from '../../core/traffic/recording/recorded-exchange.ts'
import type { HeaderLine, HttpLine } from '../../core/traffic/recording/format.ts'
import { readRecordedLine } from '../../core/traffic/recording/reader.ts'
import { defineFormat, type ImportedExchange, type Importer } from './format.ts'
import { createLineQueue, type NumberedLine } from './byte-queue.ts'
import { createProblemList } from './problem-list.ts'
import type { UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { minifyJson } from '../../core/traffic/json/json-string.ts'

const decoder = new TextDecoder()

/** Lines that are tried until there is a header. */
const maxLinesTried = 1000
/** Lines between two exchanges, such as marks, that are kept. */
const maxLinesBetween = 100_000

function createRecordingImporter(): Importer {
  const queue = createLineQueue()
  const problems = createProblemList()
  let header: HeaderLine | undefined
  let t0 = 0
  /** Non-exchange lines since the last exchange. */
  let pendingLines: unknown[] = []
  let tried = 0

  function takeExchange(entry: UnknownRecord, line: HttpLine, text: string): ImportedExchange {
    const before = pendingLines
    pendingLines = []
    const { seq: _, ...exchange } = exchangeFromLine(line, t0)
    return {
      exchange,
      har: entry,
      rec: line._rec,
      text: minifyJson(text),
      ...(before.length > 0 ? { before } : {}),
    }
  }

  function take({ number, text: raw }: NumberedLine, isLast = false): readonly ImportedExchange[] {
    const text = (number === 1 ? raw.replace(/^\uFEFF/, '') : raw).trim()
    if (text === '' || (!header && ++tried > maxLinesTried)) return []
    const read = readRecordedLine(text)
    if (!read.ok) {
      const reason = isLast ? 'it broke off, as a crash leaves it' : read.error
      problems.add(`line ${number}`, number === 1 ? `it is no header: ${reason}` : reason, !header)
      return []
    }
    const { kind, line } = read.value
    const members = JSON.parse(text) as UnknownRecord
    if (kind === 'header') {
      header ??= members as HeaderLine
      t0 = parseIsoInstant(header._rec.t0) ?? 0
      return []
    }
    if (!header) {
      problems.add(`line ${number}`, 'it comes before any header', true)
      return []
    }
    if (kind === 'exchange') return [takeExchange(members, line, text)]
    if (pendingLines.length < maxLinesBetween) pendingLines.push(members)
    else problems.add(`line ${number}`, 'too many lines stand before it that are no exchanges')
    return []
  }

  return {
    begun: () => (header ? { header } : {}),
    feed: (bytes) => queue.feed(bytes).flatMap((line) => take(line)),
    finish() {
      const last = queue.finish().flatMap((line) => take(line, true))
      if (!header && problems.all().length === 0)
        problems.add('line 1', 'it is empty: there is no header', true)
      return {
        remaining: last,
        problems: [...problems.all(), ...queue.problems()],
        lines: pendingLines,
      }
    },
  }
}

export const recordingFormat = defineFormat({
  name: 'recording',
  summary: 'a recording of ours, to redact what was recorded raw',
  fileExtensions: ['.rec.ndjson', '.ndjson'],
  recognises(beginning) {
    const text = decoder.decode(beginning)
    return /^\uFEFF?\s*\{\s*"_rec"\s*:\s*\{/.test(text) ? 1 : 0
  },
  importer: createRecordingImporter,
})
