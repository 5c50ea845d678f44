/** Resolves a format by name, or detects it from the beginning and the name of a file, with the reason. */
import { problem } from '../../../core/base/problem.ts'
import { findClosestName } from '../../../core/protocol/closest-name.ts'
import type { Format } from '../../formats/format.ts'
import { allFormats } from './all-formats.ts'
import type { ImportSource } from './import-source.ts'

// What the beginning of a file looks like, for messages about files that cannot be imported; never quotes it.

/** Magic numbers as hexadecimal, and what begins with them. */
const magics: readonly (readonly [RegExp, string])[] = [
  [/^504b0304/, 'a zip archive'],
  [/^1f8b/, 'gzip data'],
  [/^25504446/, 'a PDF document'],
  [/^(?:89504e47|ffd8ff|47494638)/, 'a picture'],
  [/^53514c69746520/, 'an SQLite database'],
]

/** pcap in both byte orders, with microseconds or nanoseconds; pcapng. */
const packetCapture = /^(?:a1b2c3d4|d4c3b2a1|a1b23c4d|4d3cb2a1|0a0d0d0a.{8}(?:1a2b3c4d|4d3c2b1a))/

const texts: readonly (readonly [RegExp, string])[] = [
  [/^\s*<(?:!doctype\s+html|html)/i, 'an HTML page'],
  [/^\s*</, 'XML'],
  [/^\s*[[{]/, 'JSON'],
  [/^---\s|^\s*[\w"'-]+:(?:\s|$)/, 'YAML, or text that is like it'],
]

const startOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(0, 16)).toString('hex')

const isPacketCapture = (beginning: Uint8Array): boolean => packetCapture.test(startOf(beginning))

/** The UTF-8 text, which may end in the middle of a character; undefined for binary data. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

export function describeContent(beginning: Uint8Array): string {
  if (beginning.length === 0) return 'nothing: it is empty'
  const start = startOf(beginning)
  const magic = magics.find(([pattern]) => pattern.test(start))
  if (magic) return magic[1]
  const text = textOf(beginning)
  if (text !== undefined) return texts.find(([pattern]) => pattern.test(text))?.[1] ?? 'text'
  return `binary data that begins with the bytes ${start.match(/../g)?.slice(0, 8).join(' ')}`
}

export interface DetectedFormat {
  readonly format: Format
  /** The reason, as one clause. */
  readonly because: string
}

const minConfidence = 0.3

const namesOf = (list: readonly Format[]): string => list.map(({ name }) => name).join(', ')

const importers = (): readonly Format[] => allFormats.filter(({ importer }) => importer)
const exporters = (): readonly Format[] => allFormats.filter(({ exporter }) => exporter)

function formatNamed(name: string, among: readonly Format[], doing: string): Format {
  const format = among.find((each) => each.name === name)
  if (format) return format
  const near = findClosestName(
    name,
    among.map((each) => each.name),
  )
  throw problem(
    'reading --format',
    `${doing} knows no format "${name}"`,
    near === undefined ? `There are ${namesOf(among)}` : `Did you mean ${near}?`,
  )
}

export const findExportFormat = (name: string): Format => formatNamed(name, exporters(), 'export')

/** Whether a beginning is that of a known format, as far as its content tells. */
export const isKnownContent = (beginning: Uint8Array): boolean =>
  importers().some(({ recognises }) => (recognises?.(beginning, '') ?? 0) >= minConfidence)

export function detectImportFormat(
  name: string | undefined,
  { name: path, plainName: file, beginning }: ImportSource,
): DetectedFormat {
  const known = importers()
  if (isPacketCapture(beginning))
    throw problem(
      `importing ${path}`,
      'it is a packet capture, which is not read here',
      'Make a HAR of it first: pcapng_to_har of the Python package pcapng-utils does it by tshark. For TLS, put the ' +
        'key log into the capture before: editcap --inject-secrets tls,<key log> <capture> <new.pcapng>',
    )
  if (name !== undefined)
    return { format: formatNamed(name, known, 'import'), because: 'it was said so' }
  const [best, next] = known
    .map((format) => ({ format, sure: format.recognises?.(beginning, file) ?? 0 }))
    .sort((a, b) => b.sure - a.sure)
  if (!best || best.sure < minConfidence)
    throw problem(
      `importing ${path}`,
      beginning.length === 0
        ? 'it is empty'
        : `its beginning looks like no format that is known here, but like ${describeContent(beginning)}`,
      `Say which it is with --format: ${namesOf(known)}`,
    )
  const ending = best.format.fileExtensions.find((each) => file.toLowerCase().endsWith(each))
  const looks = best.format.recognises?.(beginning, '') ?? 0
  const because =
    looks >= minConfidence
      ? `it begins like one${ending === undefined ? '' : `, and is called *${ending}`}`
      : `it is called *${ending ?? ''}`
  const doubt = next && next.sure === best.sure ? `; ${next.format.name} fits as well` : ''
  return { format: best.format, because: because + doubt }
}
