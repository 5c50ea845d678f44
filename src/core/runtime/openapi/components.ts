/**
 * The schemas of an OpenAPI document: each Zod schema with a name becomes one component, and is referred to wherever it is
 * used. Bodies are described as they are on the wire, before defaults and conversions.
 */
import { z } from 'zod'
import { JsonValue } from '../../protocol/json-value.ts'
import { type Json, referencesIn, referenceTo } from './json.ts'

export interface SchemaComponents {
  /** The reference to a schema; one without a name gets this one. */
  readonly refer: (schema: z.ZodType, name: string) => Json
  /** The reference to a schema that is derived from another: the edit has that one, and what references name. */
  readonly derive: (
    schema: z.ZodType,
    name: string,
    edit: (schema: Json, deref: (schema: Json) => Json) => Json,
  ) => Json
  /** The whole schema, to stand where it is used: for parameters. */
  readonly inline: (schema: z.ZodType) => Json
  /** The components that these parts of the document refer to, directly or not. */
  readonly usedBy: (parts: unknown) => Readonly<Record<string, Json>>
}

const prefix = '#/components/schemas/'

type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * Leaves out what Zod adds to be exact and what says nothing to a reader: bounds of safe integers, patterns of formats.
 */
function simplify(json: JsonSchema): void {
  if (json.format === 'date-time' || json.format === 'date') delete json.pattern
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum
  if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum
  if (json.default === undefined) delete json.default
}

const options = {
  io: 'input',
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: JsonSchema }) => {
    simplify(jsonSchema)
    // Generators cannot write a union that holds itself: any value will do.
    if (zodSchema === JsonValue) delete jsonSchema.anyOf
  },
} as const

/** Without the identity that a schema has only outside an OpenAPI document. */
const bare = ({ $schema: _schema, $id: _id, ...rest }: Json): Json => rest

export function createSchemaComponents(
  named: Readonly<Record<string, z.ZodType>>,
): SchemaComponents {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })

  const components = (): Readonly<Record<string, Json>> => {
    const { schemas } = z.toJSONSchema(registry, { ...options, uri: (id) => `${prefix}${id}` })
    // Zod puts there what refers to itself and has no name.
    if ('__shared' in schemas) throw new Error('a recursive schema has no name for a component')
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, bare(schema as Json)]),
    )
  }

  function refer(schema: z.ZodType, name: string): Json {
    const known = registry.get(schema)
    if (known) return referenceTo('schemas', known.id)
    registry.add(schema, { id: name })
    return referenceTo('schemas', name)
  }

  /** Edits of components into others, by the name of the new one. */
  const derived = new Map<string, (all: Readonly<Record<string, Json>>) => Json>()

  return {
    refer,
    derive(schema, name, edit) {
      const base = refer(schema, `${name}InDocuments`)
      derived.set(name, (all) => {
        const deref = (each: Json): Json => {
          const { $ref: target, ...beside } = each
          const found = typeof target === 'string' ? all[target.slice(prefix.length)] : undefined
          return found ? deref({ ...found, ...beside }) : each
        }
        return edit(deref(base), deref)
      })
      return referenceTo('schemas', name)
    },
    inline: (schema) => bare(z.toJSONSchema(schema, options)),
    usedBy(parts) {
      const own = components()
      const all = {
        ...own,
        ...Object.fromEntries([...derived].map(([name, made]) => [name, made(own)])),
      }
      const used = new Set<string>()
      const collect = (part: unknown): void => {
        for (const reference of referencesIn(part)) {
          const name = reference.startsWith(prefix) ? reference.slice(prefix.length) : undefined
          if (name === undefined || used.has(name)) continue
          used.add(name)
          collect(all[name] ?? {})
        }
      }
      collect(parts)
      return Object.fromEntries(
        [...used].toSorted().flatMap((name) => {
          const schema = all[name]
          return schema ? [[name, schema]] : []
        }),
      )
    },
  }
}
