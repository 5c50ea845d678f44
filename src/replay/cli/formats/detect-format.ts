/** Resolves a format by name, or detects it from the beginning and the name of a file, with the reason. */
import { problem } from '../../../core/base/problem.ts'
import { findClosestName } from '../../../core/protocol/closest-name.ts'
import type { Format } from '../../formats/format.ts'
import { allFormats } from './all-formats.ts'
import { describeContent, isPacketCapture } from './describe-content.ts'
import type { ImportSource } from './import-source.ts'

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
