/** HTTP Archive 1.2 (HAR) and its dialects, as saved by browsers, proxies and test libraries. */
import {
  defineFormat,
  type Exporter,
  type ExporterOptions,
  type InterleavedLine,
} from './format.ts'
import { createHarImporter } from './har-import.ts'
import type { HeaderLine } from '../../core/traffic/recording/format.ts'
import { isUnknownRecord, type UnknownRecord } from '../../core/protocol/unknown-record.ts'
import { endOfJsonContainer } from '../../core/traffic/json/json-string.ts'

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
  importer: (options) => createHarImporter(options),
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
  return {
    begin(header, others) {
      behind = membersBehind(others, 'har')
      beside = membersBehind(others, 'harBeside')
      const ours = plain ? '' : `"_rec":${JSON.stringify({ header, lines: others })}`
      // An imported archive may have no members besides its entries.
      const before =
        header._rec.source && !header._rec.har && isForeignHar(header) ? '' : logJson(header)
      return `{${joinMembers(membersJson(header._rec.harBeside), '"log":{')}${joinMembers(before, ours, '"entries":[')}\n`
    },
    exchange(_exchange, _line, text) {
      const comma = isFirst ? '' : ',\n'
      isFirst = false
      return comma + (plain ? withoutRecordingMember(text) : text)
    },
    end: () => `\n]${behind === '' ? '' : `,${behind}`}}${beside === '' ? '' : `,${beside}`}}\n`,
  }
}

const isForeignHar = ({ _rec: { source } }: HeaderLine): boolean => source?.kind === 'har'
