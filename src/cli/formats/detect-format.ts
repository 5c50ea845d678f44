/** Resolves a format by name, or detects it from the beginning and the name of a file, with the reason. */
import { problem } from '../../problem.ts'
import { findClosestName } from '../../protocol/closest-name.ts'
import type { Format } from '../../traffic/formats/format.ts'
import { allFormats } from './all-formats.ts'

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

export function detectImportFormat(
  name: string | undefined,
  file: string,
  beginning: Uint8Array,
): DetectedFormat {
  const known = importers()
  if (name !== undefined)
    return { format: formatNamed(name, known, 'import'), because: 'it was said so' }
  const [best, next] = known
    .map((format) => ({ format, sure: format.recognises?.(beginning, file) ?? 0 }))
    .sort((a, b) => b.sure - a.sure)
  if (!best || best.sure < minConfidence)
    throw problem(
      `importing ${file}`,
      beginning.length === 0
        ? 'it is empty'
        : 'its beginning looks like no format that is known here',
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
