/** The text of a configuration file with every setting, its explanation and its default, commented out. */
import type { Role } from '../../../core/protocol/role.ts'
import { durationNote, type SettingRow, settingRows } from './setting-rows.ts'

/** The schema file that the configuration names for editors, where no installed one is. */
export const schemaFile = 'sparring.schema.json'

const width = 110

/** Comment lines of at most `width` columns. */
function commentLines(text: string, indent: string): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && `${last} ${word}`.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${indent}# ${word}`)
  }
  return lines
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const explanationOf = ({ description, values, default: usual, isSection }: SettingRow): string =>
  isSection || usual === undefined || usual === values
    ? `${sentence(description)}${isSection ? '' : ` Values: ${values}.`}`
    : `${sentence(description)} Values: ${values}. Default: ${usual}.`

/** Settings that are written as such, by their path joined with dots. */
export type ChosenSettings = Readonly<Record<string, string>>

function settingLines(row: SettingRow, chosen: ChosenSettings): readonly string[] {
  const { path, isSection, default: usual, example } = row
  const indent = '  '.repeat(path.length - 1)
  const name = path.join('.')
  const value = chosen[name]
  const line = isSection
    ? `${indent}${path.at(-1)}:`
    : `${indent}${value === undefined ? '#' : ''}${path.at(-1)}: ${value ?? usual ?? example}`
  return [...(path.length === 1 ? [''] : []), ...commentLines(explanationOf(row), indent), line]
}

/** `schema` is the path of the schema, relative to the file. */
export function configurationTemplate(as?: Role, schema = `./${schemaFile}`): string {
  const chosen: ChosenSettings = as === undefined ? {} : { 'subject.role': as }
  return [
    // The first is read by yaml-language-server, the second by the IDEs of JetBrains.
    `# yaml-language-server: $schema=${schema}`,
    `# $schema: ${schema}`,
    '# Every setting, with its default where it has one. To change one, remove the # right before its name.',
    '# Flags, and SPARRING_<FLAG> in the environment, win over this file.',
    `# ${durationNote}`,
    ...settingRows().flatMap((row) => settingLines(row, chosen)),
    '',
  ].join('\n')
}
