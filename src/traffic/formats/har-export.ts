/**
 * Writes HTTP archives: the line of an exchange is an entry already, so entries are copied, not made. What a foreign
 * archive said around its entries is put back in its place, and what a recording has besides exchanges stands in
 * `log._rec`, before the entries, so that whoever reads the archive can write the recording again as it goes.
 *
 *   { "log": { "version", "creator", "_rec": { "header", "lines": [{ "after", "line" }] }, "entries": [ … ] } }
 */
import { isMembers, type Members } from '../har-message.ts'
import { endOfString } from '../json/json-string.ts'
import type { HeaderLine } from '../recording/format.ts'
import type { Exporter, ExportOptions, PlacedLine } from './format.ts'
import { closeList, closeObject, openList, openObject, quote } from './json-bytes.ts'

/** Where the object or list ends that begins here: behind its last bracket. */
function endOfValue(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      const end = endOfString(text, at)
      if (end < 0) break
      at = end - 1
    } else if (char === openObject || char === openList) depth++
    else if (char === closeObject || char === closeList) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return text.length
}

const ourMember = '{"_rec":'

/** The entry as it was before it became a line; every other token as it is spelled. */
export function withoutOurs(text: string): string {
  if (!text.startsWith(ourMember)) {
    const { _rec: _, ...rest } = JSON.parse(text) as Members
    return JSON.stringify(rest)
  }
  const end = endOfValue(text, ourMember.length)
  return text[end] === ',' ? `{${text.slice(end + 1)}` : '{}'
}

/** Members as text without the brackets. */
const membersJson = (members: unknown): string =>
  isMembers(members) ? JSON.stringify(members).slice(1, -1) : ''

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== '').join(',')

/** An archive that does not say its version and maker is none that others would read. */
function logJson({ _rec: rec }: HeaderLine): string {
  if (rec.har) return membersJson(rec.har)
  const [name = 'sparring', version = ''] = rec.tool.split('/')
  return membersJson({ version: '1.2', creator: { name, version }, pages: [] })
}

/** Members of a foreign archive behind its entries: the end of the recording has them. */
const behindIn = (others: readonly PlacedLine[], name: 'har' | 'harBeside'): string =>
  membersJson(
    others
      .map(({ line }) => (isMembers(line['_rec']) ? line['_rec'][name] : undefined))
      .findLast((members) => members !== undefined),
  )

export function createHarExporter({ plain = false }: ExportOptions): Exporter {
  let isFirst = true
  let behind = ''
  let beside = ''
  return {
    begin(header, others) {
      behind = behindIn(others, 'har')
      beside = behindIn(others, 'harBeside')
      const ours = plain ? '' : `"_rec":${JSON.stringify({ header, lines: others })}`
      // A foreign archive may have nothing at all around its entries.
      const before =
        header._rec.source && !header._rec.har && isForeignHar(header) ? '' : logJson(header)
      return `{${joined(membersJson(header._rec.harBeside), '"log":{')}${joined(before, ours, '"entries":[')}\n`
    },
    exchange(_exchange, _line, text) {
      const comma = isFirst ? '' : ',\n'
      isFirst = false
      return comma + (plain ? withoutOurs(text) : text)
    },
    end: () => `\n]${behind === '' ? '' : `,${behind}`}}${beside === '' ? '' : `,${beside}`}}\n`,
  }
}

const isForeignHar = ({ _rec: { source } }: HeaderLine): boolean => source?.kind === 'har'
