/** Resolves a format by name, or detects it from the beginning and the name of a file, with the reason. */
import { problem } from '../../problem.ts'
import { closest } from '../../protocol/closest.ts'
import type { Format } from '../../traffic/formats/format.ts'
import { everyFormat } from './every-format.ts'

export interface Found {
  readonly format: Format
  /** The reason, as one clause. */
  readonly because: string
}

const minConfidence = 0.3

const namesOf = (list: readonly Format[]): string => list.map(({ name }) => name).join(', ')

const importers = (): readonly Format[] => everyFormat.filter(({ importer }) => importer)
const exporters = (): readonly Format[] => everyFormat.filter(({ exporter }) => exporter)

function formatNamed(name: string, among: readonly Format[], doing: string): Format {
  const format = among.find((each) => each.name === name)
  if (format) return format
  const near = closest(
    name,
    among.map((each) => each.name),
  )
  throw problem(
    'reading --format',
    `${doing} knows no format "${name}"`,
    near === undefined ? `There are ${namesOf(among)}` : `Did you mean ${near}?`,
  )
}

export const exportFormat = (name: string): Format => formatNamed(name, exporters(), 'export')

export function importFormat(name: string | undefined, file: string, beginning: Uint8Array): Found {
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
  const ending = best.format.endings.find((each) => file.toLowerCase().endsWith(each))
  const looks = best.format.recognises?.(beginning, '') ?? 0
  const because =
    looks >= minConfidence
      ? `it begins like one${ending === undefined ? '' : `, and is called *${ending}`}`
      : `it is called *${ending ?? ''}`
  const doubt = next && next.sure === best.sure ? `; ${next.format.name} fits as well` : ''
  return { format: best.format, because: because + doubt }
}
