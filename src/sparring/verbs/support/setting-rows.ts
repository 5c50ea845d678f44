/** Every setting of the configuration as a row: from its JSON Schema and the default configuration. */
import { defaultConfiguration } from '../../../core/session-api/configuration/defaults.ts'
import {
  type SettingEffect,
  settingEffectAt,
} from '../../../core/session-api/configuration/setting-effects.ts'
import { formatDuration } from '../../../core/protocol/duration.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { flowText } from '../../../core/scenario/yaml-text.ts'
import { configurationSchema } from './configuration-schema.ts'

export interface SettingRow {
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
