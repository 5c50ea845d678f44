/** The text of a configuration file with every setting, its explanation and its default, commented out. */
import type { Role } from '../../../core/protocol/role.ts'
import { defaultConfiguration } from '../../../core/session-api/configuration/defaults.ts'
import {
  type SettingEffect,
  settingEffectAt,
} from '../../../core/session-api/configuration/setting-effects.ts'
import { formatDuration } from '../../../core/protocol/duration.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { flowText } from '../../../core/scenario/yaml-text.ts'
import { configurationSchema } from './configuration-schema.ts'

/** Every setting of the configuration as a row: from its JSON Schema and the default configuration. */
interface SettingRow {
  /** Keys from the top of the configuration. */
  readonly path: readonly string[]
  /** A section has settings below it, and no value of its own. */
  readonly isSection: boolean
  /** One sentence, without a full stop; empty when there is none. */
  readonly description: string
  /** The values that it takes, such as `polling, webhook, both` or `duration`; empty for a section. */
  readonly values: string
  /** The value without the setting, as YAML flow text; undefined when there is none. */
  readonly default?: string
  /** A valid value. */
  readonly example: string
  /** What a change does to a session that runs; absent for a section. */
  readonly effect?: SettingEffect | undefined
}

/** How durations are written, for people. */
export const durationNote = 'A duration is milliseconds, or text such as `500ms`, `5s`, `2m`, `1h`.'

/** A node of a JSON Schema, as far as it is read here. */
interface SchemaNode {
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly anyOf?: readonly SchemaNode[]
  readonly enum?: readonly unknown[]
  readonly const?: string | number | boolean
  readonly format?: string
  readonly pattern?: string
  readonly allOf?: readonly SchemaNode[]
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly items?: SchemaNode
  readonly examples?: readonly unknown[]
  /** In place of `examples`, which Zod leaves out where a schema transforms its input. */
  readonly example?: unknown
}

/** A duration is a number of milliseconds, or text such as `5s`. */
const isDuration = ({ anyOf = [] }: SchemaNode): boolean =>
  anyOf.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string'

const isPath = ({ pattern, allOf = [] }: SchemaNode): boolean =>
  [pattern, ...allOf.map((each) => each.pattern)].includes(String.raw`^\/.*`)

function bounds({ minimum, exclusiveMinimum, maximum }: SchemaNode): string {
  const from = minimum ?? exclusiveMinimum
  const to = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (from === undefined && to === undefined) return ''
  if (to === undefined) return exclusiveMinimum === undefined ? ` from ${from}` : ` above ${from}`
  return ` from ${from} to ${to}`
}

/** Longer lists of values are left to the description and the schema. */
const maxValuesChars = 200

function valuesOf(node: SchemaNode): string {
  if (node.enum) return node.enum.map(String).join(', ')
  if (node.const !== undefined) return String(node.const)
  if (isDuration(node)) return 'duration'
  if (node.anyOf) return [...new Set(node.anyOf.map(valuesOf))].join(', ')
  if (node.type === 'array') {
    const each = node.items ? valuesOf(node.items) : ''
    return each === '' || each.length > maxValuesChars ? 'list' : `list of ${each}`
  }
  if (node.type === 'integer' || node.type === 'number') return `${node.type}${bounds(node)}`
  if (node.type === 'boolean') return 'true, false'
  if (node.type === 'object') return 'mapping'
  if (node.format === 'uri') return 'URL'
  if (isPath(node)) return 'path'
  return node.format === 'date-time' ? 'instant' : 'text'
}

/** A value that the type allows, where the schema names none. */
function exampleOf(node: SchemaNode): unknown {
  const example = node.example ?? node.examples?.[0]
  if (example !== undefined) return example
  if (node.enum) return node.enum[0]
  if (node.const !== undefined) return node.const
  if (isDuration(node)) return '5s'
  if (node.anyOf?.[0]) return exampleOf(node.anyOf[0])
  if (node.type === 'array') return node.items ? [exampleOf(node.items)] : []
  if (node.type === 'integer' || node.type === 'number') return Math.max(node.minimum ?? 1, 1)
  if (node.type === 'boolean') return true
  if (node.format === 'uri') return 'http://127.0.0.1:3000'
  if (node.format === 'date-time') return '2026-01-31T12:00:00Z'
  return isPath(node) ? '/path' : 'text'
}

const plainText = /^[a-z_/][\w./{}:+-]*$/i
const reserved = /^(?:true|false|null|yes|no|on|off|~)$/i

const textOf = (text: string): string =>
  plainText.test(text) && !reserved.test(text) && !/[{}]|: |:$/.test(text)
    ? text
    : JSON.stringify(text)

/** A value as YAML flow text. */
const settingText = (value: unknown): string => flowText(value, textOf)

const memberOf = (value: unknown, key: string): unknown =>
  isUnknownRecord(value) ? value[key] : undefined

function rowsBelow(
  node: SchemaNode,
  path: readonly string[],
  defaults: unknown,
): readonly SettingRow[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, each]) => {
    if (key === '$schema') return []
    const here = [...path, key]
    const value = memberOf(defaults, key)
    const { description = '' } = each
    if (each.properties)
      return [
        { path: here, isSection: true, description, values: '', example: '' },
        ...rowsBelow(each, here, value),
      ]
    const isTime = typeof value === 'number' && value > 0 && isDuration(each)
    const text = isTime ? formatDuration(value) : settingText(value)
    return [
      {
        path: here,
        isSection: false,
        description,
        values: valuesOf(each),
        ...(value === undefined ? {} : { default: text }),
        example: settingText(exampleOf(each)),
        effect: settingEffectAt(here),
      },
    ]
  })
}

/** All sections and settings, each section before its settings, in the order of the schema. */
export const settingRows = (): readonly SettingRow[] =>
  rowsBelow(configurationSchema() as SchemaNode, [], defaultConfiguration())

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

/** What most users change, in the order in which they do. */
const firstSettings = ['subject', 'merchants', 'menu', 'faults', 'capabilities', 'counterparts']
/** The longest: what the protocol leaves open. */
const lastSettings = ['conduct']

function firstThingsFirst(rows: readonly SettingRow[]): readonly SettingRow[] {
  const bySetting = Map.groupBy(rows, ({ path: [name = ''] }) => name)
  const others = [...bySetting.keys()].filter(
    (name) => !firstSettings.includes(name) && !lastSettings.includes(name),
  )
  return [...firstSettings, ...others, ...lastSettings].flatMap((name) => bySetting.get(name) ?? [])
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
    ...firstThingsFirst(settingRows()).flatMap((row) => settingLines(row, chosen)),
    '',
  ].join('\n')
}
