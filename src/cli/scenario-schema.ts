/** The shape of a scenario file, as JSON Schema for editors: wherever a value may stand, a placeholder of a table may too. */
import { z } from 'zod'
import { Scenario } from '../scenario/schema.ts'

const placeholder = { type: 'string', pattern: '^\\$\\{[^}]+\\}$' } as const

const kinds: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean', 'array'])

const isValue = ({ type, enum: values, const: only }: z.core.JSONSchema.BaseSchema): boolean =>
  values !== undefined || only !== undefined || kinds.has(type)

/** The same, or a placeholder; what it is for stays where editors look for it. */
function orPlaceholder(schema: z.core.JSONSchema.BaseSchema): void {
  const { description, default: usual, ...rest } = schema
  for (const key of Object.keys(rest)) Reflect.deleteProperty(schema, key)
  schema.anyOf = [rest, placeholder]
  if (description !== undefined) schema.description = description
  if (usual !== undefined) schema.default = usual
}

export const scenarioSchema = () =>
  z.toJSONSchema(Scenario, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema, path }) => {
      // The table itself is what placeholders stand for.
      if (isValue(jsonSchema) && path.at(-1) !== 'examples') orPlaceholder(jsonSchema)
    },
  })
