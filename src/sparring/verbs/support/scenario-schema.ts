/** JSON Schema of a scenario file for editors: every value may also be a `${placeholder}` of the examples table. */
import { z } from 'zod'
import { Scenario } from '../../../core/scenario/schema.ts'
import { schemaReference } from './configuration-schema.ts'

const placeholder = { type: 'string', pattern: '^\\$\\{[^}]+\\}$' } as const

const kinds: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean', 'array'])

const isValue = ({ type, enum: values, const: only }: z.core.JSONSchema.BaseSchema): boolean =>
  values !== undefined || only !== undefined || kinds.has(type)

/** Allows a placeholder too; description and default stay at the top level, where editors look for them. */
function orPlaceholder(schema: z.core.JSONSchema.BaseSchema): void {
  const { description, default: defaultValue, ...rest } = schema
  for (const key of Object.keys(rest)) Reflect.deleteProperty(schema, key)
  schema.anyOf = [rest, placeholder]
  if (description !== undefined) schema.description = description
  if (defaultValue !== undefined) schema.default = defaultValue
}

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
