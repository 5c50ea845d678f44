/** The JSON Schemas that the package holds for editors, in `schemas/`, and where a project refers to one. */
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { configurationSchema, schemaReference } from './configuration-schema.ts'
import { z } from 'zod'
import {
  EndLine,
  HeaderLine,
  MarkLine,
  RecordedHttpLine,
  StateLine,
} from '../../../core/traffic/recording/format.ts'
import { DialectFile } from '../../../core/protocol/dialects/own-dialect.ts'
import { Scenario } from '../../../core/scenario/schema.ts'

const placeholder = { type: 'string', pattern: '^\\$\\{[^}]+\\}$' } as const

const kinds: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean', 'array'])

const isValue = ({ type, enum: values, const: only }: z.core.JSONSchema.BaseSchema): boolean =>
  values !== undefined || only !== undefined || kinds.has(type)

/** Allows a placeholder too; description and default stay at the top level, where editors look for them. */
function orPlaceholder(schema: z.core.JSONSchema.BaseSchema): void {
  // Its own name is none of JSON Schema.
  const { description, default: defaultValue, id: _, ...rest } = schema
  for (const key of Object.keys(rest)) Reflect.deleteProperty(schema, key)
  schema.anyOf = [rest, placeholder]
  if (description !== undefined) schema.description = description
  if (defaultValue !== undefined) schema.default = defaultValue
}

/**
 * JSON Schema of a scenario file for editors: every value may also be a `${placeholder}` of the
 * examples table.
 */
export function scenarioSchema() {
  const { properties, ...whole } = z.toJSONSchema(Scenario, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      // The examples table itself holds the values of the placeholders.
      if (isValue(jsonSchema) && path.at(-1) !== 'examples') orPlaceholder(jsonSchema)
    },
  })
  return { ...whole, properties: { ...properties, ...schemaReference } }
}

const Line = z
  .union([
    HeaderLine.describe('the first line of every file: what was recorded, when and how'),
    RecordedHttpLine.describe('an exchange, which is an entry of the HTTP Archive format too'),
    MarkLine.describe('a bookmark'),
    StateLine.describe('a snapshot'),
    EndLine.describe('the last line of a recording that was closed'),
  ])
  .describe('one line of a recording: JSON whose first key is _rec')

/** JSON Schema of one line of a recording, of any type. */
export const recordingSchema = () => z.toJSONSchema(Line, { io: 'input', unrepresentable: 'any' })

/** JSON Schema of a dialect file. */
export function dialectSchema() {
  const whole = z.toJSONSchema(DialectFile, { io: 'input', unrepresentable: 'any' })
  return { ...whole, properties: { ...whole.properties, ...schemaReference } }
}

/** Its members by file name. `sparring schema config`, `scenario`, `dialect` and `recording` print the same. */
export const editorSchemas = {
  'configuration.json': configurationSchema,
  'scenario.json': scenarioSchema,
  'dialect.json': dialectSchema,
  'recording.json': recordingSchema,
} as const

/**
 * The path of an installed schema, relative to the folder, such as `./node_modules/sparring/schemas/configuration.json`: in
 * the nearest `node_modules` that has it, as Node looks packages up. Undefined where Sparring is not installed.
 */
export function installedSchema(
  folder: string,
  name: keyof typeof editorSchemas,
): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'node_modules/sparring/schemas', name)
    if (existsSync(file)) {
      const path = relative(folder, file).replaceAll('\\', '/')
      return path.startsWith('.') ? path : `./${path}`
    }
    if (dirname(at) === at) return undefined
  }
}
